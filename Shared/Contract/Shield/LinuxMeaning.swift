/// Settings of Apple's that are stored, merged and read back here, and that nothing acts on: why, a sentence
/// each. What is not named has its effect: `shield.…`, and what players can ask for (`settings.effective`).
/// The documentation of ManagedSettings and `screentime doctor` say the same.
package enum LinuxMeaning {
    /// By key.
    package static let without: [String: String] = [
        "account.lockAccounts": "accounts are the system administrator's to manage",
        "application.blockedApplications": "nothing hides apps; shield.applications keeps from using them",
        "application.blockedApplicationsByName":
            "nothing hides apps; shield.applications keeps from using them",
        "application.denyAppInstallation": "no package manager asks for it",
        "application.denyAppRemoval": "no package manager asks for it",
        "appStore.denyInAppPurchases": "no store asks for it",
        "appStore.maximumRating": "no store asks for it",
        "appStore.requirePasswordForPurchases": "no store asks for it",
        "cellular.lockAppCellularData": "no mobile data of single apps is managed",
        "cellular.lockCellularPlan": "no cellular plan is managed",
        "cellular.lockESIM": "no eSIM is managed",
        "dateAndTime.requireAutomaticDateAndTime":
            "a clock that was set by hand is not believed anyway, so nothing is won by setting it",
        "gameCenter.denyAddingFriends": "there is no Game Center",
        "gameCenter.denyMultiplayerGaming": "there is no Game Center",
        "media.denyBookstoreErotica": "no bookstore asks for it",
        "media.denyMusicService": "no music service asks for it",
        "passcode.lockPasscode": "passwords are the system administrator's to manage",
        "safari.cookiePolicy": "no browser asks for it",
        "safari.denyAutoFill": "no browser asks for it",
        "siri.denySiri": "there is no Siri",
        "webContent.blockedByFilter": "no browser asks for it; shield.webDomains keeps sites from being seen",
    ]
}
