package import Contract
package import Rules

/// Apple's DeviceActivitySchedule, in one zone.
///
/// The rules (design 5). Wall times that fit `start` and `end` are found on the wall clock as if no clock
/// ever changed. An occurrence goes from a start to the first end after it; the next begins at the first
/// start at or after that end, so occurrences never overlap. With an `end` not later on the clock than
/// `start` it goes over midnight; equal ones make 24 nominal hours, and hour 24 is the end of its day. Only
/// then are both placed on the real time line: a time in a spring gap moves forward by the gap, a repeated
/// one is its first. An occurrence is skipped, and `skipped` explains it, when its day does not exist, its
/// end is not after its start, or (hourly ones in a gap) the previous one still runs.
package struct CivilSchedule: Equatable, Sendable {
    package let zone: Zone
    package let repeats: Bool
    /// How long before start, end and thresholds warnings come; milliseconds, `nil` for no warnings.
    package let warning_ms: Int64?
    private let start: WallPattern
    private let end: WallPattern

    /// Throws `invalidDateComponents`, naming the part.
    package init(_ schedule: Schedule, zone: Zone) throws(CivilTimeError) {
        start = try WallPattern(schedule.intervalStart, "intervalStart")
        end = try WallPattern(schedule.intervalEnd, "intervalEnd", isEnd: true)
        warning_ms = try schedule.warningTime.map { (time) throws(CivilTimeError) -> Int64 in
            if let duration_ms = time.duration_ms { return duration_ms }
            throw .invalidDateComponents(
                "warningTime is not a length of time; give days, hours, minutes or seconds, none below 0")
        }
        repeats = schedule.repeats
        self.zone = zone
    }

    /// Throws `invalidDateComponents` when nothing is left to happen at or after `now_ms`.
    /// - Returns: the occurrence that runs, else the next.
    @discardableResult
    package func requireFuture(now_ms: Int64) throws(CivilTimeError) -> CivilOccurrence {
        if let next = occurrence(endingAfter: now_ms) { return next }
        throw .invalidDateComponents("intervalStart and intervalEnd fit no time from now on")
    }

    // MARK: Questions

    /// The occurrence that runs at `instant_ms`. A schedule that does not repeat has one occurrence in all:
    /// the first that ends after `registered_ms`.
    package func occurrence(containing instant_ms: Int64, registered_ms: Int64? = nil) -> TimeRange? {
        guard let found = current(orNextAfter: instant_ms), found.contains(instant_ms) else { return nil }
        return isReal(found, registered_ms) ? found : nil
    }

    /// The first occurrence that begins after `instant_ms`.
    package func nextOccurrence(after instant_ms: Int64, registered_ms: Int64? = nil) -> TimeRange? {
        var walk = walk(at: instant_ms)
        while let step = walk.next() {
            guard case .occurrence(let found) = step, found.range.start_ms > instant_ms else { continue }
            return isReal(found.range, registered_ms) ? found.range : nil
        }
        return nil
    }

    /// Apple's `nextInterval`: the occurrence that runs, else the next.
    package func current(orNextAfter instant_ms: Int64, registered_ms: Int64? = nil) -> TimeRange? {
        guard let found = occurrence(endingAfter: instant_ms)?.range else { return nil }
        return isReal(found, registered_ms) ? found : nil
    }

    /// The first occurrence that ends after `instant_ms`, of those that nominally begin at `wall_ms` or
    /// later.
    package func occurrence(
        endingAfter instant_ms: Int64, fromWall wall_ms: Int64 = .min
    ) -> CivilOccurrence? {
        var walk = walk(at: instant_ms)
        while let step = walk.next() {
            guard case .occurrence(let found) = step, found.range.end_ms > instant_ms else { continue }
            if found.startWall_ms >= wall_ms { return found }
        }
        return nil
    }

    /// The occurrences that share time with `window`, in order.
    package func occurrences(in window: TimeRange, registered_ms: Int64? = nil) -> [TimeRange] {
        var found: [TimeRange] = []
        var walk = walk(at: window.start_ms)
        while let step = walk.next(), walk.position_ms < window.end_ms {
            guard case .occurrence(let one) = step, one.range.intersection(window) != nil else { continue }
            if isReal(one.range, registered_ms) { found.append(one.range) }
        }
        return found
    }

    /// The occurrences whose nominal day begins in `window` and that do not happen, with the reason.
    package func skipped(in window: TimeRange) -> [SkippedOccurrence] {
        var found: [SkippedOccurrence] = []
        var walk = walk(at: window.start_ms)
        while let step = walk.next(), walk.position_ms < window.end_ms {
            if case .skipped(let one) = step, window.contains(walk.position_ms) { found.append(one) }
        }
        return found
    }

    /// What happens, or does not, within two days of an instant, with where it begins or would begin.
    func steps(around instant_ms: Int64, _ registered_ms: Int64) -> [(step: Walk.Step, start_ms: Int64)] {
        var found: [(step: Walk.Step, start_ms: Int64)] = []
        var walk = walk(at: instant_ms - Self.around_ms)
        while let step = walk.next(), walk.position_ms <= instant_ms + Self.around_ms {
            guard walk.position_ms >= instant_ms - Self.around_ms else { continue }
            if case .occurrence(let one) = step {
                if one.range.end_ms > registered_ms, isReal(one.range, registered_ms) {
                    found.append((step, one.range.start_ms))
                }
            } else if walk.position_ms >= registered_ms {
                found.append((step, walk.position_ms))
            }
        }
        return found
    }

    /// Further than any change of the clock reaches.
    private static let around_ms = 2 * Span.day_ms

    /// When the warning of `occurrence`'s end is due: never before its start.
    package func endWarning_ms(of occurrence: TimeRange) -> Int64? {
        warning_ms.map { max(occurrence.start_ms, occurrence.end_ms - $0) }
    }

    /// When the warning of `occurrence`'s start is due.
    package func startWarning_ms(of occurrence: TimeRange) -> Int64? {
        warning_ms.map { occurrence.start_ms - $0 }
    }

    private func isReal(_ occurrence: TimeRange, _ registered_ms: Int64?) -> Bool {
        guard !repeats, let registered_ms else { return true }
        return current(orNextAfter: registered_ms) == occurrence
    }

    /// A walk that begins early enough to meet what runs at `instant_ms`: two days make up for any clock
    /// change, and two occurrences more tell which of those around a change is put into the one before.
    private func walk(at instant_ms: Int64) -> Walk {
        var from_ms = zone.wall_ms(at: instant_ms) - 2 * Span.day_ms
        for _ in 0..<3 { from_ms = end.last(until: from_ms - 1) ?? 0 }
        return Walk(start: start, end: end, zone: zone, from: from_ms)
    }
}

