import Contract
import Loop

extension VirtualHousehold {
    /// What a shield shows.
    public struct Shield: Sendable, Equatable {
        public var title: String?
        public var subtitle: String?
        public var primaryButton: String?
        public var secondaryButton: String?
        /// Whether the extension returned it now. If not, it is an earlier look or the default, with the
        /// reason.
        public var isOfExtension: Bool
        public var explanation: String?
    }

    /// The shield of a shielded app, as its shield-configuration extension describes it now. Waits until the
    /// extension's limit; a desktop shows the default look meanwhile.
    @LoopActor public func shield(of app: String) async throws -> Shield {
        let params = ShieldScreenRead.Params(kind: .app, subject: app)
        var result = try await world.call(ShieldScreenRead.self, params)
        // Each answer arrives after one second, or with the extension's answer.
        while result.pending == true { result = try await world.call(ShieldScreenRead.self, params) }
        let screen = result.screen
        return Shield(
            title: screen.look.title?.text, subtitle: screen.look.subtitle?.text,
            primaryButton: screen.look.primaryButtonLabel?.text,
            secondaryButton: screen.look.secondaryButtonLabel?.text,
            isOfExtension: screen.origin == .program, explanation: screen.explanation)
    }

    /// A button of an app's shield.
    public enum Button: Sendable { case primary, secondary }

    /// Presses a button of an app's shield, as the person would.
    /// - Returns: the `ShieldActionResponse`: `close`, `defer` or `none`.
    @discardableResult @LoopActor
    public func press(_ button: Button, onTheShieldOf app: String) async throws -> String {
        let params = ShieldPress.Params(
            kind: .app, subject: app, button: button == .primary ? .primary : .secondary)
        return try await world.call(ShieldPress.self, params).action.response.rawValue
    }

    /// The report extension's view of the household's use since the clock's start, as a page and as text.
    @LoopActor public func report(_ context: String) async throws -> (html: String, text: String) {
        let drawn = try await world.call(
            ReportRender.self,
            ReportRender.Params(client: client, context: context, filter: ReportQuery.Params()))
        return (drawn.html, drawn.text)
    }
}
