package import Contract
internal import ExtensionLink

/// The person's own limits: the calls that the command line makes, and that any other surface can make. Each
/// reads what is registered, changes it, and registers what differs; nothing else is kept.
package enum Limits {
    /// Says which program this is; before any other call. It speaks as the person, in plain names.
    package static func identify() {
        Link.identify(BuiltInClient.limits)
        Link.shared.speakPlainly()
    }

    /// - Throws: `ServiceError` of a service that does not answer.
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

    /// The activities of the person's own client for themselves.
    static func registered() throws(ServiceError) -> [MonitoredActivity] {
        try Link.shared.call(MonitoringList.self, MonitoringList.Params(member: member())).activities
            .filter { $0.client == BuiltInClient.limits }
    }

    /// Changes the plan. What counts as before goes on counting; what is lower than the day's use shuts at
    /// once, what is raised above it opens at once.
    /// - Throws: `ServiceError`, as a service refuses. What was not done yet, the same call does when it
    ///   comes again.
    package static func change(
        _ body: (inout LimitPlan) throws(ServiceError) -> Void
    ) throws(ServiceError) -> LimitPlan {
        try Link.shared.beginTurn()
        defer { Link.shared.endTurn() }
        let present = try registered()
        let before = try plan(present)
        var after = before
        try body(&after)
        // First what counts, then the marks that say so.
        try register(after.activities, besides: present)
        if after.marks != before.marks {
            _ = try Link.shared.call(
                SettingsWrite.self,
                SettingsWrite.Params(store: AllowedSettings.store, settings: after.marks.settings))
        }
        return after
    }

    /// As many as activity-center takes at once.
    private static let activitiesPerRequest = 100

    private static func register(
        _ wanted: [ActivityDefinition], besides present: [MonitoredActivity]
    ) throws(ServiceError) {
        let known = Dictionary(uniqueKeysWithValues: present.map { ($0.activity.name, $0.activity) })
        let names = Set(wanted.map(\.name))
        let gone = known.keys.filter { PlanName($0) != nil && !names.contains($0) }.sorted()
        let new = wanted.filter { known[$0.name] != $0 }
        // First what comes: between the two, nothing is open that is shut before and after.
        for start in stride(from: 0, to: new.count, by: activitiesPerRequest) {
            let part = Array(new[start..<min(start + activitiesPerRequest, new.count)])
            _ = try Link.shared.call(MonitoringStart.self, MonitoringStart.Params(activities: part))
        }
        if !gone.isEmpty {
            _ = try Link.shared.call(MonitoringStop.self, MonitoringStop.Params(names: gone))
        }
    }
}