/// An occurrence and its nominal place: what the wall clock would show at its start and end if no clock ever
/// changed. The nominal place says in every zone which occurrence it is.
package struct CivilOccurrence: Hashable, Sendable {
    package let range: TimeRange
    package let startWall_ms: Int64
    package let endWall_ms: Int64

    package init(range: TimeRange, startWall_ms: Int64, endWall_ms: Int64) {
        self.range = range
        self.startWall_ms = startWall_ms
        self.endWall_ms = endWall_ms
    }
}

/// An occurrence that a clock change leaves no room for.
package struct SkippedOccurrence: Hashable, Sendable, CustomStringConvertible {
    package enum Reason: String, Hashable, Sendable {
        case dayDoesNotExist, endNotAfterStart, previousStillRuns
    }

    /// The nominal day of its start.
    package let date: LocalDate
    /// What a wall clock would show at its start, as ``Zone/wall_ms(at:)``.
    package let startWall_ms: Int64
    package let reason: Reason

    package var description: String {
        switch reason {
        case .dayDoesNotExist: "\(date) does not exist in this zone"
        case .endNotAfterStart: "on \(date) the clock change leaves no time between start and end"
        case .previousStillRuns: "on \(date) the clock change puts the start into the occurrence before"
        }
    }
}

/// Occurrences one after the other.
struct Walk {
    enum Step { case occurrence(CivilOccurrence), skipped(SkippedOccurrence) }

    private let start: WallPattern
    private let end: WallPattern
    private let zone: Zone
    /// The nominal end of the last one, on the wall clock.
    private var wall_ms: Int64
    private var lastEnd_ms = Int64.min
    /// Where the last step begins (would begin) on the real time line.
    private(set) var position_ms = Int64.min

    init(start: WallPattern, end: WallPattern, zone: Zone, from wall_ms: Int64) {
        self.start = start
        self.end = end
        self.zone = zone
        self.wall_ms = wall_ms
    }

    mutating func next() -> Step? {
        guard let startWall_ms = start.first(from: wall_ms) else { return nil }
        guard let endWall_ms = end.first(from: startWall_ms + 1) else { return nil }
        wall_ms = endWall_ms
        let date = LocalDate(dayNumber: Int(startWall_ms.flooredQuotient(Span.day_ms)))
        let start_ms = zone.instant_ms(ofWall: startWall_ms)
        position_ms = start_ms
        func skipped(_ reason: SkippedOccurrence.Reason) -> Step {
            .skipped(SkippedOccurrence(date: date, startWall_ms: startWall_ms, reason: reason))
        }
        if zone.start_ms(of: date) == zone.start_ms(of: date.advanced(by: 1)) {
            return skipped(.dayDoesNotExist)
        }
        guard let interval = TimeRange(start_ms: start_ms, end_ms: zone.instant_ms(ofWall: endWall_ms)) else {
            return skipped(.endNotAfterStart)
        }
        guard start_ms >= lastEnd_ms else {
            return skipped(.previousStillRuns)
        }
        lastEnd_ms = interval.end_ms
        return .occurrence(
            CivilOccurrence(range: interval, startWall_ms: startWall_ms, endWall_ms: endWall_ms))
    }
}
