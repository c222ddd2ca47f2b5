import Contract
import JSON

/// What a known setting holds. The names, defaults and bounds are those of Apple's ManagedSettings; a setting
/// that is not in the list is kept as it comes.
enum SettingShape {
    case flag
    /// Whole number within bounds.
    case rating(ClosedRange<Int64>)
    /// List of app ids or domains, none empty.
    case names
    /// `{"policy":"none|specific|all","categories":[…],"except":[…]}`
    case categoryPolicy
    /// `{"policy":"none|specific|auto|all","domains":[…],"except":[…]}`
    case filterPolicy
    case cookiePolicy

    /// The most restrictive first.
    static let cookiePolicies = ["never", "currentWebsite", "visitedWebsites", "always"]

    static let known: [String: SettingShape] = {
        let flags = [
            "account.lockAccounts", "application.denyAppInstallation", "application.denyAppRemoval",
            "appStore.denyInAppPurchases", "appStore.requirePasswordForPurchases",
            "cellular.lockAppCellularData",
            "cellular.lockCellularPlan", "cellular.lockESIM", "dateAndTime.requireAutomaticDateAndTime",
            "gameCenter.denyAddingFriends", "gameCenter.denyMultiplayerGaming", "media.denyBookstoreErotica",
            "media.denyExplicitContent", "media.denyMusicService", "passcode.lockPasscode",
            "safari.denyAutoFill",
            "siri.denySiri",
        ]
        var shapes: [String: SettingShape] = [
            "appStore.maximumRating": .rating(0...2000), "media.maximumMovieRating": .rating(0...1000),
            "media.maximumTVShowRating": .rating(0...1000), "application.blockedApplications": .names,
            "application.blockedApplicationsByName": .names,
            "shield.applications": .names, "shield.webDomains": .names,
            "shield.applicationCategories": .categoryPolicy, "shield.webDomainCategories": .categoryPolicy,
            AllowedSettings.applications: .names, AllowedSettings.webDomains: .names,
            AllowedSettings.categories: .names,
            "webContent.blockedByFilter": .filterPolicy, "safari.cookiePolicy": .cookiePolicy,
        ]
        for flag in flags { shapes[flag] = .flag }
        return shapes
    }()

    /// - Throws: `invalidParams` that names the key and says what it holds.
    func check(_ value: JSONValue, _ key: String) throws(ServiceError) {
        switch self {
        case .flag:
            guard value.boolValue != nil else { throw Self.wrong(key, "true or false") }
        case .rating(let bounds):
            guard let number = value.integerValue, bounds.contains(number) else {
                throw Self.wrong(key, "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
            }
        case .names: try Self.checkNames(value, key)
        case .categoryPolicy:
            try Self.checkPolicy(value, key, ["none", "specific", "all"], names: "categories")
        case .filterPolicy:
            try Self.checkPolicy(value, key, ["none", "specific", "auto", "all"], names: "domains")
        case .cookiePolicy:
            guard let policy = value.stringValue, Self.cookiePolicies.contains(policy) else {
                throw Self.wrong(key, "one of \(Self.cookiePolicies.joined(separator: ", "))")
            }
        }
    }

    private static func checkPolicy(
        _ value: JSONValue, _ key: String, _ policies: [String], names: String
    ) throws(ServiceError) {
        guard let policy = value["policy"]?.stringValue, policies.contains(policy) else {
            throw wrong(key, "an object whose policy is \(policies.joined(separator: ", "))")
        }
        if let list = value[names] {
            try checkNames(list, key + "." + names)
        } else if policy == "specific" {
            throw wrong(key, "an object with a list of \(names) when its policy is specific")
        }
        if let exceptions = value["except"] { try checkNames(exceptions, key + ".except") }
    }

    private static func checkNames(_ value: JSONValue, _ key: String) throws(ServiceError) {
        guard let names = value.arrayValue else { throw wrong(key, "a list of names") }
        for name in names {
            guard let text = name.stringValue, VisibleText.isName(text) else {
                throw wrong(key, "a list of names of 1 to \(Limits.nameBytesMax) bytes of visible text")
            }
        }
    }

    /// The value in the spelling in which two that mean the same are equal: names sorted, each once.
    func normalised(_ value: JSONValue) -> JSONValue {
        switch self {
        case .flag, .rating, .cookiePolicy: return value
        case .names: return Self.sorted(value)
        case .categoryPolicy, .filterPolicy:
            guard let members = value.objectValue else { return value }
            return .object(members.map { (key: $0.key, value: Self.sorted($0.value)) })
        }
    }

    /// The longest list in it.
    func longestList(of value: JSONValue) -> Int {
        let lists = [value] + (value.objectValue ?? []).map(\.value)
        return lists.map { $0.arrayValue?.count ?? 0 }.max() ?? 0
    }

    private static func sorted(_ value: JSONValue) -> JSONValue {
        guard let names = value.arrayValue else { return value }
        return .array(Set(names.compactMap(\.stringValue)).sorted().map { .string($0) })
    }

    private static func wrong(_ key: String, _ expected: String) -> ServiceError {
        ServiceError(
            .invalidParams, "the setting '\(key)' is not \(expected)",
            remedy: "Write it so, or null to clear it; nothing of this request was kept.")
    }
}

extension Setting {
    /// - Throws: `invalidParams`.
    func check() throws(ServiceError) {
        let parts = key.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts.allSatisfy({ !$0.isEmpty }), key.utf8.count <= Limits.nameBytesMax
        else {
            throw ServiceError(
                .invalidParams, "a setting's key is not a dotted name of up to \(Limits.nameBytesMax) bytes",
                remedy: "Use Apple's names, for example shield.applications.")
        }
        if !value.isNull { try SettingShape.known[key]?.check(value, key) }
    }

    var normalised: Setting {
        Setting(key: key, value: SettingShape.known[key]?.normalised(value) ?? value)
    }

    /// - Parameter most: names that one list may have.
    /// - Throws: `limitExceeded`.
    func checkCount(most: Int64) throws(ServiceError) {
        guard let count = SettingShape.known[key]?.longestList(of: value), count > most else { return }
        throw ServiceError(
            .limitExceeded, "the setting '\(key)' has a list of \(count) names; tokensMax is \(most)",
            remedy: "Name fewer, or categories; nothing of this request was kept.")
    }
}
