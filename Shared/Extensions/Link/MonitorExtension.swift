package import Contract

/// Arguments of every callback.
package struct CallbackContext {
    /// What happened, to which activity and when.
    package let about: ActivityCallback
    /// 1, or more if an earlier attempt was interrupted or failed.
    package let attempt: Int64
    /// Gives access to stores, schedules and notifications; only valid during the callback.
    package let host: ExtensionHost
}

/// The principal class of a monitor extension: the six callbacks of Apple's DeviceActivityMonitor, called one
/// at a time, in order. A callback that throws is retried.
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

    /// Calls the callback with this name.
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
