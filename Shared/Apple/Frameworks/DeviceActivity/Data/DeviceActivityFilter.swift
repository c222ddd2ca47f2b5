internal import Contract
public import Foundation
import Units

/// Selects usage data.
public struct DeviceActivityFilter: Equatable, Sendable {
    /// The time range and the segment length. The range is widened to whole hours, days or weeks.
    public enum SegmentInterval: Hashable, Sendable {
        /// By default from the start of today until now.
        case hourly(
            during: DateInterval = DateInterval(
                start: Calendar.current.startOfDay(for: .now), end: .now))
        case daily(during: DateInterval)
        /// Weeks begin on Monday.
        case weekly(during: DateInterval)
    }

    /// Whose activity is included.
    public struct Users: Hashable, Sendable {
        /// All members that are registered as children.
        public static let children = Users(query: .children)
        /// All members that the client may report on.
        public static let all = Users(query: .all)
        let query: ReportUsers
    }

    /// The kinds of device that are included.
    public struct Devices: Hashable, Sendable {
        /// Devices of every kind.
        public static let all = Devices([])
        let models: Set<DeviceActivityData.Device.Model>

        /// - Parameter models: if empty, all kinds.
        public init(_ models: Set<DeviceActivityData.Device.Model>) { self.models = models }
    }

    /// The time range and the segment length.
    public var segmentInterval: SegmentInterval
    /// If nil, the member that this program is about.
    public let users: Users?
    /// If nil, all devices of that member. (Apple's default is the current device.)
    public let devices: Devices?
    /// A union of applications, categories and web domains. If all three are empty, everything is included.
    public var applications: Set<ApplicationToken>
    /// Categories whose apps and domains are included; part of the union described at ``applications``.
    public var categories: Set<ActivityCategoryToken>
    /// Domains that are included; part of the union described at ``applications``.
    public var webDomains: Set<WebDomainToken>

    /// A filter for several members. By default today so far, by the hour, of everything.
    public init(
        segment segmentInterval: SegmentInterval = .hourly(), users: Users, devices: Devices,
        applications: Set<ApplicationToken> = [], categories: Set<ActivityCategoryToken> = [],
        webDomains: Set<WebDomainToken> = []
    ) {
        self.segmentInterval = segmentInterval
        self.users = users
        self.devices = devices
        self.applications = applications
        self.categories = categories
        self.webDomains = webDomains
    }

    /// A filter for the current member. By default today so far, by the hour, of everything on all devices.
    public init(
        segment segmentInterval: SegmentInterval = .hourly(), devices: Devices? = nil,
        applications: Set<ApplicationToken> = [], categories: Set<ActivityCategoryToken> = [],
        webDomains: Set<WebDomainToken> = []
    ) {
        self.segmentInterval = segmentInterval
        users = nil
        self.devices = devices
        self.applications = applications
        self.categories = categories
        self.webDomains = webDomains
    }
}

extension DeviceActivityFilter {
    /// The query for report-service.
    var query: ReportQuery.Params {
        func wire<T>(_ tokens: Set<Token<T>>) -> [String]? {
            tokens.isEmpty ? nil : tokens.map(\.wireText).sorted()
        }
        let models = devices?.models ?? []
        return ReportQuery.Params(
            during: segmentInterval.during.contract, member: users == nil ? ProgramMember.current : nil,
            users: users?.query, models: models.isEmpty ? nil : models.flatMap(\.contract).sorted(),
            applications: wire(applications), categories: wire(categories), webDomains: wire(webDomains),
            segment: segmentInterval.contract, shape: .activity)
    }
}

extension DeviceActivityFilter.SegmentInterval {
    init(_ segment: ReportSegment, during: DateInterval) {
        switch segment {
        case .hourly: self = .hourly(during: during)
        case .daily: self = .daily(during: during)
        case .weekly: self = .weekly(during: during)
        }
    }

    var contract: ReportSegment {
        switch self {
        case .hourly: .hourly
        case .daily: .daily
        case .weekly: .weekly
        }
    }

    var during: DateInterval {
        switch self {
        case .hourly(let during), .daily(let during), .weekly(let during): during
        }
    }
}

extension DeviceActivityData.Device.Model {
    /// Matches the model name that a device reports. Unknown names become `mac`, like every Linux machine.
    init(contract: String) {
        let name = contract.lowercased()
        if name.hasPrefix("iphone") || name.hasPrefix("android") || name.contains("phone") {
            self = .iPhone
        } else if name.hasPrefix("ipad") || name.contains("tablet") {
            self = .iPad
        } else if name.hasPrefix("ipod") {
            self = .iPod
        } else {
            self = .mac
        }
    }

    fileprivate var contract: [String] {
        switch self {
        case .iPhone: ["iphone", "iPhone", "android", "phone"]
        case .iPad: ["ipad", "iPad", "tablet"]
        case .iPod: ["ipod", "iPod"]
        case .mac: ["mac"]
        }
    }
}

extension DateInterval {
    init(_ interval: Interval) {
        self.init(start: Date(interval.start), end: Date(interval.end))
    }

    fileprivate var contract: Interval {
        Interval(start: start.instant(.down), end: end.instant(.up))
    }
}

extension Date {
    fileprivate func instant(_ rule: FloatingPointRoundingRule) -> Instant {
        // Clamps distant dates to the range that an Instant can hold.
        let limit = 9_000_000_000_000.0 * 10
        let milliseconds = min(max((timeIntervalSince1970 * 1000).rounded(rule), -limit), limit)
        return Instant(milliseconds: Int64(milliseconds))
    }
}
