internal import CommandKit
internal import Contract
internal import ExtensionLink
package import FamilyControls

/// The start of every built-in app.
package enum HostApp {
    /// Sets the app's identity. Call it first.
    /// - Parameter client: its bundle id, for example `org.screentime.downtime`.
    package static func identify(_ client: String) { HostApplication.identify(client) }

    /// Requests authorization unless it is approved already. While it waits, the terminal shows for what.
    /// - Parameter name: name of the app's command.
    /// - Throws: `FamilyControlsError` if the person or the system refuses.
    package static func authorize(_ name: String) async throws {
        guard AuthorizationCenter.shared.authorizationStatus != .approved else { return }
        AppProgram.note(
            name,
            "Waiting for your permission: answer the notification, or see `screentime authorization list` and "
                + "run `screentime authorization approve` with the question's ID.")
        try await AuthorizationCenter.shared.requestAuthorization(for: .individual)
    }

    /// Whether the selection of this name is still as an app took it: neither changed nor removed.
    package static func isCurrent(_ name: String, _ taken: FamilyActivitySelection) throws -> Bool {
        try FamilyActivitySelection.saved(named: name) == taken
    }

    /// A selection that was made with `screentime selection create NAME --client …`.
    /// - Throws: `CommandError` if there is none with this name, or it is empty.
    package static func selection(_ name: String, of client: String) throws -> FamilyActivitySelection {
        let found = try FamilyActivitySelection.saved(named: name)
        guard let found else {
            throw CommandError(
                "there is no selection '\(name)'",
                remedy: "Make it with `screentime selection create \(VisibleText.shellWord(name)) --client "
                    + "\(VisibleText.shellWord(client)) --app …`.")
        }
        guard
            !found.applicationTokens.isEmpty || !found.categoryTokens.isEmpty
                || !found.webDomainTokens.isEmpty
        else {
            throw CommandError(
                "the selection '\(name)' is empty",
                remedy: "Fill it with `screentime selection edit \(VisibleText.shellWord(name))`.")
        }
        return found
    }
}
