package import Rules
package import Units

/// An occurrence that a clock change (daylight saving) skips, or moves to other times than the schedule
/// names.
package struct AlteredOccurrence: Hashable, Sendable {
    /// Nominal date of its start.
    package let date: LocalDate
    /// When it starts, or would have started.
    package let start: Instant
    /// True: it does not occur. False: it is moved.
    package let isSkipped: Bool
    /// What happens and why, for a person.
    package let explanation: String
}

extension Zone {
    /// Instants in `window` at which the zone's offset changes, at most one a day.
    package func clockChanges(in window: TimeRange) -> [Instant] {
        var changes: [Instant] = []
        var from = window.start
        while from < window.end {
            let until = min(from + Milliseconds.day, window.end)
            if let change = offsetChange(after: from, until: until) { changes.append(change) }
            from = until
        }
        return changes
    }
}

extension CivilSchedule {
    /// The occurrences that one clock change skips or moves.
    /// - Parameters:
    ///   - change: one of the zone's `clockChanges`.
    ///   - registered: occurrences before this instant did not exist.
    package func altered(by change: Instant, registered: Instant) -> [AlteredOccurrence] {
        let clock = ClockChange(zone, at: change)
        return steps(around: change, registered).compactMap { step, start in
            switch step {
            case .skipped(let one):
                return AlteredOccurrence(
                    date: one.date, start: start, isSkipped: true,
                    explanation: clock.leftOut(one))
            case .occurrence(let one):
                guard let moved = clock.moved(one) else { return nil }
                return AlteredOccurrence(
                    date: one.startDate, start: start, isSkipped: false,
                    explanation: "\(one.startDate): \(moved)")
            }
        }
    }
}

extension CivilOccurrence {
    fileprivate var startDate: LocalDate {
        LocalDate(dayNumber: Int(startWall.flooredQuotient(Milliseconds.day)))
    }
}

/// Describes a clock change.
private struct ClockChange {
    private let zone: Zone
    /// Wall time before and after it.
    private let from: Milliseconds
    private let to: Milliseconds

    init(_ zone: Zone, at: Instant) {
        self.zone = zone
        from = at.sinceEpoch + zone.offset(at: at - 1)
        to = zone.wall(at: at)
    }

    private var sentence: String {
        let isSameDay = from.flooredQuotient(Milliseconds.day) == to.flooredQuotient(Milliseconds.day)
        return "the clock goes from \(Self.clock(from, withDate: !isSameDay)) to "
            + Self.clock(to, withDate: !isSameDay)
    }

    /// Describes a skipped occurrence by its nominal date and start, because there may be several on one day.
    func leftOut(_ one: SkippedOccurrence) -> String {
        "\(one.date) \(Self.clock(one.startWall)): left out, \(reason(of: one.reason))"
    }

    private func reason(of reason: SkippedOccurrence.Reason) -> String {
        switch reason {
        case .dayDoesNotExist: "because the zone \(zone.identifier) has no such day"
        case .endNotAfterStart: "because \(sentence), which leaves no time between its start and its end"
        case .previousStillRuns: "because \(sentence), which puts its start into the one before"
        }
    }

    /// Describes a moved occurrence; nil if it is at the time of the schedule.
    func moved(_ one: CivilOccurrence) -> String? {
        var parts: [String] = []
        let edges = [
            ("begins", one.startWall, one.range.start), ("ends", one.endWall, one.range.end),
        ]
        for (verb, wall, at) in edges {
            let real = zone.wall(at: at)
            guard real != wall else { continue }
            let isSameDay = real.flooredQuotient(Milliseconds.day) == wall.flooredQuotient(Milliseconds.day)
            parts.append(
                "\(verb) at \(Self.clock(real, withDate: !isSameDay)) instead of "
                    + Self.clock(wall, withDate: !isSameDay))
        }
        return parts.isEmpty ? nil : parts.joined(separator: " and ") + ", because \(sentence)"
    }

    /// `HH:MM`, with seconds if they are not 0, preceded by the date if it differs from the other's.
    private static func clock(_ wall: Milliseconds, withDate: Bool) -> String {
        let date = LocalDate(dayNumber: Int(wall.flooredQuotient(Milliseconds.day)))
        return withDate ? "\(date) \(clock(wall))" : clock(wall)
    }

    private static func clock(_ wall: Milliseconds) -> String {
        let seconds = wall.flooredRemainder(Milliseconds.day) / Milliseconds.second
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = "\(two(seconds / 3_600)):\(two(seconds / 60 % 60))"
        return seconds % 60 == 0 ? minutes : "\(minutes):\(two(seconds % 60))"
    }
}
