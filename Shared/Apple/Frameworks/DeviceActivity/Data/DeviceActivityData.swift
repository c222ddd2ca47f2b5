public import Foundation

/// What one person did on one device.
public struct DeviceActivityData: Hashable, Sendable {
    public var user: User
    public var device: Device
    /// Into what the time is cut, and which time.
    public var segmentInterval: DeviceActivityFilter.SegmentInterval
    /// The newest instant that is known of the device.
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

    /// Hours, days or weeks that have begun by now, in order, also those without activity.
    public var activitySegments: DeviceActivityResults<ActivitySegment> {
        DeviceActivityResults(elements: segments)
    }

    /// One hour, day or week.
    public struct ActivitySegment: Hashable, Sendable {
        public var dateInterval: DateInterval
        /// Seconds in which anything asked for was in use; what was in use at the same time counts once.
        public var totalActivityDuration: TimeInterval
        /// The longest use without a break; nil without use.
        public var longestActivity: DateInterval?
        /// The first unlock that led to use; nil without one.
        public var firstPickup: Date?
        public var totalPickupsWithoutApplicationActivity: Int
        var categoryActivities: [CategoryActivity] = []

        /// Sorted by their names in the catalogue.
        public var categories: DeviceActivityResults<CategoryActivity> {
            DeviceActivityResults(elements: categoryActivities)
        }
    }

    /// The use of one category in a segment.
    public struct CategoryActivity: Hashable, Sendable {
        public var category: ActivityCategory
        /// Seconds: of its apps and domains, added up. A browser's time with a known domain belongs to the
        /// domain's category.
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

    /// The use of one app in a segment.
    public struct ApplicationActivity: Hashable, Sendable {
        public var application: Application
        /// Seconds; of a browser also those that belong to domains.
        public var totalActivityDuration: TimeInterval
        /// Unlocks that led to it.
        public var numberOfPickups: Int
        /// Notifications that it showed.
        public var numberOfNotifications: Int
    }

    /// The use of one web domain in a segment.
    public struct WebDomainActivity: Hashable, Sendable {
        public var webDomain: WebDomain
        /// Seconds.
        public var totalActivityDuration: TimeInterval
    }

    /// Where it happened.
    public struct Device: Hashable, Sendable {
        /// Apple's kinds. A Linux machine is a mac; an imported phone is an iPhone and an imported tablet an
        /// iPad, whoever made them.
        public enum Model: Int, Hashable, Sendable {
            case iPhone
            case iPod
            case iPad
            case mac
        }

        public var name: String?
        public var model: Model
    }

    /// Whose activity it is.
    public struct User: Hashable, Sendable {
        public enum FamilyRole: Int, Hashable, Sendable {
            /// An adult, also a guardian.
            case individual
            case child
        }

        /// Nil: nobody here has one.
        public var appleID: String?
        public var nameComponents: PersonNameComponents?
        public var role: FamilyRole
    }
}
