package import JSON

/// What the value of a managed setting names. A setting that is not listed does not reach a program that is
/// no part of the system, and is not taken from it.
package indirect enum SettingContent: Equatable, Sendable {
    /// Numbers, flags and words of a fixed list.
    case fixed
    case names(FieldMark.Subject)
    /// Names that the program gave by itself, as Apple's `Application(bundleIdentifier:)`: it gets them back
    /// as it gave them.
    case ownNames
    /// An object with these members.
    case members([String: SettingContent])

    package static let known: [String: SettingContent] = {
        let fixed = [
            "account.lockAccounts", "application.denyAppInstallation", "application.denyAppRemoval",
            "appStore.denyInAppPurchases", "appStore.maximumRating",
            "appStore.requirePasswordForPurchases", "cellular.lockAppCellularData",
            "cellular.lockCellularPlan", "cellular.lockESIM", "dateAndTime.requireAutomaticDateAndTime",
            "gameCenter.denyAddingFriends", "gameCenter.denyMultiplayerGaming", "media.denyBookstoreErotica",
            "media.denyExplicitContent", "media.denyMusicService", "media.maximumMovieRating",
            "media.maximumTVShowRating", "passcode.lockPasscode", "safari.cookiePolicy",
            "safari.denyAutoFill", "siri.denySiri",
        ]
        var known: [String: SettingContent] = [
            "shield.applications": .names(.app), "shield.webDomains": .names(.domain),
            "shield.applicationCategories": policy([
                "categories": .names(.category), "except": .names(.app),
            ]),
            "shield.webDomainCategories": policy([
                "categories": .names(.category), "except": .names(.domain),
            ]),
            "webContent.blockedByFilter": policy([
                "domains": .names(.domain), "except": .names(.domain), "domainsByName": .ownNames,
                "exceptByName": .ownNames,
            ]),
            "application.blockedApplications": .names(.app),
            "application.blockedApplicationsByName": .ownNames,
            AllowedSettings.applications: .names(.app), AllowedSettings.webDomains: .names(.domain),
            AllowedSettings.categories: .names(.category),
        ]
        for key in fixed { known[key] = .fixed }
        return known
    }()

    private static func policy(_ lists: [String: SettingContent]) -> SettingContent {
        .members(lists.merging(["policy": .fixed]) { $1 })
    }
}
