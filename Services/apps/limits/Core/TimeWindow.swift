package import Contract

/// A range of a day's hours, in minutes after midnight of the wall clock.
package struct TimeWindow: Hashable, Comparable, Sendable {
    /// 0 to 1439.
    package var start: Int64
    /// 0 to 1439; if it is not after `start`, on the next day.
    package var end: Int64

    package init(start: Int64, end: Int64) {
        self.start = start
        self.end = end
    }

    package static func < (left: TimeWindow, right: TimeWindow) -> Bool {
        (left.start, left.length) < (right.start, right.length)
    }

    /// Minutes; equal ends mean a complete day.
    var length: Int64 { end > start ? end - start : end + 1_440 - start }

    package var text: String { "\(Self.text(start))-\(end == 0 ? "24:00" : Self.text(end))" }

    /// Minutes after midnight as `HH:MM`.
    static func text(_ minutes: Int64) -> String {
        let (hour, minute) = (minutes / 60, minutes % 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }

    /// - Parameters:
    ///   - text: `07:00-08:00`; `22:00-06:00` crosses midnight; the end may be `24:00`.
    ///   - wholeDay: whether equal ends mean 24 hours; on the command line they are an error.
    /// - Throws: `invalidArgument`.
    package init(_ text: some StringProtocol, wholeDay: Bool = false) throws(ServiceError) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let start = Self.minutes(ends[0]), let end = Self.minutes(ends[1]),
            start < 1_440, start != end || wholeDay
        else {
            throw ServiceError(
                .invalidArgument, "'\(text)' is not a time of day",
                remedy: "Write it as 07:00-08:00; over midnight as 22:00-06:00; 24:00 may end it.")
        }
        self.init(start: start, end: end % 1_440)
    }

    private static func minutes(_ text: some StringProtocol) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.utf8.count) }),
            let hour = WholeNumber.of(parts[0]), let minute = WholeNumber.of(parts[1]), minute < 60,
            hour < 24 || (hour == 24 && minute == 0)
        else { return nil }
        return hour * 60 + minute
    }

    /// Several ranges, separated by commas; ranges that touch or overlap are merged, into 24 hours at most.
    /// - Throws: `invalidArgument`.
    package static func parse(_ text: String) throws(ServiceError) -> [TimeWindow] {
        var windows: [TimeWindow] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            windows.append(try TimeWindow(part))
        }
        return try merged(windows)
    }

    /// The ranges of one day, in order and separate.
    /// - Throws: `invalidArgument` where they are longer than 24 hours together.
    package static func merged(_ windows: [TimeWindow]) throws(ServiceError) -> [TimeWindow] {
        var result: [(start: Int64, end: Int64)] = []
        for window in windows.sorted() {
            let end = window.start + window.length
            if let last = result.last, window.start <= last.end {
                result[result.count - 1].end = max(last.end, end)
            } else {
                result.append((window.start, end))
            }
        }
        if let long = result.first(where: { $0.end - $0.start > 1_440 }) {
            throw ServiceError(
                .invalidArgument,
                "the times from \(text(long.start)) on are longer than 24 hours together",
                remedy: "What is after \(text(long.start)) of the next day belongs to the hours of that day.")
        }
        return result.map { TimeWindow(start: $0.start, end: $0.end % 1_440) }
    }

    /// - Parameter day: 1 (Sunday) to 7; nil for every day.
    package func schedule(on day: Int64?) -> Schedule {
        func moment(_ minutes: Int64, _ day: Int64?) -> DateComponents {
            DateComponents(hour: minutes / 60, minute: minutes % 60, weekday: day)
        }
        let endDay = day.map { end > start ? $0 : Weekdays.next($0) }
        return Schedule(
            intervalStart: moment(start, day), intervalEnd: moment(end, endDay), repeats: true)
    }
}
