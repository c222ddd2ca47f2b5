internal import Contract
internal import Engine
internal import Foundation
internal import Synchronization

/// The callback that runs, if one does: they run one at a time.
struct RunningCallback {
    var name: CallbackName
    var activity: String
    var occurrence: TimeRange?

    private static let running = Mutex<RunningCallback?>(nil)

    static var current: RunningCallback? { running.withLock { $0 } }

    static func begin(_ callback: RunningCallback) { running.withLock { $0 = callback } }
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
