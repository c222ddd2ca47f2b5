internal import Contract
internal import JSON

/// What the browser may do. Stored and read back; no browser here asks for it.
public struct SafariSettings: ManagedSettingsGroup, Sendable {
    /// Which cookies are kept.
    public var cookiePolicy: CookiePolicy?
    public static let cookiePolicy = SettingMetadata<CookiePolicy>(defaultValue: .always)

    public var denyAutoFill: Bool?
    public static let denyAutoFill = SettingMetadata<Bool>(defaultValue: false)

    init() {}

    /// Which cookies are kept; what restricts more is less.
    public enum CookiePolicy: String, Comparable, CustomStringConvertible, Sendable {
        case never
        case currentWebsite
        case visitedWebsites
        case always

        public static func < (lhs: CookiePolicy, rhs: CookiePolicy) -> Bool { lhs.rank < rhs.rank }

        /// The case's name.
        public var description: String { rawValue }

        private var rank: Int {
            switch self {
            case .never: 0
            case .currentWebsite: 1
            case .visitedWebsites: 2
            case .always: 3
            }
        }
    }
}

extension SafariSettings: StoredGroup {
    mutating func settings<V: SettingVisitor>(_ visitor: inout V) {
        visitor.setting("safari.cookiePolicy", &cookiePolicy)
        visitor.setting("safari.denyAutoFill", &denyAutoFill)
    }
}

extension SafariSettings.CookiePolicy: SettingValue {
    var json: JSONValue { .string(rawValue) }
    init?(json: JSONValue) {
        guard let text = json.stringValue, let policy = Self(rawValue: text) else { return nil }
        self = policy
    }
}
