/// Restrictions on purchases.
///
/// Stored and read back. No app store on Linux reads them.
public struct AppStoreSettings: ManagedSettingsGroup, Sendable {
    /// In-app purchases must be refused.
    public var denyInAppPurchases: Bool?
    /// False by default.
    public static let denyInAppPurchases = SettingMetadata<Bool>(defaultValue: false)

    /// The highest age rating of an app: 1000 all, 600 17+, 300 12+, 200 9+, 100 4+, 0 none (US).
    public var maximumRating: Int?
    /// 1000 by default, which allows all; bounds 0 to 1000.
    public static let maximumRating = BoundedSettingMetadata<Int>(of: "appStore.maximumRating")

    /// Each purchase must require the password.
    public var requirePasswordForPurchases: Bool?
    /// False by default.
    public static let requirePasswordForPurchases = SettingMetadata<Bool>(defaultValue: false)

    init() {}
}

extension AppStoreSettings: StoredGroup {
    mutating func settings<V: SettingVisitor>(_ visitor: inout V) {
        visitor.setting("appStore.denyInAppPurchases", &denyInAppPurchases)
        visitor.setting("appStore.maximumRating", &maximumRating)
        visitor.setting("appStore.requirePasswordForPurchases", &requirePasswordForPurchases)
    }
}

/// Restrictions on films, shows, music and books.
///
/// Stored, merged and read back (``ManagedSettingsStore/effectiveMaximumMovieRating`` and others). A media
/// player can read them to respect them; nothing enforces them.
public struct MediaSettings: ManagedSettingsGroup, Sendable {
    /// Erotica must be hidden in the bookstore.
    public var denyBookstoreErotica: Bool?
    /// False by default.
    public static let denyBookstoreErotica = SettingMetadata<Bool>(defaultValue: false)

    /// Explicit music, podcasts and videos must be hidden.
    public var denyExplicitContent: Bool?
    /// False by default.
    public static let denyExplicitContent = SettingMetadata<Bool>(defaultValue: false)

    /// Music services must be disabled.
    public var denyMusicService: Bool?
    /// False by default.
    public static let denyMusicService = SettingMetadata<Bool>(defaultValue: false)

    /// The highest film rating: 1000 all, 500 NC-17, 400 R, 300 PG-13, 200 PG, 100 G, 0 none (US).
    public var maximumMovieRating: Int?
    /// 1000 by default, which allows all; bounds 0 to 1000.
    public static let maximumMovieRating = BoundedSettingMetadata<Int>(of: "media.maximumMovieRating")

    /// The highest rating of a show: 1000 all, 600 TV-MA, 500 TV-14, 400 TV-PG, 300 TV-G, 200 TV-Y7, 100
    /// TV-Y, 0 none (US).
    public var maximumTVShowRating: Int?
    /// 1000 by default, which allows all; bounds 0 to 1000.
    public static let maximumTVShowRating = BoundedSettingMetadata<Int>(
        of: "media.maximumTVShowRating")

    init() {}
}

extension MediaSettings: StoredGroup {
    mutating func settings<V: SettingVisitor>(_ visitor: inout V) {
        visitor.setting("media.denyBookstoreErotica", &denyBookstoreErotica)
        visitor.setting("media.denyExplicitContent", &denyExplicitContent)
        visitor.setting("media.denyMusicService", &denyMusicService)
        visitor.setting("media.maximumMovieRating", &maximumMovieRating)
        visitor.setting("media.maximumTVShowRating", &maximumTVShowRating)
    }
}
