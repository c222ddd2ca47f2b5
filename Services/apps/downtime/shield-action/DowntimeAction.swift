import ManagedSettings

/// The first button closes the shielded app; the second has no effect, and its label says so.
final class DowntimeAction: ShieldActionDelegate {
    override func handle(
        action: ShieldAction, for application: ApplicationToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) { completionHandler(response(to: action)) }

    override func handle(
        action: ShieldAction, for category: ActivityCategoryToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) { completionHandler(response(to: action)) }

    override func handle(
        action: ShieldAction, for webDomain: WebDomainToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) { completionHandler(response(to: action)) }

    private func response(to action: ShieldAction) -> ShieldActionResponse {
        action == .primaryButtonPressed ? .close : .none
    }
}
