internal import Contract
internal import JSON

/// Restrictions on the browser. Stored and read back. No browser on Linux reads them.
public struct SafariSettings: ManagedSettingsGroup, Sendable {
    /// Which cookies the browser may keep.
    public var cookiePolicy: CookiePolicy?
    /// `always` by default.
    public static let cookiePolicy = SettingMetadata<CookiePolicy>(defaultValue: .always)

    /// Forms must not be filled in automatically.
    public var denyAutoFill: Bool?
    /// False by default.
    public static let denyAutoFill = SettingMetadata<Bool>(defaultValue: false)

    init() {}

    /// Which cookies the browser may keep. The more restrictive policy is the smaller one.
    public enum CookiePolicy: String, Comparable, CustomStringConvertible, Sendable {
        case never
        case currentWebsite
        case visitedWebsites
        case always

        public static func < (lhs: CookiePolicy, rhs: CookiePolicy) -> Bool { lhs.rank < rhs.rank }

        /// The case name.
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
