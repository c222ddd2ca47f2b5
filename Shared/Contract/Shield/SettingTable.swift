package import JSON

/// What the value of a managed setting is. Its names are those of Apple's ManagedSettings.
package indirect enum SettingShape: Equatable, Sendable {
    /// `true` or `false`. Where several stores set it, one `true` is enough.
    case flag
    /// A whole number within bounds; of several the least holds. `unset`: where no store sets it.
    case rating(ClosedRange<Int64>, unset: Int64)
    /// One of these, the most restrictive first.
    case word([String])
    /// A list of such names, none empty. The lists of several stores unite.
    case names(FieldMark.Subject)
    /// A list of names that a program gave by itself, as Apple's `Application(bundleIdentifier:)`: it gets
    /// them back as it gave them.
    case ownNames
    /// An object whose `policy` is one of these words, with such lists beside it; `specific` needs the list
    /// that is `needed`. Policies of several stores do not become one.
    case policy([String], needed: String, lists: [String: SettingShape])
}

extension SettingShape {
    /// False: its value tells nothing of what anybody has or uses.
    package var namesSubjects: Bool {
        switch self {
        case .flag, .rating, .word: false
        case .names, .ownNames, .policy: true
        }
    }
}

/// What comes of a managed setting on Linux.
package enum SettingEffect: Equatable, Sendable {
    /// shield-service reads it: it shields, or keeps from being shielded.
    case shields
    /// It is merged over all stores, and whoever wants to respect it asks (`settings.effective`).
    case asked
    /// It is stored, merged and read back, and nothing acts on it; why.
    case none(String)
}

/// One managed setting.
package struct ManagedSetting: Sendable {
    /// Apple's dotted name.
    package let key: String
    package let shape: SettingShape
    package let effect: SettingEffect

    /// Why nothing comes of it; nil: something does.
    package var whyWithoutEffect: String? {
        if case .none(let why) = effect { why } else { nil }
    }
}

/// All managed settings that are known. A setting that is not here is kept as it comes, and neither reaches a
/// program that is no part of the system nor is taken from one: nobody knows what it names.
///
/// The frameworks, shield-service, the translation of tokens, `screentime doctor` and the documents read it.
package enum SettingTable {
    package static let all: [ManagedSetting] = [
        row("account.lockAccounts", .flag, .none("accounts are the system administrator's to manage")),
        row(
            "application.blockedApplications", .names(.app),
            .none("nothing hides apps; shield.applications keeps from using them")),
        row(
            "application.blockedApplicationsByName", .ownNames,
            .none("nothing hides apps; shield.applications keeps from using them")),
        row("application.denyAppInstallation", .flag, .none("no package manager asks for it")),
        row("application.denyAppRemoval", .flag, .none("no package manager asks for it")),
        row("appStore.denyInAppPurchases", .flag, .none("no store asks for it")),
        row("appStore.maximumRating", .rating(0...2000, unset: 1000), .none("no store asks for it")),
        row("appStore.requirePasswordForPurchases", .flag, .none("no store asks for it")),
        row("cellular.lockAppCellularData", .flag, .none("no mobile data of single apps is managed")),
        row("cellular.lockCellularPlan", .flag, .none("no cellular plan is managed")),
        row("cellular.lockESIM", .flag, .none("no eSIM is managed")),
        row(
            "dateAndTime.requireAutomaticDateAndTime", .flag,
            .none("a clock that was set by hand is not believed anyway, so nothing is won by setting it")),
        row("gameCenter.denyAddingFriends", .flag, .none("there is no Game Center")),
        row("gameCenter.denyMultiplayerGaming", .flag, .none("there is no Game Center")),
        row("media.denyBookstoreErotica", .flag, .none("no bookstore asks for it")),
        row("media.denyExplicitContent", .flag, .asked),
        row("media.denyMusicService", .flag, .none("no music service asks for it")),
        row("media.maximumMovieRating", .rating(0...1000, unset: 1000), .asked),
        row("media.maximumTVShowRating", .rating(0...1000, unset: 1000), .asked),
        row("passcode.lockPasscode", .flag, .none("passwords are the system administrator's to manage")),
        row(
            "safari.cookiePolicy", .word(["never", "currentWebsite", "visitedWebsites", "always"]),
            .none("no browser asks for it")),
        row("safari.denyAutoFill", .flag, .none("no browser asks for it")),
        row("shield.applications", .names(.app), .shields),
        row("shield.applicationCategories", categoryPolicy(of: .app), .shields),
        row("shield.webDomains", .names(.domain), .shields),
        row("shield.webDomainCategories", categoryPolicy(of: .domain), .shields),
        row("siri.denySiri", .flag, .none("there is no Siri")),
        row(
            "webContent.blockedByFilter",
            .policy(
                ["none", "specific", "auto", "all"], needed: "domains",
                lists: [
                    "domains": .names(.domain), "except": .names(.domain), "domainsByName": .ownNames,
                    "exceptByName": .ownNames,
                ]),
            .none("no browser asks for it; shield.webDomains keeps sites from being seen")),
        row(AllowedSettings.applications, .names(.app), .shields),
        row(AllowedSettings.webDomains, .names(.domain), .shields),
        row(AllowedSettings.categories, .names(.category), .shields),
    ]

    private static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })

    /// Nil: it is not known.
    package static subscript(key: String) -> ManagedSetting? { byKey[key] }

    private static func row(_ key: String, _ shape: SettingShape, _ effect: SettingEffect) -> ManagedSetting {
        ManagedSetting(key: key, shape: shape, effect: effect)
    }

    private static func categoryPolicy(of subjects: FieldMark.Subject) -> SettingShape {
        .policy(
            ["none", "specific", "all"], needed: "categories",
            lists: ["categories": .names(.category), "except": .names(subjects)])
    }
}
