internal import Engine
internal import Foundation
internal import Synchronization

/// The interval that the running callback is about. Callbacks run one at a time.
enum CallbackOccurrence {
    private static let running = Mutex<TimeRange?>(nil)

    static var current: TimeRange? { running.withLock { $0 } }

    static func begin(_ occurrence: TimeRange?) { running.withLock { $0 = occurrence } }
    static func end() { running.withLock { $0 = nil } }
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
