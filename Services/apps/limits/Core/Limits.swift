package import Contract
internal import ExtensionLink

/// The person's own limits, for the command line and any other user interface. Each call reads the registered
/// activities, changes them, and registers the differences; nothing else is stored.
package enum Limits {
    /// Sets the program's identity. Call it first. The program acts as the person, and uses names instead of
    /// tokens.
    package static func identify() {
        Link.identify(BuiltInClient.limits)
        Link.shared.speakPlainly()
    }

    /// - Throws: `ServiceError` if a service does not answer.
    package static func plan() throws(ServiceError) -> LimitPlan {
        try plan(registered())
    }

    private static func plan(_ activities: [MonitoredActivity]) throws(ServiceError) -> LimitPlan {
        let marks = try Link.shared.call(
            SettingsRead.self, SettingsRead.Params(store: AllowedSettings.store)
        ).store.settings
        let members = try Link.shared.call(MemberList.self, Nothing()).members
        let own = try member()
        return LimitPlan(
            activities.map(\.activity), marks: Marks(marks),
            dayStart: members.first { $0.id == own }?.dayStartMinutes ?? 0)
    }

    static func member() throws(ServiceError) -> String { try Link.shared.hello().member }

    /// The activities of the built-in client for this member.
    static func registered() throws(ServiceError) -> [MonitoredActivity] {
        try Link.shared.call(MonitoringList.self, MonitoringList.Params(member: member())).activities
            .filter { $0.client == BuiltInClient.limits }
    }

    /// Changes the plan: its activities, up to ``activitiesPerRequest`` of them all or nothing, and the
    /// marks; then it lifts the shields of limits that are not registered or whose day is not now. Unchanged
    /// limits continue to count. A limit below the day's use shields immediately, and one that is raised
    /// above it lifts the shield immediately.
    /// - Throws: `ServiceError` of the service that refused. Repeating the call completes what was not done.
    package static func change(
        _ body: (inout LimitPlan) throws(ServiceError) -> Void
    ) throws(ServiceError) -> LimitPlan {
        try Link.shared.beginTurn()
        defer { Link.shared.endTurn() }
        let present = try registered()
        let before = try plan(present)
        var after = before
        try body(&after)
        // First the activities, then the marks.
        try register(after.activities, besides: present)
        if after.marks != before.marks {
            _ = try Link.shared.call(
                SettingsWrite.self,
                SettingsWrite.Params(store: AllowedSettings.store, settings: after.marks.settings))
        }
        try liftStaleShields()
        return after
    }

    /// Maximum number of activities in one request.
    private static let activitiesPerRequest = 100

    private static func register(
        _ wanted: [ActivityDefinition], besides present: [MonitoredActivity]
    ) throws(ServiceError) {
        let known = Dictionary(uniqueKeysWithValues: present.map { ($0.activity.name, $0.activity) })
        let names = Set(wanted.map(\.name))
        let gone = known.keys.filter { PlanName($0) != nil && !names.contains($0) }.sorted()
        let new = wanted.filter { known[$0.name] != $0 }
        if new.isEmpty, !gone.isEmpty {
            _ = try Link.shared.call(MonitoringStop.self, MonitoringStop.Params(names: gone))
        }
        // What goes, goes with the last of what comes, so that nothing is unshielded between them.
        for start in stride(from: 0, to: new.count, by: activitiesPerRequest) {
            let end = min(start + activitiesPerRequest, new.count)
            _ = try Link.shared.call(
                MonitoringStart.self,
                MonitoringStart.Params(
                    activities: Array(new[start..<end]),
                    stop: end == new.count && !gone.isEmpty ? gone : nil))
        }
    }

    /// An activity that was replaced inside its interval by one that is not in its own gets no end, so the
    /// monitor does not lift its shields. The stores have the names of the activities.
    private static func liftStaleShields() throws(ServiceError) {
        let shields = try Link.shared.call(ShieldList.self, ShieldList.Params(member: member())).shields
        let reasons = shields.flatMap(\.reasons).filter { $0.client == BuiltInClient.limits }
        let activities = try registered()
        // What an exception opens has no shield, and would have one again.
        let names = Set(reasons.map(\.store)).union(activities.map(\.activity.name))
        let stale = names.subtracting(activities.filter(\.inInterval).map(\.activity.name))
            .filter { PlanName($0)?.rule == .limit }.sorted()
        guard !stale.isEmpty else { return }
        _ = try Link.shared.call(SettingsDelete.self, SettingsDelete.Params(stores: stale))
    }
}
