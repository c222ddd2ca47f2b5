package import Contract
package import Rules
package import Units

/// Apple's DeviceActivitySchedule in one zone.
///
/// The rules are in docs/time.md. Wall times that match `start` and `end` are determined on the wall clock as
/// if it had no daylight-saving changes. An occurrence extends from a start to the first end after it. The
/// next one begins at the first start at or after that end, so occurrences never overlap. If `end` is not
/// later on the clock than `start`, the occurrence extends over midnight; equal times make 24 nominal hours,
/// and hour 24 is the end of its day. Only then are both mapped to instants: a time in a spring gap moves
/// forward by the gap; of a repeated time, the first counts. An occurrence is skipped, and `skipped` explains
/// it, if its day does not exist, its end is not after its start, or (hourly ones in a gap) the previous one
/// still runs.
package struct CivilSchedule: Equatable, Sendable {
    /// The zone of the wall times.
    package let zone: Zone
    /// Whether there is more than one occurrence.
    package let repeats: Bool
    /// How long before start, end and thresholds a warning is due; nil for no warnings.
    package let warning: Milliseconds?
    private let start: WallPattern
    private let end: WallPattern

    /// Throws `invalidDateComponents`, naming the component.
    package init(_ schedule: Schedule, zone: Zone) throws(CivilTimeError) {
        start = try WallPattern(schedule.intervalStart, "intervalStart")
        end = try WallPattern(schedule.intervalEnd, "intervalEnd", isEnd: true)
        warning = try schedule.warningTime.map { (time) throws(CivilTimeError) -> Milliseconds in
            if let duration = time.duration { return duration }
            throw .invalidDateComponents(
                "warningTime is not a duration; give days, hours, minutes or seconds, none below 0")
        }
        repeats = schedule.repeats
        self.zone = zone
    }

    /// Throws `invalidDateComponents` if no occurrence ends after `now`.
    /// - Returns: the current occurrence, or else the next.
    @discardableResult
    package func requireFuture(now: Instant) throws(CivilTimeError) -> CivilOccurrence {
        if let next = occurrence(endingAfter: now) { return next }
        throw .invalidDateComponents("intervalStart and intervalEnd match no time from now on")
    }

    // MARK: Questions

    /// The occurrence that contains `instant`. A schedule that does not repeat has only one occurrence: the
    /// first that ends after `registered`.
    package func occurrence(containing instant: Instant, registered: Instant? = nil) -> TimeRange? {
        guard let found = current(orNextAfter: instant), found.contains(instant) else { return nil }
        return isReal(found, registered) ? found : nil
    }

    /// The first occurrence that starts after `instant`.
    package func nextOccurrence(after instant: Instant, registered: Instant? = nil) -> TimeRange? {
        var walk = walk(at: instant)
        while let step = walk.next() {
            guard case .occurrence(let found) = step, found.range.start > instant else { continue }
            return isReal(found.range, registered) ? found.range : nil
        }
        return nil
    }

    /// Apple's `nextInterval`: the current occurrence, or else the next.
    package func current(orNextAfter instant: Instant, registered: Instant? = nil) -> TimeRange? {
        guard let found = occurrence(endingAfter: instant)?.range else { return nil }
        return isReal(found, registered) ? found : nil
    }

    /// The first occurrence that ends after `instant` and starts nominally at `wall` or later.
    package func occurrence(
        endingAfter instant: Instant, fromWall wall: Milliseconds = .min
    ) -> CivilOccurrence? {
        var walk = walk(at: instant)
        while let step = walk.next() {
            guard case .occurrence(let found) = step, found.range.end > instant else { continue }
            if found.startWall >= wall { return found }
        }
        return nil
    }

    /// The occurrences that overlap `window`, in order.
    package func occurrences(in window: TimeRange, registered: Instant? = nil) -> [TimeRange] {
        var found: [TimeRange] = []
        var walk = walk(at: window.start)
        while let step = walk.next(), walk.position < window.end {
            guard case .occurrence(let one) = step, one.range.intersection(window) != nil else { continue }
            if isReal(one.range, registered) { found.append(one.range) }
        }
        return found
    }

    /// The skipped occurrences whose nominal day starts in `window`, with the reason.
    package func skipped(in window: TimeRange) -> [SkippedOccurrence] {
        var found: [SkippedOccurrence] = []
        var walk = walk(at: window.start)
        while let step = walk.next(), walk.position < window.end {
            if case .skipped(let one) = step, window.contains(walk.position) { found.append(one) }
        }
        return found
    }

    /// Occurrences and skipped ones within two days of an instant, with their real or hypothetical start.
    func steps(
        around instant: Instant, _ registered: Instant
    ) -> [(step: OccurrenceIterator.Step, start: Instant)] {
        var found: [(step: OccurrenceIterator.Step, start: Instant)] = []
        var walk = walk(at: instant - Self.around)
        while let step = walk.next(), walk.position <= instant + Self.around {
            guard walk.position >= instant - Self.around else { continue }
            if case .occurrence(let one) = step {
                if one.range.end > registered, isReal(one.range, registered) {
                    found.append((step, one.range.start))
                }
            } else if walk.position >= registered {
                found.append((step, walk.position))
            }
        }
        return found
    }

    /// Longer than the effect of any clock change.
    private static let around = Milliseconds.days(2)

    /// When the warning of `occurrence`'s end is due; not before its start.
    package func endWarning(of occurrence: TimeRange) -> Instant? {
        warning.map { max(occurrence.start, occurrence.end - $0) }
    }

    /// When the warning of `occurrence`'s start is due.
    package func startWarning(of occurrence: TimeRange) -> Instant? {
        warning.map { occurrence.start - $0 }
    }

    private func isReal(_ occurrence: TimeRange, _ registered: Instant?) -> Bool {
        guard !repeats, let registered else { return true }
        return current(orNextAfter: registered) == occurrence
    }

    /// A walk that starts early enough to include the occurrence that runs at `instant`. Two days compensate
    /// any clock change, and two more occurrences decide which of those around a change overlaps the previous
    /// one.
    private func walk(at instant: Instant) -> OccurrenceIterator {
        var from = zone.wall(at: instant) - Milliseconds.days(2)
        for _ in 0..<3 { from = end.last(until: from - 1) ?? 0 }
        return OccurrenceIterator(start: start, end: end, zone: zone, from: from)
    }
}

