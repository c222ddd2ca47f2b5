package import Units

/// The inputs that determine one event's threshold in one occurrence.
package struct ThresholdQuestion: Sendable {
    /// What counts, and the threshold.
    package var event: EventRule
    /// The occurrence in which it counts.
    package var occurrence: TimeRange
    /// When the activity was registered, or the event last changed.
    package var registered: Instant
    /// How long before the threshold the warning is due; nil for none.
    package var warning: Milliseconds?
    /// The present instant.
    package var now: Instant

    package init(
        event: EventRule, occurrence: TimeRange, registered: Instant, warning: Milliseconds? = nil,
        now: Instant
    ) {
        self.event = event
        self.occurrence = occurrence
        self.registered = registered
        self.warning = warning
        self.now = now
    }
}

/// The state of an event. Each instant is the first millisecond with a sufficient total. None is after the
/// occurrence's end; one at the end itself still counts.
package struct ThresholdAnswer: Hashable, Sendable {
    /// Start of counting: the later of the occurrence's start and the registration.
    package var countedFrom: Instant
    /// Use counted up to now.
    package var total: Milliseconds
    /// When the threshold was reached; at most now.
    package var crossing: Instant?
    /// When the warning was due; at most now. A warning time longer than the threshold is due at the start of
    /// counting.
    package var warning: Instant?
    /// When the threshold will be reached if present use continues; after now.
    package var nextCrossing: Instant?
    /// When the warning will be due if present use continues; after now.
    package var nextWarning: Instant?
}

extension ThresholdQuestion {
    /// Computes the state.
    /// - Parameters:
    ///   - devices: the member's closed use, each device once; use outside the occurrence is ignored.
    ///   - running: use in progress, by device.
    package func answer(
        _ devices: [DeviceUse], running: [String: [RunningUse]] = [:], _ catalogue: Catalogue = Catalogue()
    ) -> ThresholdAnswer {
        let from =
            event.includesPastActivity ? occurrence.start : max(occurrence.start, registered)
        var answer = ThresholdAnswer(countedFrom: from, total: 0)
        guard let counted = TimeRange(start: from, end: occurrence.end) else { return answer }
        let clipped = Self.extended(devices, running, until: occurrence.end).map {
            $0.clipped(to: counted)
        }
        let growth = Growth(of: event.summands(of: clipped, catalogue), from: from)
        answer.total = growth.total(at: now)
        let crossing = growth.first(reaching: event.threshold)
        let due = warning.flatMap { growth.first(reaching: max(0, event.threshold - $0)) }
        if let crossing, crossing <= now { answer.crossing = crossing }
        if let crossing, crossing > now { answer.nextCrossing = crossing }
        if let due, due <= now { answer.warning = due }
        if let due, due > now { answer.nextWarning = due }
        return answer
    }

    /// The devices with use in progress extended to `end`.
    private static func extended(
        _ devices: [DeviceUse], _ running: [String: [RunningUse]], until end: Instant
    ) -> [DeviceUse] {
        var whole = devices
        for (name, uses) in running {
            let index: Int
            if let known = whole.firstIndex(where: { $0.device == name }) {
                index = known
            } else {
                index = whole.count
                whole.append(DeviceUse(device: name))
            }
            for use in uses {
                guard let interval = TimeRange(start: use.start, end: end) else { continue }
                whole[index].uses[use.subject, default: IntervalSet()].insert(interval)
            }
        }
        return whole
    }
}

extension DeviceUse {
    /// The uses within `window`; marks stay.
    package func clipped(to window: TimeRange) -> DeviceUse {
        DeviceUse(device: device, uses: uses.mapValues { $0.clipped(to: window) }, marks: marks)
    }
}

/// The sum of interval sets over time: piecewise linear, steeper while more summands are in use.
struct Growth {
    /// From `start` on, `total` grows by `rate` per millisecond until the next piece.
    private struct Piece {
        let start: Instant
        let total: Milliseconds
        let rate: Int64
    }

    /// Sorted by start; the last one has rate 0.
    private var pieces: [Piece]

    /// `summands` must not begin before `from`.
    init(of summands: [IntervalSet], from: Instant) {
        var edges: [(at: Instant, step: Int64)] = []
        edges.reserveCapacity(2 * summands.reduce(0) { $0 + $1.intervals.count })
        for summand in summands {
            for interval in summand.intervals {
                edges.append((interval.start, 1))
                edges.append((interval.end, -1))
            }
        }
        if summands.count > 1 { edges.sort { $0.at < $1.at } }
        var piece = Piece(start: from, total: 0, rate: 0)
        pieces = []
        for edge in edges {
            if edge.at > piece.start {
                pieces.append(piece)
                let grown = piece.total + piece.rate * (edge.at - piece.start)
                piece = Piece(start: edge.at, total: grown, rate: piece.rate + edge.step)
            } else {
                piece = Piece(
                    start: piece.start, total: piece.total, rate: piece.rate + edge.step)
            }
        }
        pieces.append(piece)
    }

    /// The sum of everything before `instant`.
    func total(at instant: Instant) -> Milliseconds {
        guard let piece = pieces.last(where: { $0.start <= instant }) else { return 0 }
        return piece.total + piece.rate * (instant - piece.start)
    }

    /// The first millisecond at which the total is `goal` or more; `nil` if never.
    func first(reaching goal: Milliseconds) -> Instant? {
        for (index, piece) in pieces.enumerated() {
            if piece.total >= goal { return piece.start }
            guard piece.rate > 0 else { continue }
            let reached = piece.start + (goal - piece.total + Milliseconds(piece.rate - 1)) / piece.rate
            let isLast = index + 1 == pieces.count
            if isLast || reached < pieces[index + 1].start { return reached }
        }
        return nil
    }
}
