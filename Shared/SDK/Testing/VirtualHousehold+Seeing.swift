import Contract
import Loop

extension VirtualHousehold {
    /// One call of a monitor extension.
    public struct Callback: Sendable, Equatable {
        /// As the method is called: `intervalDidStart`.
        public var name: String
        public var activity: String
        /// Of a threshold.
        public var event: String?
        /// Whether it returned; else it failed for good, or waits to be tried again.
        public var isDelivered: Bool
    }

    /// What happens during an activity, as `DeviceActivityEvent` says it.
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
    ///   - start: a time of day as `20:00`; `end` as well. The same twice: the whole day.
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
            throw Failure(description: "'\(text)' is no time of day. Write it as 20:00.")
        }
        return DateComponents(hour: hour, minute: minute)
    }

    /// The callbacks so far, in their order.
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
    /// - Parameter category: what it counts as; default: what the catalogue says.
    @LoopActor public func isShielded(_ subject: String, category: String? = nil) async throws -> Bool {
        let params = ShieldExplain.Params(subject: subject, category: category)
        return try await world.call(ShieldExplain.self, params).shielded
    }

    /// A notification, posted or waiting for its time.
    public struct Notification: Sendable, Equatable {
        public var identifier: String
        public var title: String
        public var body: String
        public var isPending: Bool
    }

    /// What apps and their extensions posted. What a service itself tells or asks the person is not there.
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