/// An occurrence with its nominal position: the wall times of its start and end without clock changes. The
/// nominal position identifies the occurrence in every zone.
package struct CivilOccurrence: Hashable, Sendable {
    /// Its real start and end.
    package let range: TimeRange
    /// Nominal start, see ``Zone/wall(at:)``.
    package let startWall: Milliseconds
    /// Nominal end, see ``Zone/wall(at:)``.
    package let endWall: Milliseconds

    package init(range: TimeRange, startWall: Milliseconds, endWall: Milliseconds) {
        self.range = range
        self.startWall = startWall
        self.endWall = endWall
    }
}

/// An occurrence that a clock change leaves no time for.
package struct SkippedOccurrence: Hashable, Sendable, CustomStringConvertible {
    /// Why an occurrence is skipped.
    package enum Reason: String, Hashable, Sendable {
        case dayDoesNotExist, endNotAfterStart, previousStillRuns
    }

    /// Nominal date of its start.
    package let date: LocalDate
    /// Nominal start, see ``Zone/wall(at:)``.
    package let startWall: Milliseconds
    /// Why it is skipped.
    package let reason: Reason

    package var description: String {
        switch reason {
        case .dayDoesNotExist: "\(date) does not exist in this zone"
        case .endNotAfterStart: "on \(date) the clock change leaves no time between start and end"
        case .previousStillRuns: "on \(date) the clock change moves the start into the previous occurrence"
        }
    }
}

/// Iterates over occurrences in order.
struct OccurrenceIterator {
    enum Step { case occurrence(CivilOccurrence), skipped(SkippedOccurrence) }

    private let start: WallPattern
    private let end: WallPattern
    private let zone: Zone
    /// Nominal end of the last one.
    private var wall: Milliseconds
    private var lastEnd = Instant.min
    /// Real or hypothetical start of the last step.
    private(set) var position = Instant.min

    init(start: WallPattern, end: WallPattern, zone: Zone, from wall: Milliseconds) {
        self.start = start
        self.end = end
        self.zone = zone
        self.wall = wall
    }

    mutating func next() -> Step? {
        guard let startWall = start.first(from: wall) else { return nil }
        guard let endWall = end.first(from: startWall + 1) else { return nil }
        wall = endWall
        let date = LocalDate(dayNumber: Int(startWall.flooredQuotient(Milliseconds.day)))
        let start = zone.instant(ofWall: startWall)
        position = start
        func skipped(_ reason: SkippedOccurrence.Reason) -> Step {
            .skipped(SkippedOccurrence(date: date, startWall: startWall, reason: reason))
        }
        if zone.start(of: date) == zone.start(of: date.advanced(by: 1)) {
            return skipped(.dayDoesNotExist)
        }
        guard let interval = TimeRange(start: start, end: zone.instant(ofWall: endWall)) else {
            return skipped(.endNotAfterStart)
        }
        guard start >= lastEnd else {
            return skipped(.previousStillRuns)
        }
        lastEnd = interval.end
        return .occurrence(
            CivilOccurrence(range: interval, startWall: startWall, endWall: endWall))
    }
}
