/// Everything that decides one event's threshold in one occurrence.
package struct ThresholdQuestion: Sendable {
    package var event: EventRule
    package var occurrence: TimeRange
    /// When the activity was registered, or the event changed; UTC milliseconds.
    package var registered_ms: Int64
    /// How long before the threshold the warning comes; `nil` for none.
    package var warning_ms: Int64?
    package var now_ms: Int64

    package init(
        event: EventRule, occurrence: TimeRange, registered_ms: Int64, warning_ms: Int64? = nil, now_ms: Int64
    ) {
        self.event = event
        self.occurrence = occurrence
        self.registered_ms = registered_ms
        self.warning_ms = warning_ms
        self.now_ms = now_ms
    }
}

/// Where the event stands. Every instant is the first millisecond with total ≥ what was asked for; none is
/// after the occurrence's end, and one at the end itself still counts.
package struct ThresholdAnswer: Hashable, Sendable {
    /// Where counting starts: the later of the occurrence's start and the registration.
    package var countedFrom_ms: Int64
    /// Time counted up to now.
    package var total_ms: Int64
    /// When the threshold was reached; at most now.
    package var crossing_ms: Int64?
    /// When the warning was due; at most now. A warning longer than the threshold is due where counting
    /// starts.
    package var warning_ms: Int64?
    /// When the threshold will be reached if what runs now goes on; after now.
    package var nextCrossing_ms: Int64?
    package var nextWarning_ms: Int64?
}

extension ThresholdQuestion {
    /// - devices: the member's closed use, each device once; what lies outside the occurrence does not
    ///   matter.
    /// - running: by device, what is in use now.
    package func answer(
        _ devices: [DeviceUse], running: [String: [RunningUse]] = [:], _ catalogue: Catalogue = Catalogue()
    ) -> ThresholdAnswer {
        let from_ms =
            event.includesPastActivity ? occurrence.start_ms : max(occurrence.start_ms, registered_ms)
        var answer = ThresholdAnswer(countedFrom_ms: from_ms, total_ms: 0)
        guard let counted = TimeRange(start_ms: from_ms, end_ms: occurrence.end_ms) else { return answer }
        let clipped = Self.extended(devices, running, until: occurrence.end_ms).map {
            $0.clipped(to: counted)
        }
        let growth = Growth(of: event.summands(of: clipped, catalogue), from: from_ms)
        answer.total_ms = growth.total_ms(at: now_ms)
        let crossing_ms = growth.first_ms(reaching: event.threshold_ms)
        let due_ms = warning_ms.flatMap { growth.first_ms(reaching: max(0, event.threshold_ms - $0)) }
        if let crossing_ms, crossing_ms <= now_ms { answer.crossing_ms = crossing_ms }
        if let crossing_ms, crossing_ms > now_ms { answer.nextCrossing_ms = crossing_ms }
        if let due_ms, due_ms <= now_ms { answer.warning_ms = due_ms }
        if let due_ms, due_ms > now_ms { answer.nextWarning_ms = due_ms }
        return answer
    }

    /// The devices with what runs now going on until `end_ms`.
    private static func extended(
        _ devices: [DeviceUse], _ running: [String: [RunningUse]], until end_ms: Int64
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
                guard let interval = TimeRange(start_ms: use.start_ms, end_ms: end_ms) else { continue }
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

/// How a sum of interval sets grows: straight pieces, steeper while more summands are in use.
struct Growth {
    /// From `start_ms` on, `total_ms` grows by `rate` each millisecond, until the next piece.
    private struct Piece {
        let start_ms: Int64
        let total_ms: Int64
        let rate: Int64
    }

    /// Sorted by start; the last one has rate 0.
    private var pieces: [Piece]

    /// `summands` must not begin before `from_ms`.
    init(of summands: [IntervalSet], from from_ms: Int64) {
        var edges: [(at_ms: Int64, step: Int64)] = []
        edges.reserveCapacity(2 * summands.reduce(0) { $0 + $1.intervals.count })
        for summand in summands {
            for interval in summand.intervals {
                edges.append((interval.start_ms, 1))
                edges.append((interval.end_ms, -1))
            }
        }
        if summands.count > 1 { edges.sort { $0.at_ms < $1.at_ms } }
        var piece = Piece(start_ms: from_ms, total_ms: 0, rate: 0)
        pieces = []
        for edge in edges {
            if edge.at_ms > piece.start_ms {
                pieces.append(piece)
                let grown_ms = piece.total_ms + piece.rate * (edge.at_ms - piece.start_ms)
                piece = Piece(start_ms: edge.at_ms, total_ms: grown_ms, rate: piece.rate + edge.step)
            } else {
                piece = Piece(
                    start_ms: piece.start_ms, total_ms: piece.total_ms, rate: piece.rate + edge.step)
            }
        }
        pieces.append(piece)
    }

    /// The sum of everything before `instant_ms`.
    func total_ms(at instant_ms: Int64) -> Int64 {
        guard let piece = pieces.last(where: { $0.start_ms <= instant_ms }) else { return 0 }
        return piece.total_ms + piece.rate * (instant_ms - piece.start_ms)
    }

    /// The first millisecond at which the total is `goal_ms` or more; `nil` if never.
    func first_ms(reaching goal_ms: Int64) -> Int64? {
        for (index, piece) in pieces.enumerated() {
            if piece.total_ms >= goal_ms { return piece.start_ms }
            guard piece.rate > 0 else { continue }
            let reached_ms = piece.start_ms + (goal_ms - piece.total_ms + piece.rate - 1) / piece.rate
            let isLast = index + 1 == pieces.count
            if isLast || reached_ms < pieces[index + 1].start_ms { return reached_ms }
        }
        return nil
    }
}
