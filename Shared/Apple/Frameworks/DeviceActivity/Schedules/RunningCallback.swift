internal import Contract
internal import Foundation
internal import Rules
internal import Synchronization

/// The callback that runs, if one does: they run one at a time.
struct RunningCallback {
    var name: CallbackName
    var activity: String
    var occurrence: TimeRange?

    private static let running = Mutex<RunningCallback?>(nil)
    /// Where the interval began whose start this process was told last, by activity.
    private static let starts = Mutex<[String: Int64]>([:])

    static var current: RunningCallback? { running.withLock { $0 } }

    static func begin(_ callback: RunningCallback) {
        running.withLock { $0 = callback }
        guard callback.name == .intervalDidStart, let occurrence = callback.occurrence else { return }
        starts.withLock { $0[callback.activity] = occurrence.start_ms }
    }

    static func end() { running.withLock { $0 = nil } }

    /// UTC milliseconds; nil when it was told none.
    static func startTold_ms(of activity: String) -> Int64? { starts.withLock { $0[activity] } }
}

extension DateInterval {
    init(_ range: TimeRange) {
        self.init(start: Date(milliseconds: range.start_ms), end: Date(milliseconds: range.end_ms))
    }
}

extension Date {
    /// - Parameter milliseconds: UTC, since 1970.
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
