internal import Contract
internal import Foundation
internal import Rules
internal import Synchronization
import Units

/// The callback that is running, if any. At most one runs at a time.
struct RunningCallback {
    var name: CallbackName
    var activity: String
    var occurrence: TimeRange?

    private static let running = Mutex<RunningCallback?>(nil)
    /// By activity, the start of the interval whose `intervalDidStart` this process received last.
    private static let starts = Mutex<[String: Instant]>([:])

    static var current: RunningCallback? { running.withLock { $0 } }

    static func begin(_ callback: RunningCallback) {
        running.withLock { $0 = callback }
        guard callback.name == .intervalDidStart, let occurrence = callback.occurrence else { return }
        starts.withLock { $0[callback.activity] = occurrence.start }
    }

    static func end() { running.withLock { $0 = nil } }

    /// Nil if this process has received no start of the activity.
    static func startTold(of activity: String) -> Instant? { starts.withLock { $0[activity] } }
}

extension DateInterval {
    init(_ range: TimeRange) {
        self.init(start: Date(range.start), end: Date(range.end))
    }
}

extension Date {
    init(_ instant: Instant) { self.init(timeIntervalSince1970: Double(instant.milliseconds) / 1000) }
}
