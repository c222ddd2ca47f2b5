internal import Contract
public import Foundation

/// A threshold on the use of what it names, within each interval of its activity.
///
/// Use is time in front of the person: an app named by itself and by its category counts once, a browser and
/// the domain in it count once. Naming nothing means everything.
public struct DeviceActivityEvent: Equatable, Sendable {
    /// Names an event of an activity.
    public struct Name: RawRepresentable, Equatable, Hashable, Sendable {
        public var rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public let applications: Set<ApplicationToken>
    public let categories: Set<ActivityCategoryToken>
    public let webDomains: Set<WebDomainToken>
    /// How much use: days, hours, minutes, seconds; exact to the millisecond, no least value.
    public let threshold: Foundation.DateComponents
    /// Whether use counts from the start of the interval (to the millisecond), not from the registration.
    public let includesPastActivity: Bool
    /// Whether it names nothing, and so counts everything.
    public var includesAllActivity: Bool {
        applications.isEmpty && categories.isEmpty && webDomains.isEmpty
    }

    /// Only use after the registration counts.
    public init(
        applications: Set<ApplicationToken> = [], categories: Set<ActivityCategoryToken> = [],
        webDomains: Set<WebDomainToken> = [], threshold: Foundation.DateComponents
    ) {
        self.init(
            applications: applications, categories: categories, webDomains: webDomains,
            threshold: threshold, includesPastActivity: false)
    }

    public init(
        applications: Set<ApplicationToken> = [], categories: Set<ActivityCategoryToken> = [],
        webDomains: Set<WebDomainToken> = [], threshold: Foundation.DateComponents, includesPastActivity: Bool
    ) {
        self.applications = applications
        self.categories = categories
        self.webDomains = webDomains
        self.threshold = threshold
        self.includesPastActivity = includesPastActivity
    }
}

extension EventDefinition {
    init(_ event: DeviceActivityEvent, name: DeviceActivityEvent.Name) {
        self.init(
            name: name.rawValue, applications: event.applications.map(\.wireText).sorted(),
            categories: event.categories.map(\.wireText).sorted(),
            webDomains: event.webDomains.map(\.wireText).sorted(),
            threshold: Contract.DateComponents(event.threshold),
            includesPastActivity: event.includesPastActivity)
    }
}

extension DeviceActivityEvent {
    init(_ event: EventDefinition) {
        self.init(
            applications: Set((event.applications ?? []).compactMap { Token(wireText: $0) }),
            categories: Set((event.categories ?? []).compactMap { Token(wireText: $0) }),
            webDomains: Set((event.webDomains ?? []).compactMap { Token(wireText: $0) }),
            threshold: Foundation.DateComponents(event.threshold),
            includesPastActivity: event.includesPastActivity ?? false)
    }
}
