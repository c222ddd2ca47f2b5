internal import Contract
internal import ExtensionLink
public import Foundation
internal import FoundationExtras
internal import Rules

/// The principal class of a monitor extension: subclass it, and override the callbacks you need.
///
/// Callbacks come one at a time, on one thread, in the order in which they fell due. Each is told until it
/// has returned once: one that was interrupted comes again. At one instant the order is: threshold warning,
/// threshold, end warning, end, start warning, start.
open class DeviceActivityMonitor: NSObject {
    public override init() { super.init() }

    /// At the start of an interval, and at the registration inside of one. (Apple's waits until the device is
    /// used.)
    open func intervalDidStart(for activity: DeviceActivityName) {}

    /// At the end of an interval, and when monitoring stops inside of one.
    open func intervalDidEnd(for activity: DeviceActivityName) {}

    /// When the use of what an event names has reached its threshold: once in each interval.
    open func eventDidReachThreshold(_ event: DeviceActivityEvent.Name, activity: DeviceActivityName) {}

    /// The schedule's warning time before an interval.
    open func intervalWillStartWarning(for activity: DeviceActivityName) {}

    /// The schedule's warning time before the end of an interval.
    open func intervalWillEndWarning(for activity: DeviceActivityName) {}

    /// When the schedule's warning time of use is left to a threshold.
    open func eventWillReachThresholdWarning(
        _ event: DeviceActivityEvent.Name, activity: DeviceActivityName
    ) {}

    /// Makes the extension's principal object, on the main thread and once, and serves the system with it:
    /// the main thread goes on to serve the main queue, callbacks have a thread of their own. What the build
    /// of an extension calls; Apple's systems have no such function.
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
