package import Rules

/// An occurrence that a clock change leaves out, or puts to other times than the schedule names.
package struct AlteredOccurrence: Hashable, Sendable {
    /// The nominal day of its start.
    package let date: LocalDate
    /// When it begins, or would begin, on the real time line.
    package let start_ms: Int64
    package let isSkipped: Bool
    /// For a person: what happens, and why.
    package let explanation: String
}

extension Zone {
    /// When the wall clock is set in `window`, at most once a day.
    package func clockChanges(in window: TimeRange) -> [Int64] {
        var changes: [Int64] = []
        var from_ms = window.start_ms
        while from_ms < window.end_ms {
            let until_ms = min(from_ms + Span.day_ms, window.end_ms)
            if let change = offsetChange(after: from_ms, until: until_ms) { changes.append(change) }
            from_ms = until_ms
        }
        return changes
    }
}

extension CivilSchedule {
    /// The occurrences that one change of the clock leaves out or moves.
    /// - Parameters:
    ///   - change_ms: one of the zone's `clockChanges`.
    ///   - registered_ms: what lies before it never was.
    package func altered(by change_ms: Int64, registered_ms: Int64) -> [AlteredOccurrence] {
        let clock = ClockChange(zone, at_ms: change_ms)
        return steps(around: change_ms, registered_ms).compactMap { step, start_ms in
            switch step {
            case .skipped(let one):
                return AlteredOccurrence(
                    date: one.date, start_ms: start_ms, isSkipped: true,
                    explanation: clock.leftOut(one))
            case .occurrence(let one):
                guard let moved = clock.moved(one) else { return nil }
                return AlteredOccurrence(
                    date: one.startDate, start_ms: start_ms, isSkipped: false,
                    explanation: "\(one.startDate): \(moved)")
            }
        }
    }
}

extension CivilOccurrence {
    fileprivate var startDate: LocalDate {
        LocalDate(dayNumber: Int(startWall_ms.flooredQuotient(Span.day_ms)))
    }
}

/// A change of the clock, in words.
private struct ClockChange {
    private let zone: Zone
    /// What the wall clock shows before it and after it.
    private let from_ms: Int64
    private let to_ms: Int64

    init(_ zone: Zone, at_ms: Int64) {
        self.zone = zone
        from_ms = at_ms + zone.offset_ms(at: at_ms - 1)
        to_ms = zone.wall_ms(at: at_ms)
    }

    private var sentence: String {
        let isSameDay = from_ms.flooredQuotient(Span.day_ms) == to_ms.flooredQuotient(Span.day_ms)
        return "the clock goes from \(Self.clock(from_ms, withDate: !isSameDay)) to "
            + Self.clock(to_ms, withDate: !isSameDay)
    }

    /// What does not happen, by its day and start as the schedule has them: there may be several in a day.
    func leftOut(_ one: SkippedOccurrence) -> String {
        "\(one.date) \(Self.clock(one.startWall_ms)): left out, \(reason(of: one.reason))"
    }

    private func reason(of reason: SkippedOccurrence.Reason) -> String {
        switch reason {
        case .dayDoesNotExist: "because the zone \(zone.identifier) has no such day"
        case .endNotAfterStart: "because \(sentence), which leaves no time between its start and its end"
        case .previousStillRuns: "because \(sentence), which puts its start into the one before"
        }
    }

    /// Nil: it is where the schedule has it.
    func moved(_ one: CivilOccurrence) -> String? {
        var parts: [String] = []
        let edges = [
            ("begins", one.startWall_ms, one.range.start_ms), ("ends", one.endWall_ms, one.range.end_ms),
        ]
        for (verb, wall_ms, at_ms) in edges {
            let real_ms = zone.wall_ms(at: at_ms)
            guard real_ms != wall_ms else { continue }
            let isSameDay = real_ms.flooredQuotient(Span.day_ms) == wall_ms.flooredQuotient(Span.day_ms)
            parts.append(
                "\(verb) at \(Self.clock(real_ms, withDate: !isSameDay)) instead of "
                    + Self.clock(wall_ms, withDate: !isSameDay))
        }
        return parts.isEmpty ? nil : parts.joined(separator: " and ") + ", because \(sentence)"
    }

    /// `HH:MM`, with seconds where there are some; after the day where it is not that of the other.
    private static func clock(_ wall_ms: Int64, withDate: Bool) -> String {
        let date = LocalDate(dayNumber: Int(wall_ms.flooredQuotient(Span.day_ms)))
        return withDate ? "\(date) \(clock(wall_ms))" : clock(wall_ms)
    }

    private static func clock(_ wall_ms: Int64) -> String {
        let seconds = wall_ms.flooredRemainder(Span.day_ms) / Span.second_ms
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = "\(two(seconds / 3_600)):\(two(seconds / 60 % 60))"
        return seconds % 60 == 0 ? minutes : "\(minutes):\(two(seconds % 60))"
    }
}
