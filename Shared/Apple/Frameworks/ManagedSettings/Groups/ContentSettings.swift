/// What may be bought.
///
/// Stored and read back; no store here asks for it.
public struct AppStoreSettings: ManagedSettingsGroup, Sendable {
    /// No purchases inside of apps.
    public var denyInAppPurchases: Bool?
    public static let denyInAppPurchases = SettingMetadata<Bool>(defaultValue: false)

    /// The highest age rating an app may have: 1000 all, 600 17+, 300 12+, 200 9+, 100 4+, 0 none (US).
    public var maximumRating: Int?
    public static let maximumRating = BoundedSettingMetadata<Int>(of: "appStore.maximumRating")

    /// Each purchase asks for the password.
    public var requirePasswordForPurchases: Bool?
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

/// What may be watched, heard and read.
///
/// Stored, merged and read back (``ManagedSettingsStore/effectiveMaximumMovieRating`` …); a player that wants
/// to respect it can ask for it.
public struct MediaSettings: ManagedSettingsGroup, Sendable {
    /// No erotica in the bookstore.
    public var denyBookstoreErotica: Bool?
    public static let denyBookstoreErotica = SettingMetadata<Bool>(defaultValue: false)

    /// No explicit music, podcasts and videos.
    public var denyExplicitContent: Bool?
    public static let denyExplicitContent = SettingMetadata<Bool>(defaultValue: false)

    /// No music service.
    public var denyMusicService: Bool?
    public static let denyMusicService = SettingMetadata<Bool>(defaultValue: false)

    /// 1000 all, 500 NC-17, 400 R, 300 PG-13, 200 PG, 100 G, 0 none (US).
    public var maximumMovieRating: Int?
    public static let maximumMovieRating = BoundedSettingMetadata<Int>(of: "media.maximumMovieRating")

    /// 1000 all, 600 TV-MA, 500 TV-14, 400 TV-PG, 300 TV-G, 200 TV-Y7, 100 TV-Y, 0 none (US).
    public var maximumTVShowRating: Int?
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
