internal import Contract
public import Foundation
import Units

/// Which figures are asked for.
public struct DeviceActivityFilter: Equatable, Sendable {
    /// Into what the time is cut, and which time: widened to whole hours, days or weeks.
    public enum SegmentInterval: Hashable, Sendable {
        /// Default: today so far.
        case hourly(
            during: DateInterval = DateInterval(
                start: Calendar.current.startOfDay(for: .now), end: .now))
        case daily(during: DateInterval)
        /// Weeks begin on Monday.
        case weekly(during: DateInterval)
    }

    /// Whose.
    public struct Users: Hashable, Sendable {
        public static let children = Users(query: .children)
        public static let all = Users(query: .all)
        let query: ReportUsers
    }

    /// On which kinds of device.
    public struct Devices: Hashable, Sendable {
        public static let all = Devices([])
        let models: Set<DeviceActivityData.Device.Model>

        /// - Parameter models: none: all.
        public init(_ models: Set<DeviceActivityData.Device.Model>) { self.models = models }
    }

    public var segmentInterval: SegmentInterval
    /// Nil: the member this program is about.
    public let users: Users?
    /// Nil: all of that member's devices. (Apple's is the present device; here one sees them together.)
    public let devices: Devices?
    /// Of applications, categories and web domains the union counts; all empty: everything.
    public var applications: Set<ApplicationToken>
    public var categories: Set<ActivityCategoryToken>
    public var webDomains: Set<WebDomainToken>

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
    /// What report-service is asked.
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
    /// As devices name themselves; what nobody knows is a mac, like everything that runs Linux.
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
        // A distant date stands for the first or last one that anything can happen at.
        let limit = 9_000_000_000_000.0 * 10
        let milliseconds = min(max((timeIntervalSince1970 * 1000).rounded(rule), -limit), limit)
        return Instant(milliseconds: Int64(milliseconds))
    }
}
