package import JSON

/// An event that carries one callback of DeviceActivityMonitor. The type is `activity.` and Apple's bare
/// name.
package protocol ActivityEvent: EventData {
    /// Apple's bare name of the callback.
    static var callback: CallbackName { get }
    var about: ActivityCallback { get set }
    init(about: ActivityCallback)
}

extension ActivityEvent {
    package static var type: String { "activity." + callback.rawValue }
    package static var owner: ServiceName { .activity }
    package static var title: String { "ActivityCallback." + callback.rawValue }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try about.fields(&visitor)
    }
}

/// The six callbacks, by Apple's names.
package enum CallbackName: String, NameEnum {
    case intervalDidStart, intervalDidEnd, eventDidReachThreshold
    case intervalWillStartWarning, intervalWillEndWarning, eventWillReachThresholdWarning

    /// The event type that carries it.
    package var eventType: String { "activity." + rawValue }
}

package struct IntervalDidStart: ActivityEvent {
    package static let callback = CallbackName.intervalDidStart
    package static let summary = "An interval of a monitored activity began."
    package var about = ActivityCallback()
    package init() {}
    package init(about: ActivityCallback) { self.about = about }
}

package struct IntervalDidEnd: ActivityEvent {
    package static let callback = CallbackName.intervalDidEnd
    package static let summary = "An interval of a monitored activity ended, or was stopped."
    package var about = ActivityCallback()
    package init() {}
    package init(about: ActivityCallback) { self.about = about }
}

package struct EventDidReachThreshold: ActivityEvent {
    package static let callback = CallbackName.eventDidReachThreshold
    package static let summary = "Use reached an event's threshold; once per occurrence and registration."
    package var about = ActivityCallback()
    package init() {}
    package init(about: ActivityCallback) { self.about = about }
}

package struct IntervalWillStartWarning: ActivityEvent {
    package static let callback = CallbackName.intervalWillStartWarning
    package static let summary = "An interval begins in warningTime."
    package var about = ActivityCallback()
    package init() {}
    package init(about: ActivityCallback) { self.about = about }
}

package struct IntervalWillEndWarning: ActivityEvent {
    package static let callback = CallbackName.intervalWillEndWarning
    package static let summary = "An interval ends in warningTime."
    package var about = ActivityCallback()
    package init() {}
    package init(about: ActivityCallback) { self.about = about }
}

package struct EventWillReachThresholdWarning: ActivityEvent {
    package static let callback = CallbackName.eventWillReachThresholdWarning
    package static let summary = "Use comes within warningTime of an event's threshold."
    package var about = ActivityCallback()
    package init() {}
    package init(about: ActivityCallback) { self.about = about }
}
