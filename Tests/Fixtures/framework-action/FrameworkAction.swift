import ManagedSettings

/// Written as for iOS.
class FrameworkAction: ShieldActionDelegate {
    override func handle(
        action: ShieldAction, for application: ApplicationToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        switch action {
        case .primaryButtonPressed: completionHandler(.close)
        case .secondaryButtonPressed:
            // Later, from another thread, and twice: the first counts.
            DispatchQueue.global().async {
                completionHandler(.defer)
                completionHandler(.close)
            }
        case .firstSecondarySubmenuItemPressed: break  // Never answers.
        default: completionHandler(.openParentalControlsApp)
        }
    }

    override func handle(
        action: ShieldAction, for webDomain: WebDomainToken,
        completionHandler: @escaping (ShieldActionResponse) -> Void
    ) {
        completionHandler(.openParentalControlsApp)
    }
}
