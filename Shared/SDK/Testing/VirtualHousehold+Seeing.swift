import Contract
import Loop

extension VirtualHousehold {
    /// One callback of a monitor extension.
    public struct Callback: Sendable, Equatable {
        /// Name of the method, for example `intervalDidStart`.
        public var name: String
        public var activity: String
        /// Name of the event, for a threshold.
        public var event: String?
        /// Whether it returned. If not, it failed permanently, or waits for the next attempt.
        public var isDelivered: Bool
    }

    /// An event of an activity, like `DeviceActivityEvent`.
    public struct Event: Sendable {
        public var name: String
        public var apps: [String]
        public var categories: [String]
        public var domains: [String]
        public var minutes: Int

        public init(
            _ name: String, apps: [String] = [], categories: [String] = [], domains: [String] = [],
            minutes: Int
        ) {
            self.name = name
            self.apps = apps
            self.categories = categories
            self.domains = domains
            self.minutes = minutes
        }
    }

    /// Starts an activity on behalf of the installed extension's app, every day.
    /// - Parameters:
    ///   - start: a time of day, for example `20:00`; so is `end`. If both are equal: the complete day.
    ///   - warningMinutes: before the end, and before a threshold.
    @LoopActor public func startMonitoring(
        _ name: String, from start: String = "00:00", to end: String = "00:00", warningMinutes: Int? = nil,
        events: [Event] = [], client other: String? = nil
    ) async throws {
        let definition = ActivityDefinition(
            name: name,
            schedule: Schedule(
                intervalStart: try time(start), intervalEnd: try time(end), repeats: true,
                warningTime: warningMinutes.map { DateComponents(minute: Int64($0)) }),
            events: events.map { event in
                EventDefinition(
                    name: event.name, applications: event.apps, categories: event.categories,
                    webDomains: event.domains, threshold: DateComponents(minute: Int64(event.minutes)))
            })
        _ = try await world.call(
            MonitoringStart.self, MonitoringStart.Params(activities: [definition]), client: other ?? client)
        try await world.clock.settle()
    }

    private func time(_ text: String) throws -> DateComponents {
        let parts = text.split(separator: ":").map { Int64($0) }
        guard parts.count == 2, let hour = parts[0], let minute = parts[1] else {
            throw Failure(description: "'\(text)' is not a time of day. Write it as 20:00.")
        }
        return DateComponents(hour: hour, minute: minute)
    }

    /// The callbacks so far, in order.
    public var callbacks: [Callback] {
        @LoopActor get async throws {
            let deliveries = try await world.call(DeliveryList.self, DeliveryList.Params()).deliveries
            return deliveries.map {
                Callback(
                    name: $0.callback, activity: $0.about.activity, event: $0.about.event,
                    isDelivered: $0.state == .delivered)
            }
        }
    }

    /// Whether an app or a host is shielded now.
    /// - Parameter category: its category; default: the one in the catalogue.
    @LoopActor public func isShielded(_ subject: String, category: String? = nil) async throws -> Bool {
        let params = ShieldExplain.Params(subject: subject, category: category)
        return try await world.call(ShieldExplain.self, params).shielded
    }

    /// A notification, posted or scheduled.
    public struct Notification: Sendable, Equatable {
        public var identifier: String
        public var title: String
        public var body: String
        public var isPending: Bool
    }

    /// Notifications of apps and their extensions, without those of the services themselves.
    public var notifications: [Notification] {
        @LoopActor get async throws {
            let list = try await world.call(NotificationList.self, NotificationList.Params())
            return list.notifications.filter { $0.client != nil }.map {
                Notification(
                    identifier: $0.identifier, title: $0.title, body: $0.body,
                    isPending: $0.state == .pending)
            }
        }
    }
}
