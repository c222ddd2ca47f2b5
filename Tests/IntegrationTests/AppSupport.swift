import Contract
import Foundation
import JSON
import ScreenTimeTesting
import Testing

/// The built-in apps as a person uses them: by their commands, under the virtual clock.
extension World {
    struct AppOutcome {
        var status: Int32
        var lines: [String]
        var errors: String

        /// What `--json` printed.
        func json() throws -> JSONValue { try JSONValue.decode(Array(lines.joined().utf8)) }
    }

    /// Runs a built-in app's command; it lives by the virtual clock by itself, as its extensions do.
    @discardableResult
    func app(_ name: String, _ words: String...) async throws -> AppOutcome {
        try await app(name, words: words)
    }

    /// Changes the member record of the user who runs the tests.
    func setMember(_ words: String...) async throws {
        let set = try await command(["member", "set", NSUserName()] + words)
        #expect(set.status == 0, "\(set.errors)")
    }

    /// The same as it is typed, with nothing that is quoted.
    func app(words command: String) async throws -> AppOutcome {
        let words = command.split(separator: " ").map(String.init)
        return try await app(words[0], words: Array(words.dropFirst()))
    }

    func app(_ name: String, words: [String]) async throws -> AppOutcome {
        let label = "\(name)-\(processes.count)"
        let (status, lines) = try await run(label, [Self.products + "/" + name] + words)
        return AppOutcome(status: status, lines: lines, errors: errors(of: label))
    }

    /// The person allows an app, and chooses for it.
    func prepare(_ app: String, selections: [String: [String]]) async throws {
        let client = "org.screentime.\(app)"
        try await approve(client, try record(.auth))
        try await choose(selections, for: client)
    }

    func choose(_ selections: [String: [String]], for client: String) async throws {
        for (name, words) in selections {
            let made = try await command(["selection", "create", name, "--client", client] + words)
            try #require(made.status == 0, "\(made.errors)")
        }
    }

    /// Sets categories of some apps: an unknown name has none.
    func teach(_ categories: [String: String]) async throws {
        for (app, category) in categories {
            let set = try await command("catalog", "set", app, category, "--app")
            try #require(set.status == 0, "\(set.errors)")
        }
    }

    /// The person uses an app for this long, starting a moment after earlier use, since at the same instant
    /// the last change counts.
    func spend(_ duration: Duration, on app: String) async throws {
        try await clock.advance(.seconds(1))
        try await use(app, for: duration)
    }

    /// `<kind> <subject> <store>` of the present shields, sorted.
    func shielded() async throws -> [String] {
        try await call(ShieldList.self, ShieldList.Params()).shields.map { shield in
            "\(shield.kind.rawValue) \(shield.subject) \(shield.reasons.map(\.store).joined(separator: "+"))"
        }
    }

    /// A client's notifications: title and body, in order of posting.
    func said(by client: String) async throws -> [String] {
        try await call(NotificationList.self, NotificationList.Params()).notifications
            .filter { $0.client == client }.map { "\($0.title): \($0.body)" }
    }
}

extension World {
    /// How the app's extension draws a shield.
    func look(_ app: String) async throws -> ShieldLook {
        try await eventually(ShieldScreenRead.self, ShieldScreenRead.Params(kind: .app, subject: app)) {
            $0.screen.origin == .program
        }.screen.look
    }

    func press(_ app: String, _ button: ShieldButton) async throws -> ShieldResponse {
        try await call(
            ShieldPress.self, ShieldPress.Params(kind: .app, subject: app, button: button)
        ).action.response
    }
}
