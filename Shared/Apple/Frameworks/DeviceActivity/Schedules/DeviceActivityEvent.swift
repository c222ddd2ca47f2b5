internal import Contract
public import Foundation

/// A usage threshold within each interval of its activity.
///
/// Usage is foreground time. An app that is listed by itself and by its category counts once, and so do a
/// browser and the domain it shows. An event without subjects counts all usage.
public struct DeviceActivityEvent: Equatable, Sendable {
    /// Identifies an event within an activity.
    public struct Name: RawRepresentable, Equatable, Hashable, Sendable {
        /// Unique within the activity.
        public var rawValue: String

        /// Accepts any text; the service checks its length on registration.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// Satisfies `RawRepresentable`; the same as ``init(_:)``.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Apps whose usage counts.
    public let applications: Set<ApplicationToken>
    /// Categories whose apps and domains count.
    public let categories: Set<ActivityCategoryToken>
    /// Web domains, including their subdomains, whose usage counts.
    public let webDomains: Set<WebDomainToken>
    /// The amount of usage in days, hours, minutes and seconds, exact to the millisecond. There is no
    /// minimum.
    public let threshold: Foundation.DateComponents
    /// Whether usage since the start of the interval counts, exact to the millisecond, instead of since
    /// registration.
    public let includesPastActivity: Bool
    /// Whether the event has no subjects and so counts all usage.
    public var includesAllActivity: Bool {
        applications.isEmpty && categories.isEmpty && webDomains.isEmpty
    }

    /// An event that counts only usage after its registration.
    public init(
        applications: Set<ApplicationToken> = [], categories: Set<ActivityCategoryToken> = [],
        webDomains: Set<WebDomainToken> = [], threshold: Foundation.DateComponents
    ) {
        self.init(
            applications: applications, categories: categories, webDomains: webDomains,
            threshold: threshold, includesPastActivity: false)
    }

    /// - Parameter includesPastActivity: true if usage between the start of the interval and the registration
    /// counts.
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
