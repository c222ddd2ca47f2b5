public import Foundation

/// The activity of one person on one device.
public struct DeviceActivityData: Hashable, Sendable {
    /// The person who used the device.
    public var user: User
    /// The device on which the activity was recorded.
    public var device: Device
    /// The time range and the length of the segments it is divided into.
    public var segmentInterval: DeviceActivityFilter.SegmentInterval
    /// The latest instant up to which activity of the device is recorded.
    public var lastUpdatedDate: Date
    let segments: [ActivitySegment]

    init(
        user: User, device: Device, segmentInterval: DeviceActivityFilter.SegmentInterval,
        lastUpdatedDate: Date, segments: [ActivitySegment]
    ) {
        self.user = user
        self.device = device
        self.segmentInterval = segmentInterval
        self.lastUpdatedDate = lastUpdatedDate
        self.segments = segments
    }

    /// The hours, days or weeks that have begun, in chronological order, including those without activity.
    public var activitySegments: DeviceActivityResults<ActivitySegment> {
        DeviceActivityResults(elements: segments)
    }

    /// One hour, day or week.
    public struct ActivitySegment: Hashable, Sendable {
        /// The bounds of the hour, day or week; the current one ends in the future.
        public var dateInterval: DateInterval
        /// Seconds during which any of the requested items was in use. Overlapping usage counts once.
        public var totalActivityDuration: TimeInterval
        /// The longest uninterrupted usage, or nil if there was none.
        public var longestActivity: DateInterval?
        /// The first unlock that led to usage, or nil if there was none.
        public var firstPickup: Date?
        /// Unlocks that no app usage followed.
        public var totalPickupsWithoutApplicationActivity: Int
        var categoryActivities: [CategoryActivity] = []

        /// Sorted by category name in the catalogue.
        public var categories: DeviceActivityResults<CategoryActivity> {
            DeviceActivityResults(elements: categoryActivities)
        }
    }

    /// The usage of one category in a segment.
    public struct CategoryActivity: Hashable, Sendable {
        /// The category, with its name if the program may see names.
        public var category: ActivityCategory
        /// Seconds, summed over its apps and domains. If a browser shows a known domain, the time counts
        /// towards the category of the domain.
        public var totalActivityDuration: TimeInterval
        var applicationActivities: [ApplicationActivity] = []
        var webDomainActivities: [WebDomainActivity] = []

        /// Sorted by identifier.
        public var applications: DeviceActivityResults<ApplicationActivity> {
            DeviceActivityResults(elements: applicationActivities)
        }

        /// Sorted by domain.
        public var webDomains: DeviceActivityResults<WebDomainActivity> {
            DeviceActivityResults(elements: webDomainActivities)
        }
    }

    /// The usage of one app in a segment.
    public struct ApplicationActivity: Hashable, Sendable {
        /// The app, with its identifier and name if the program may see names.
        public var application: Application
        /// Seconds. For a browser this includes the time that is attributed to domains.
        public var totalActivityDuration: TimeInterval
        /// Unlocks after which this app was used first.
        public var numberOfPickups: Int
        /// Notifications that the app showed.
        public var numberOfNotifications: Int
    }

    /// The usage of one web domain in a segment.
    public struct WebDomainActivity: Hashable, Sendable {
        /// The domain, with its host name if the program may see names.
        public var webDomain: WebDomain
        /// Seconds.
        public var totalActivityDuration: TimeInterval
    }

    /// The device on which the activity was recorded.
    public struct Device: Hashable, Sendable {
        /// Apple's device kinds. A Linux machine is a `mac`. An imported phone is an `iPhone` and an imported
        /// tablet an `iPad`, whatever the manufacturer.
        public enum Model: Int, Hashable, Sendable {
            case iPhone
            case iPod
            case iPad
            case mac
        }

        /// The device's name, or nil if none is recorded.
        public var name: String?
        /// The closest of Apple's device kinds.
        public var model: Model
    }

    /// The person whose activity it is.
    public struct User: Hashable, Sendable {
        /// The person's role in the household.
        public enum FamilyRole: Int, Hashable, Sendable {
            /// An adult, including a guardian.
            case individual
            case child
        }

        /// Always nil: there are no Apple accounts here.
        public var appleID: String?
        /// The member's display name, split at its first space into given and family name. Nil if it has
        /// none.
        public var nameComponents: PersonNameComponents?
        /// Whether the member is registered as a child.
        public var role: FamilyRole
    }
}
