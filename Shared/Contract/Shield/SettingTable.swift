package import JSON

/// The type of a managed setting's value. Names are those of Apple's ManagedSettings.
package indirect enum SettingShape: Equatable, Sendable {
    /// `true` or `false`. The merged value is `true` if any store sets `true`.
    case flag
    /// A whole number within bounds. The merged value is the smallest; `unset` is the value if no store sets
    /// it.
    case rating(ClosedRange<Int64>, unset: Int64)
    /// One of these words, the most restrictive first. The merged value is the first one that is set.
    case word([String])
    /// A list of names of such subjects, none empty. The merged value is the union.
    case names(FieldMark.Subject)
    /// A list of names that a program supplied, as in Apple's `Application(bundleIdentifier:)`. They are
    /// returned to it unchanged, without tokens.
    case ownNames
    /// An object whose `policy` is one of these words, with these lists beside it; `specific` requires the
    /// list `needed`. Policies of several stores are not merged: each applies.
    case policy([String], needed: String, lists: [String: SettingShape])
}

extension SettingShape {
    /// Whether values can contain names of apps, categories or domains.
    package var namesSubjects: Bool {
        switch self {
        case .flag, .rating, .word: false
        case .names, .ownNames, .policy: true
        }
    }
}

/// What a managed setting does on Linux.
package enum SettingEffect: Equatable, Sendable {
    /// shield-service evaluates it: it shields something, or exempts something from shields.
    case shields
    /// It has no effect by itself. Programs that respect it read the merged value (`settings.effective`).
    case asked
    /// It is stored, merged and read back without any effect. The value is the reason, as half a sentence.
    case none(String)
    /// The same; it needs guardian mode, in which a process of root acts for a guardian. The value says why.
    case guardian(String)
}

/// What a managed setting does on this machine, in one word.
package enum SettingEnforcement: String, NameEnum {
    /// The system acts on it.
    case enforced
    /// The system stores it; programs that respect it read it (`settings.effective`).
    case asked
    /// It is stored and has no effect.
    case storedOnly
    /// It is stored and has no effect until guardian mode is there.
    case needsGuardian
}

extension SettingEffect {
    /// The same in one word.
    package var enforcement: SettingEnforcement {
        switch self {
        case .shields: .enforced
        case .asked: .asked
        case .none: .storedOnly
        case .guardian: .needsGuardian
        }
    }
}

/// One managed setting.
package struct ManagedSetting: Sendable {
    /// Apple's dotted name: `media.maximumMovieRating`.
    package let key: String
    /// The type of its value and how values of several stores merge.
    package let shape: SettingShape
    /// What it does on Linux.
    package let effect: SettingEffect

    /// The reason why it has no effect; nil if it has one.
    package var whyWithoutEffect: String? {
        switch effect {
        case .none(let why): why
        case .guardian(let why): "it needs guardian mode: \(why)"
        case .shields, .asked: nil
        }
    }
}

/// All known managed settings. A setting that is not listed is stored unchanged, but is neither sent to nor
/// accepted from extension programs and apps, because nobody knows which names it contains.
///
/// The frameworks, shield-service, token translation, `screentime doctor` and the documents read this table.
package enum SettingTable {
    /// The rows of the table, grouped by Apple's classes of settings.
    package static let all: [ManagedSetting] = [
        row("account.lockAccounts", .flag, .guardian("accounts are the system administrator's to manage")),
        row("application.blockedApplications", .names(.app), .shields),
        row(
            "application.blockedApplicationsByName", .ownNames,
            .none("the effect of a name would tell a program which token means which app")),
        row("application.denyAppInstallation", .flag, .guardian("packages are installed by root")),
        row("application.denyAppRemoval", .flag, .guardian("packages are removed by root")),
        row("appStore.denyInAppPurchases", .flag, .none("no store asks for it")),
        row("appStore.maximumRating", .rating(0...2000, unset: 1000), .none("no store asks for it")),
        row("appStore.requirePasswordForPurchases", .flag, .none("no store asks for it")),
        row("cellular.lockAppCellularData", .flag, .none("no mobile data of single apps is managed")),
        row("cellular.lockCellularPlan", .flag, .none("no cellular plan is managed")),
        row("cellular.lockESIM", .flag, .none("no eSIM is managed")),
        row(
            "dateAndTime.requireAutomaticDateAndTime", .flag,
            .guardian("a clock that was set by hand is not believed, but only root can lock it")),
        row("gameCenter.denyAddingFriends", .flag, .none("there is no Game Center")),
        row("gameCenter.denyMultiplayerGaming", .flag, .none("there is no Game Center")),
        row("media.denyBookstoreErotica", .flag, .none("no bookstore asks for it")),
        row("media.denyExplicitContent", .flag, .asked),
        row("media.denyMusicService", .flag, .none("no music service asks for it")),
        row("media.maximumMovieRating", .rating(0...1000, unset: 1000), .asked),
        row("media.maximumTVShowRating", .rating(0...1000, unset: 1000), .asked),
        row("passcode.lockPasscode", .flag, .guardian("passwords are the system administrator's to manage")),
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

    /// The setting of this key, or nil if it is not listed.
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
