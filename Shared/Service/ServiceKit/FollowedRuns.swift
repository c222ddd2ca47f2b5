import Bus
import Contract
import Loop
internal import Store

/// The runs of a followed log, as recorded from its events. Stored with the cursor, they locate the point at
/// which a restored log forks from what was read.
@LoopActor final class FollowedRuns {
    private let source: ServiceName
    private let cursors: Cursors
    /// The newest run that is stored; nil if it must be read.
    private var last: String?
    private var partedAfter: Int64?

    init(_ source: ServiceName, _ cursors: Cursors) {
        self.source = source
        self.cursors = cursors
    }

    /// Call when the transaction of the last write was rolled back.
    func discard() {
        last = nil
        partedAfter = nil
    }

    /// Marks what was read after this sequence as no longer part of the log; stored with the next cursor.
    func parted(after sequence: Int64) { partedAfter = sequence }

    /// Call inside a write.
    func forget(after sequence: Int64) throws {
        try cursors.forgetRuns(of: source.rawValue, after: sequence)
        last = nil
    }

    /// Records the runs that begin with these events or, without events, with the cursor. Call inside a
    /// write.
    func note(_ events: [ReceivedEvent], _ cursor: Cursor) throws {
        if let partedAfter { try forget(after: partedAfter) }
        partedAfter = nil
        for event in events { try note(event.run, from: event.sequence) }
        guard events.isEmpty, cursor.sequence > 0, !cursor.run.isEmpty else { return }
        try note(cursor.run, from: cursor.sequence)
    }

    /// Whether ``note(_:_:)`` has nothing to write for these events.
    func know(_ events: [ReceivedEvent]) -> Bool {
        partedAfter == nil && events.allSatisfy { $0.run == last }
    }

    private func note(_ run: String, from first: Int64) throws {
        if last == nil { last = try cursors.runs(of: source.rawValue).last?.id }
        guard run != last else { return }
        try cursors.note(StoredRun(id: run, first: first), of: source.rawValue)
        last = run
    }

    /// The last position that the follower and the log have in common. Nil if there is none.
    func common(with fork: ForkedLog) throws -> Cursor? {
        guard fork.epoch == fork.cursor.epoch else { return nil }
        let known = try cursors.runs(of: source.rawValue)
        for (index, run) in known.enumerated().reversed() {
            guard let other = fork.runs.firstIndex(where: { $0.id == run.id }) else { continue }
            let end = index + 1 < known.count ? known[index + 1].first - 1 : fork.cursor.sequence
            let otherEnd = other + 1 < fork.runs.count ? fork.runs[other + 1].first - 1 : fork.head
            return Cursor(epoch: fork.epoch, sequence: min(end, otherEnd), run: run.id)
        }
        // The log was read from its first event, by a run that is not in it: they fork before the first
        // event.
        return known.first?.first == 1 ? Cursor(epoch: fork.epoch, sequence: 0) : nil
    }
}

extension ForkedLog {
    /// Where to continue if no common position is known. A new epoch was published to nobody before, so all
    /// of it is read. In the same epoch nothing up to the head is delivered again.
    var start: Int64 { epoch == cursor.epoch ? head : 0 }
}

extension Cursor {
    init(_ stored: Cursors.Cursor) {
        self.init(
            epoch: stored.epoch, sequence: stored.sequence, run: stored.run,
            isRebuilding: stored.isRebuilding)
    }
}

extension Cursors.Cursor {
    init(_ cursor: Cursor) {
        self.init(
            epoch: cursor.epoch, sequence: cursor.sequence, run: cursor.run,
            isRebuilding: cursor.isRebuilding)
    }
}
