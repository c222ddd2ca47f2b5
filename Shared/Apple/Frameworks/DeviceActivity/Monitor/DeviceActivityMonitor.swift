internal import Contract
internal import ExtensionLink
public import Foundation
internal import FoundationExtras
internal import Rules

/// The principal class of a monitor extension: subclass it and override the callbacks you need.
///
/// Callbacks are delivered one at a time, on one thread, in the order in which they fall due. Delivery is at
/// least once: a callback that was interrupted is delivered again. The order at one instant is threshold
/// warning, threshold, end warning, end, start warning, start.
open class DeviceActivityMonitor: NSObject {
    /// Called once by ``serve(_:)``; no callback is delivered before it returns.
    public override init() { super.init() }

    /// Called at the start of an interval, and on registration while one is running. (Apple's waits until the
    /// device is used.)
    open func intervalDidStart(for activity: DeviceActivityName) {}

    /// Called at the end of an interval, and when monitoring stops during one.
    open func intervalDidEnd(for activity: DeviceActivityName) {}

    /// Called when the usage of the event's subjects reaches the threshold, once per interval.
    open func eventDidReachThreshold(_ event: DeviceActivityEvent.Name, activity: DeviceActivityName) {}

    /// Called the schedule's warning time before an interval starts.
    open func intervalWillStartWarning(for activity: DeviceActivityName) {}

    /// Called the schedule's warning time before an interval ends.
    open func intervalWillEndWarning(for activity: DeviceActivityName) {}

    /// Called when the usage that remains until the threshold equals the schedule's warning time.
    open func eventWillReachThresholdWarning(
        _ event: DeviceActivityEvent.Name, activity: DeviceActivityName
    ) {}

    /// Creates the extension's principal object once, on the main thread, and serves its host. The main
    /// thread then serves the main queue; callbacks run on a separate thread. The extension build calls this
    /// function; Apple has no counterpart.
    public static func serve(_ principal: @autoclosure () -> sending DeviceActivityMonitor) -> Never {
        let monitor = principal()
        Link.shared.name(principal: type(of: monitor))
        Link.shared.serve(MonitorCallback.self) { params in
            monitor.take(params.callback, params.about)
            return Nothing()
        }
        Link.shared.serveForever(MainThread.serve)
    }

    private func take(_ callback: CallbackName, _ about: ActivityCallback) {
        ProgramMember.begin(callbackOf: about.member)
        if let zone = about.zone { ProgramZone.enter(zone) }
        RunningCallback.begin(
            RunningCallback(
                name: callback, activity: about.activity,
                occurrence: TimeRange(start: about.occurrenceStart, end: about.occurrenceEnd)))
        defer { RunningCallback.end() }
        let activity = DeviceActivityName(about.activity)
        let event = DeviceActivityEvent.Name(about.event ?? "")
        switch callback {
        case .intervalDidStart: intervalDidStart(for: activity)
        case .intervalDidEnd: intervalDidEnd(for: activity)
        case .eventDidReachThreshold: eventDidReachThreshold(event, activity: activity)
        case .intervalWillStartWarning: intervalWillStartWarning(for: activity)
        case .intervalWillEndWarning: intervalWillEndWarning(for: activity)
        case .eventWillReachThresholdWarning: eventWillReachThresholdWarning(event, activity: activity)
        }
    }
}
