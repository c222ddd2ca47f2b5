internal import CommandKit
internal import Contract
internal import ExtensionLink
package import FamilyControls

/// What each built-in app begins with.
package enum HostApp {
    /// Says which app this program is; before anything else.
    /// - Parameter client: its bundle id, for example `org.screentime.downtime`.
    package static func identify(_ client: String) { HostApplication.identify(client) }

    /// Requests authorization unless it is approved already, and prints what it waits for on the terminal.
    /// - Parameter name: of the app's command.
    /// - Throws: `FamilyControlsError` as they, or the system, refuse.
    package static func authorize(_ name: String) async throws {
        guard AuthorizationCenter.shared.authorizationStatus != .approved else { return }
        AppProgram.note(
            name,
            "Waiting for your permission: answer the notification, or see `screentime authorization list` and "
                + "run `screentime authorization approve` with the question's ID.")
        try await AuthorizationCenter.shared.requestAuthorization(for: .individual)
    }

    /// The selection that `screentime selection create NAME --client …` made.
    /// - Throws: `CommandError` when there is none of this name, or it is empty.
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
