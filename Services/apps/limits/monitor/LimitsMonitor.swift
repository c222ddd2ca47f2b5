import Contract
import ExtensionLink
import JSON
import LimitsCore

/// Enforces the person's own limits: warns before an event's threshold, shields the event's subjects when it
/// is reached, and lifts the shields when the interval ends. Each activity uses the store with its name.
struct LimitsMonitor: MonitorExtension {
    func eventWillReachThresholdWarning(
        _ event: String, activity: String, _ context: CallbackContext
    ) throws {
        let words = Words(context.about)
        try context.host.postNotification(
            identifier: words.identifier(.eventWillReachThresholdWarning), title: words.warningTitle,
            body: words.warning, warning: context.about.warningKey)
    }

    func eventDidReachThreshold(_ event: String, activity: String, _ context: CallbackContext) throws {
        let about = context.about
        // An event without subjects means everything; one that is not registered means nothing.
        guard var definition = about.definition else {
            throw ServiceError(
                .notFound, "no event '\(event)' of '\(activity)' is registered",
                remedy: "Nothing is shielded for it.")
        }
        definition.name = event
        let store = try context.host.readSettings(store: activity, member: about.member)
        // The record of another occurrence is discarded.
        var reached = Reached(in: store, occurrenceStart: about.occurrenceStart)
        reached.add(definition)
        try write(reached, to: store, context)
        let words = Words(about)
        try context.host.postNotification(
            identifier: words.identifier(.eventDidReachThreshold), title: words.reachedTitle,
            body: words.reached)
    }

    /// Clears the shields of a former day. If an activity is registered again inside its interval, an
    /// unchanged event that was reached gets no second callback, so it stays shielded. Shields of changed or
    /// removed events are lifted.
    func intervalDidStart(for activity: String, _ context: CallbackContext) throws {
        if let target = Self.hours(activity) { return try settleHours(target, context) }
        let about = context.about
        let store = try context.host.readSettings(store: activity, member: about.member)
        guard !store.settings.isEmpty else { return }
        var reached = Reached(in: store, occurrenceStart: about.occurrenceStart)
        if !reached.events.isEmpty {
            let registered = try context.host.monitored(member: about.member).first {
                $0.client == about.client && $0.activity.name == activity
            }
            reached.keep(registered?.activity.events ?? [])
        }
        try write(reached, to: store, context)
    }

    func intervalDidEnd(for activity: String, _ context: CallbackContext) throws {
        if let target = Self.hours(activity) { return try settleHours(target, context) }
        let store = try context.host.readSettings(store: activity, member: context.about.member)
        guard !store.settings.isEmpty else { return }
        try context.host.writeSettings(
            [], store: activity, member: context.about.member, clearAll: true)
    }

    /// The target whose hours an activity enforces; nil for a limit and for other activities.
    static func hours(_ activity: String) -> LimitTarget? {
        guard let name = PlanName(activity), name.rule != .limit else { return nil }
        return name.target
    }

    private func write(_ reached: Reached, to store: SettingsStore, _ context: CallbackContext) throws {
        try context.host.writeSettings(
            reached.settings, store: store.store, member: context.about.member, clearAll: true)
    }
}
