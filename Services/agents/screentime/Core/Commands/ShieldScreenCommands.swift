import Bus
import CommandKit
import Contract
import Loop

extension Screentime {
    static let shieldShowCommand = Command(
        "shield show", ["SUBJECT"],
        options: [
            .member, Option("--html", "FILE", "Write what stands before it as a page.", values: .file),
            Option("--domain", nil, "SUBJECT is a domain; default: as the catalogue knows it."), .json,
        ],
        summary: "Show the shield of an app or a domain, as its app configured it."
    ) { invocation in
        let session = try invocation.session()
        let (kind, subject) = try await target(invocation, session)
        let member = try await session.memberID(invocation.value("--member"))
        let screen = try await session.call(
            ShieldScreenRead.self,
            ShieldScreenRead.Params(member: member, kind: kind, subject: subject),
            options: await drawing(session)
        ).screen
        if let path = invocation.value("--html") {
            let output = try ExportOutput(path)
            try output.write(ShieldPage(screen).html)
            try output.finish()
        }
        if invocation.has("--json") { Console.print(screen.encoded()) } else { print(screen) }
        return ExitCode.ok
    }

    static let shieldPressCommand = Command(
        "shield press", ["SUBJECT", Argument("BUTTON", values: .suggestions(of: ShieldButton.self))],
        options: [
            .member, Option("--domain", nil, "SUBJECT is a domain; default: as the catalogue knows it."),
            .json,
        ],
        summary: "Press a button of a shield: primary, secondary, submenu1, submenu2 or submenu3.",
        details: "Prints what the app that shields answers: none, close, defer or openParentalControlsApp."
    ) { invocation in
        guard let button = ShieldButton(rawValue: invocation.arguments[1]) else {
            let known = ShieldButton.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandError(
                ExitCode.usage, "there is no button '\(invocation.arguments[1])'", remedy: "Use \(known).")
        }
        let session = try invocation.session()
        let (kind, subject) = try await target(invocation, session)
        let member = try await session.memberID(invocation.value("--member"))
        let action = try await session.call(
            ShieldPress.self,
            ShieldPress.Params(member: member, kind: kind, subject: subject, button: button),
            options: await drawing(session)
        ).action
        if invocation.has("--json") {
            Console.print(action.encoded())
        } else {
            Console.print(action.response.rawValue)
            if let explanation = action.explanation { Console.note(explanation) }
        }
        return ExitCode.ok
    }

    /// An extension that was just installed draws, or answers.
    @LoopActor private static func drawing(_ session: Session) async -> CallOptions {
        CallOptions(deadline: 15_000, notBefore: await session.positions(of: .monitor))
    }

    /// What a person typed, as it is shielded by its own name; else as the catalogue has it; without
    /// activity-center an app.
    @LoopActor private static func target(
        _ invocation: Invocation, _ session: Session
    ) async throws -> (SubjectKind, String) {
        let typed = invocation.arguments[0]
        if invocation.has("--domain") { return (.domain, typed) }
        let member = try await session.memberID(invocation.value("--member"))
        if let shielded = try await session.shielded(as: typed, of: member) { return shielded }
        guard session.somebodyListens(at: .activity) else { return (.app, typed) }
        let item = try await session.call(CatalogResolve.self, CatalogTarget(target: typed))
        return (item.kind == .domain ? .domain : .app, item.subject)
    }

    private static func print(_ screen: ShieldScreen) {
        let look = screen.look
        var lines = ["[\(screen.name)]"]
        if let icon = look.icon {
            lines.append("icon: \(icon.systemName ?? (icon.png != nil ? "a picture" : "a drawing"))")
        }
        if let title = look.title { lines.append("title: \(title.text)") }
        if let subtitle = look.subtitle { lines.append("subtitle: \(subtitle.text)") }
        if let button = look.primaryButtonLabel { lines.append("primary button: \(button.text)") }
        if let button = look.secondaryButtonLabel { lines.append("secondary button: \(button.text)") }
        for (number, item) in (look.secondaryButtonSubmenuItems ?? []).enumerated() {
            lines.append("  submenu\(number + 1): \(item)")
        }
        lines.append("drawn for \(screen.client) (\(screen.origin.rawValue))")
        for line in lines { Console.print(line) }
        if let explanation = screen.explanation { Console.note(explanation) }
    }
}
