package import JSON

/// An event that carries one callback of DeviceActivityMonitor. Its type is `activity.` followed by Apple's
/// name of the callback.
package protocol ActivityEvent: EventData {
    /// Apple's name of the callback, without its parameters: `intervalDidStart`.
    static var callback: CallbackName { get }
    /// What happened, to which activity and when. The event has no other fields.
    var about: ActivityCallback { get set }
    init(about: ActivityCallback)
}

extension ActivityEvent {
    /// For example `activity.intervalDidStart`.
    package static var type: String { "activity." + callback.rawValue }
    /// activity-center publishes all six.
    package static var owner: ServiceName { .activity }
    /// Title of the schema; each event has its own, although all have the same fields.
    package static var title: String { "ActivityCallback." + callback.rawValue }
    /// The fields of ``ActivityCallback``, without an object around them.
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try about.fields(&visitor)
    }
}

/// The six callbacks of DeviceActivityMonitor, by Apple's names.
package enum CallbackName: String, NameEnum {
    case intervalDidStart, intervalDidEnd, eventDidReachThreshold
    case intervalWillStartWarning, intervalWillEndWarning, eventWillReachThresholdWarning

    /// The event type that carries it.
    package var eventType: String { "activity." + rawValue }
}

/// `intervalDidStart`: published at the start of an occurrence, or at the first use in it where the activity
/// asks for that.
package struct IntervalDidStart: ActivityEvent {
    package static let callback = CallbackName.intervalDidStart
    package static let summary = "An interval of a monitored activity began."
    package var about = ActivityCallback()
    package init() {}
    /// Makes the event for one callback.
    package init(about: ActivityCallback) { self.about = about }
}

/// `intervalDidEnd`: published at the end of an occurrence, or when the activity is stopped during one.
package struct IntervalDidEnd: ActivityEvent {
    package static let callback = CallbackName.intervalDidEnd
    package static let summary = "An interval of a monitored activity ended, or was stopped."
    package var about = ActivityCallback()
    package init() {}
    package init(about: ActivityCallback) { self.about = about }
}

/// `eventDidReachThreshold`: published at most once per occurrence and registration.
package struct EventDidReachThreshold: ActivityEvent {
    package static let callback = CallbackName.eventDidReachThreshold
    package static let summary = "Use reached an event's threshold; once per occurrence and registration."
    package var about = ActivityCallback()
    package init() {}
    package init(about: ActivityCallback) { self.about = about }
}

/// `intervalWillStartWarning`: published `warningTime` before an occurrence starts.
package struct IntervalWillStartWarning: ActivityEvent {
    package static let callback = CallbackName.intervalWillStartWarning
    package static let summary = "An interval begins in warningTime."
    package var about = ActivityCallback()
    package init() {}
    package init(about: ActivityCallback) { self.about = about }
}

/// `intervalWillEndWarning`: published `warningTime` before an occurrence ends.
package struct IntervalWillEndWarning: ActivityEvent {
    package static let callback = CallbackName.intervalWillEndWarning
    package static let summary = "An interval ends in warningTime."
    package var about = ActivityCallback()
    package init() {}
    package init(about: ActivityCallback) { self.about = about }
}

/// `eventWillReachThresholdWarning`: published when use comes within `warningTime` of the threshold.
package struct EventWillReachThresholdWarning: ActivityEvent {
    package static let callback = CallbackName.eventWillReachThresholdWarning
    package static let summary = "Use comes within warningTime of an event's threshold."
    package var about = ActivityCallback()
    package init() {}
    package init(about: ActivityCallback) { self.about = about }
}
