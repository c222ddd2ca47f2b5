import Contract
import ExtensionKit
import JSON

/// Keeps the person's own limits: warns before an event's threshold, shields what the event names when it is
/// reached, and opens everything again when the interval ends. Each activity has the store of its own name.
struct LimitsMonitor: MonitorExtension {
    func eventWillReachThresholdWarning(
        _ event: String, activity: String, _ context: CallbackContext
    ) throws {
        let words = Words(context.about)
        try context.host.postNotification(
            identifier: words.identifier(.eventWillReachThresholdWarning), title: "Almost there",
            body: words.warning)
    }

    func eventDidReachThreshold(_ event: String, activity: String, _ context: CallbackContext) throws {
        let about = context.about
        let store = try context.host.readSettings(store: activity, member: about.member)
        // What another occurrence or registration left is not added to.
        let isOurs = store.occurrence == Occurrence(about)
        var settings = Shielding(adding: about.definition, to: isOurs ? store.settings : []).settings
        settings.append(Occurrence(about).setting)
        try context.host.writeSettings(settings, store: activity, member: about.member, clearAll: !isOurs)
        let words = Words(about)
        try context.host.postNotification(
            identifier: words.identifier(.eventDidReachThreshold), title: "Time is up", body: words.reached)
    }

    func intervalDidStart(for activity: String, _ context: CallbackContext) throws {
        let store = try context.host.readSettings(store: activity, member: context.about.member)
        // Registered again inside an interval, a threshold that was passed already may come before the start.
        guard store.occurrence != Occurrence(context.about) else { return }
        try clear(store, context)
    }

    func intervalDidEnd(for activity: String, _ context: CallbackContext) throws {
        try clear(try context.host.readSettings(store: activity, member: context.about.member), context)
    }

    private func clear(_ store: SettingsStore, _ context: CallbackContext) throws {
        guard !store.settings.isEmpty else { return }
        try context.host.writeSettings(
            [], store: store.store, member: context.about.member, clearAll: true)
    }
}

/// Which occurrence of which registration a store's shields belong to; kept in the store itself.
struct Occurrence: Equatable {
    static let key = "org.screentime.limits.occurrence"
    let text: String

    init(_ about: ActivityCallback) { text = "\(about.registration)/\(about.occurrenceStartMs)" }
    init(text: String) { self.text = text }

    var setting: Setting { Setting(key: Self.key, value: .string(text)) }
}

extension SettingsStore {
    var occurrence: Occurrence? {
        settings.first { $0.key == Occurrence.key }?.value.stringValue.map(Occurrence.init(text:))
    }
}
