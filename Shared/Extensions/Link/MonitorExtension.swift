package import Contract

/// What a callback comes with.
package struct CallbackContext {
    package let about: ActivityCallback
    /// 1; more when an earlier attempt was interrupted or failed.
    package let attempt: Int64
    /// The way to stores, schedules and notifications; only while the callback runs.
    package let host: ExtensionHost
}

/// The principal class of a monitor extension: the six callbacks of Apple's DeviceActivityMonitor, one at a
/// time, in order. A callback that throws is tried again.
package protocol MonitorExtension {
    func intervalDidStart(for activity: String, _ context: CallbackContext) throws
    func intervalDidEnd(for activity: String, _ context: CallbackContext) throws
    func eventDidReachThreshold(_ event: String, activity: String, _ context: CallbackContext) throws
    func intervalWillStartWarning(for activity: String, _ context: CallbackContext) throws
    func intervalWillEndWarning(for activity: String, _ context: CallbackContext) throws
    func eventWillReachThresholdWarning(_ event: String, activity: String, _ context: CallbackContext) throws
}

extension MonitorExtension {
    package func intervalDidStart(for activity: String, _ context: CallbackContext) throws {}
    package func intervalDidEnd(for activity: String, _ context: CallbackContext) throws {}
    package func eventDidReachThreshold(_ event: String, activity: String, _ context: CallbackContext) throws
    {}
    package func intervalWillStartWarning(for activity: String, _ context: CallbackContext) throws {}
    package func intervalWillEndWarning(for activity: String, _ context: CallbackContext) throws {}
    package func eventWillReachThresholdWarning(
        _ event: String, activity: String, _ context: CallbackContext
    ) throws {}

    /// Calls the callback by its name.
    func call(_ name: CallbackName, _ context: CallbackContext) throws {
        let activity = context.about.activity
        let event = context.about.event ?? ""
        switch name {
        case .intervalDidStart: try intervalDidStart(for: activity, context)
        case .intervalDidEnd: try intervalDidEnd(for: activity, context)
        case .eventDidReachThreshold: try eventDidReachThreshold(event, activity: activity, context)
        case .intervalWillStartWarning: try intervalWillStartWarning(for: activity, context)
        case .intervalWillEndWarning: try intervalWillEndWarning(for: activity, context)
        case .eventWillReachThresholdWarning:
            try eventWillReachThresholdWarning(event, activity: activity, context)
        }
    }
}
