import Bus
internal import Contract
internal import Loop
internal import Store
import Units

/// Connects an EventFollower to the service's store: effects and cursor are written in one transaction.
@LoopActor final class Follower {
    let service: Service
    let following: Following
    let source: ServiceName
    private var follower: EventFollower?
    private var wantsReset = false
    let runs: FollowedRuns
    /// The cursor up to which all effects are in the store. The stored one is behind by the events that had
    /// none (``passes(_:_:)``).
    private(set) var committed: Cursor
    /// How many events, with how many bytes, ``committed`` is ahead of the stored cursor.
    private var passed = (count: 0, bytes: 0)
    /// A tenth of a log at most: an owner trims its log when it is a tenth over its size.
    private let passedMax: (count: Int, bytes: Int)
    private var pauseTimer: TimerToken?
    /// The cursor of what is applied, counting the uncommitted turn.
    private(set) var applied: Cursor
    private var rebuildKey: String { "rebuild.\(source.rawValue)" }
    /// Why the copy is being rebuilt; nil if it is not.
    private var rebuildReason: String?
    /// Where the copy was complete before the rebuild; nil: it is complete, or it never was. A setting keeps
    /// it. Below, the committed one.
    private var complete: Cursor?
    private var committedComplete: Cursor?
    private var completeKey: String { Self.completeKey(of: source) }
    static func completeKey(of source: ServiceName) -> String { "complete.\(source.rawValue)" }
    /// Whether the log that the present snapshot is of continues the one that was read before.
    private var isContinued = true
    /// When the present snapshot was made.
    private var described = ""
    /// Whether this turn applied any event.
    private var isUncommitted = false
    private var failuresInARow = 0

    init(_ service: Service, _ source: ServiceName, _ following: Following) throws {
        self.service = service
        self.source = source
        self.following = following
        let configuration = service.configuration
        passedMax = (
            min(1000, Int(configuration.logEventsKept / 10)), Int(configuration.logBytesKept / 10)
        )
        let stored = try service.cursors.get(source.rawValue)
        committed = stored.map(Cursor.init) ?? Cursor(epoch: "", sequence: 0)
        // A source without `reset` is never rebuilt.
        if following.reset == nil { committed.isRebuilding = false }
        runs = FollowedRuns(source, service.cursors)
        applied = committed
        if committed.isRebuilding {
            complete = try Settings(service.database).get(completeKey).flatMap { Cursor(stored: $0) }
            committedComplete = complete
        }
        follower = try EventFollower(
            source, in: service.transport, client: service.client(source), cursor: committed,
            output: output())
        if committed.isRebuilding { reportRebuilding() }
    }

    /// Lets the copy of `source`, of which a part is lost, be rebuilt from a snapshot when it is followed.
    /// Call it before, inside a write.
    static func discardCopy(of source: ServiceName, in database: Database) throws {
        let cursors = Cursors(database)
        guard let present = try cursors.get(source.rawValue), !present.isRebuilding else { return }
        // Until there it was complete: by this an owner that lost data is recognised.
        try Settings(database).set(completeKey(of: source), Cursor(present).text)
        try cursors.set(
            source.rawValue,
            Cursors.Cursor(
                epoch: present.epoch, sequence: present.sequence, run: present.run, isRebuilding: true))
    }

    private func output() -> FollowerOutput {
        var output = FollowerOutput(
            deliver: { [weak self] in self?.deliver($0, $1) }, reset: nil,
            lost: { [weak self] in self?.lost($0) },
            forked: { [weak self] in self?.forked($0) ?? .stop },
            stalled: { [weak self] in self?.stalled($0) },
            live: { [weak self] in self?.following.live?() },
            refused: { [weak self] in self?.service.refused($0, $1) })
        if following.reset != nil { output.reset = { [weak self] in self?.willReset($0) } }
        return output
    }

    private func willReset(_ log: EventsRuns.Result) {
        wantsReset = true
        guard let last = lastComplete else { return isContinued = true }
        isContinued = log.continues(last)
        // A rebuild for another reason came before the fork was found.
        guard !isContinued, rebuildReason != restored else { return }
        reportLostData(ForkedLog(cursor: last, epoch: log.epoch, head: log.head, runs: log.runs))
    }

    /// Where the copy was complete at last; nil if it never was.
    private var lastComplete: Cursor? {
        complete ?? (applied.isRebuilding || applied.sequence == 0 ? nil : applied)
    }

    private func reportRebuilding() {
        let reason = rebuildReason ?? "it is not complete yet"
        service.setNotActing(
            rebuildKey,
            "\(consequence): the copy of \(source.rawValue) is being rebuilt: \(reason)")
    }

    private func reportRebuilt() {
        rebuildReason = nil
        service.setNotActing(rebuildKey, nil)
    }

    /// Writes the cursor if it is ahead of the stored one: what was read and lost by a restored owner is
    /// recognised by it. Call it before the last commit.
    func storeCursor() {
        guard passed.count > 0, !isUncommitted else { return }
        do {
            try service.transact(trace: nil) { _ in
                try service.cursors.set(source.rawValue, Cursors.Cursor(committed))
            }
        } catch {
            service.log.warning(
                "the position in a followed log could not be stored; its events are read again",
                [("source", .text(source.rawValue)), ("error", .name(of: error))])
        }
    }

    func close() {
        if let pauseTimer { service.loop.cancel(pauseTimer) }
        pauseTimer = nil
        follower?.close()
    }

    /// Call when the turn's commit failed. The cursor returns to the committed one and nothing is delivered
    /// until the pause ends. Otherwise a later live event could be committed and move the cursor past the
    /// failed one.
    func rewind() {
        guard isUncommitted else { return }
        isUncommitted = false
        applied = committed
        complete = committedComplete
        // A rebuild that was not committed has not begun; a fork is detected again.
        if !committed.isRebuilding { reportRebuilt() }
        wantsReset = false
        runs.discard()
        follower?.pause(at: committed)
        if let pauseTimer { service.loop.cancel(pauseTimer) }
        pauseTimer = service.loop.after(pause) { [weak self] in
            self?.pauseTimer = nil
            self?.follower?.resume()
        }
    }

    /// The cause of a failed commit rarely disappears at once, and an event that always fails also undoes the
    /// other events of its turn. The pause therefore grows.
    private var pause: Milliseconds {
        min(Self.pauseMin * (1 << min(max(0, failuresInARow - 1), 16)), Self.pauseMax)
    }
    private static let pauseMin: Milliseconds = 500
    private static let pauseMax: Milliseconds = 30_000

    /// Sequence of the last applied event; -1 while the copy is being rebuilt, since it is incomplete until
    /// then.
    var reached: Int64 { service.degradedBy(rebuildKey) == nil ? committed.sequence : -1 }

    var report: FollowedLog {
        FollowedLog(
            service: source, epoch: committed.epoch, sequence: committed.sequence,
            head: max(follower?.head ?? 0, committed.sequence),
            connected: follower.map { $0.isConnected && $0.phase == .live } ?? false,
            rebuilding: service.degradedBy(rebuildKey) == nil ? nil : true)
    }

    private func deliver(_ events: [ReceivedEvent], _ cursor: Cursor) {
        if passes(events, cursor) { return }
        isUncommitted = true
        let startsOver = wantsReset
        let isSnapshot = startsOver || applied.isRebuilding
        do {
            if startsOver {
                try service.transact(trace: nil) { try reset($0) }
                described = events.first?.event.head.time ?? ""
                wantsReset = false
            }
            for event in events { try apply(event) }
            try service.transact(trace: nil) { transaction in
                if startsOver { try runs.forget(after: 0) }
                try runs.note(isSnapshot ? [] : events, cursor)
                if isSnapshot, !cursor.isRebuilding {
                    try following.rebuilt?(rebuild(to: cursor), transaction)
                    try keepComplete(nil)
                }
                try service.cursors.set(source.rawValue, Cursors.Cursor(cursor))
            }
            applied = cursor
        } catch {
            return failed(ServiceError(anything: error))
        }
        keep(cursor, isWhole: isSnapshot && !cursor.isRebuilding)
    }

    /// Moves the cursor past events that have no handler without a commit, which would be one for each focus
    /// change. It is stored with the next effect or at an orderly stop; after a kill these events are read
    /// again.
    /// - Returns: false if the cursor must be stored.
    private func passes(_ events: [ReceivedEvent], _ cursor: Cursor) -> Bool {
        guard !events.isEmpty, !isUncommitted, !wantsReset, failuresInARow == 0, !committed.isRebuilding,
            cursor.epoch == committed.epoch, runs.know(events),
            events.allSatisfy({ following.handlers[$0.type] == nil })
        else { return false }
        let bytes = events.reduce(passed.bytes) { $0 + ($1.event.data?.bytes.count ?? 0) }
        guard passed.count + events.count <= passedMax.count, bytes <= passedMax.bytes else { return false }
        events.forEach(noteWithoutHandler)
        passed = (passed.count + events.count, bytes)
        applied = cursor
        committed = cursor
        return true
    }

    private func noteWithoutHandler(_ received: ReceivedEvent) {
        guard !Registry.eventTypes(of: source).contains(received.type) else { return }
        service.refused(.unknownEvent, received.type)
    }

    private func keep(_ cursor: Cursor, isWhole: Bool) {
        let complete = complete
        service.hold { [weak self] failure in
            if failure == nil { self?.kept(cursor, complete, isWhole: isWhole) }
        }
    }

    private func reset(_ transaction: Transaction) throws {
        try following.reset?(transaction)
        try keepComplete(lastComplete)
    }

    private func rebuild(to cursor: Cursor) -> Rebuild {
        let isBehind = complete.map { $0.sequence < cursor.sequence } ?? true
        return Rebuild(isOfMissedEvents: isContinued && isBehind, described: described)
    }

    /// Call inside a write; it is undone in memory by ``rewind()``.
    private func keepComplete(_ cursor: Cursor?) throws {
        try Settings(service.database).set(completeKey, cursor?.text)
        complete = cursor
    }

    /// Handles an error before the cursor was written. Effects and cursor are one transaction, so neither is
    /// kept.
    private func failed(_ error: ServiceError) {
        failuresInARow += 1
        service.log.error(
            "applying events failed; they will be retried",
            [
                ("source", .text(source.rawValue)), ("after", .number(committed.sequence)),
                ("error", .text(error.name.rawValue)), ("reason", .text(error.message)),
            ])
        service.setNotActing(
            "follow.\(source.rawValue)",
            "\(consequence): events of \(source.rawValue) after \(committed.sequence) could not be applied: "
                + "\(error.message) (\(error.remedy))")
        service.failTurn(error)
    }

    /// Rebuilds the copy; does nothing if this source has none. The request is stored with the cursor, so it
    /// survives a failed commit and a restart.
    /// - Returns: whether there is a copy.
    func rebuildCopy(_ reason: String) throws(ServiceError) -> Bool {
        guard following.reset != nil, let follower else { return false }
        var cursor = follower.cursor
        cursor.isRebuilding = true
        let before = complete
        do throws(ServiceError) {
            try service.transact(trace: nil) { _ in
                try service.cursors.set(source.rawValue, Cursors.Cursor(cursor))
                try keepComplete(lastComplete)
            }
        } catch {
            complete = before
            throw error
        }
        isUncommitted = true
        applied = cursor
        rebuildReason = reason
        reportRebuilding()
        keep(cursor, isWhole: false)
        follower.rebuildNow()
        return true
    }

    /// Whether events arrive live and not from the log.
    var isLive: Bool { follower?.phase == .live }

    var isConnected: Bool { follower?.isConnected ?? false }

    static let unnamed = "events are not applied"

    /// What does not work while the events of this source are not applied. Those of two sources mean the same
    /// to whoever follows them.
    var consequence: String {
        if let consequence = following.consequence { return consequence }
        return switch source {
        case .auth: "changes of approvals and members are not applied"
        case .monitor: "installed and removed extensions are not recognised"
        default: Self.unnamed
        }
    }

    /// - Parameter isWhole: whether the last page of the snapshot is applied.
    private func kept(_ cursor: Cursor, _ complete: Cursor?, isWhole: Bool) {
        committed = cursor
        passed = (0, 0)
        committedComplete = complete
        // An effect of this commit may have written again.
        if applied == cursor { isUncommitted = false }
        if isWhole {
            reportRebuilt()
            service.log.info("rebuilt from a snapshot", [("source", .text(source.rawValue))])
        } else if cursor.isRebuilding {
            reportRebuilding()
        }
        guard failuresInARow > 0 else { return }
        failuresInARow = 0
        service.setNotActing("follow.\(source.rawValue)", nil)
    }

    private func apply(_ received: ReceivedEvent) throws {
        guard let handler = following.handlers[received.type] else { return noteWithoutHandler(received) }
        let head = received.event.head
        let span = service.tracer.start(
            received.type, .consumer, parent: TraceContext(head.traceparent))
        var malformed: MalformedEvent?
        do {
            try service.transact(trace: span.context) { transaction in
                do { try handler(received.event, transaction) } catch let error as MalformedEvent {
                    malformed = error
                    throw error
                }
            }
            service.tracer.end(span, numbers: [Counter(name: "sequence", count: received.sequence)])
        } catch {
            service.tracer.end(span, outcome: malformed == nil ? error.name.rawValue : "malformed")
            // Only an event that can never be read is skipped; any other failure is retried.
            guard let malformed else { throw error }
            pass(received, malformed)
        }
    }

    private func pass(_ received: ReceivedEvent, _ malformed: MalformedEvent) {
        service.refused(.malformedEvent, received.type)
        service.log.error(
            "an event violates the contract and was skipped",
            [
                ("type", .text(received.type)), ("sequence", .number(received.sequence)),
                ("reason", .text(malformed.reason)),
            ])
    }

    // MARK: stalled, trimmed and forked logs

    /// The source answers with errors and is retried until it recovers.
    private func stalled(_ error: ServiceError?) {
        service.setNotActing(
            "stalled.\(source.rawValue)",
            error.map {
                "\(consequence): \(source.rawValue) does not return its events after "
                    + "\(committed.sequence): \($0.message) (\($0.remedy))"
            })
    }

    /// The source deleted events before they triggered their actions. Those actions will not happen.
    private func lost(_ sequences: ClosedRange<Int64>) {
        service.log.error(
            "events were deleted from a followed log before they were applied",
            [
                ("source", .text(source.rawValue)), ("first", .number(sequences.lowerBound)),
                ("last", .number(sequences.upperBound)),
            ])
        service.setDegraded(
            "lost.\(source.rawValue)",
            "\(UTCTime.text(service.clock.now)): events \(sequences.lowerBound) to "
                + "\(sequences.upperBound) of \(source.rawValue) were deleted from its log before they were "
                + "applied, and had no effect here (keep more events: "
                + "SCREENTIME_LOG_EVENTS_KEPT; reported until \(service.name.rawValue) restarts)")
    }

    private func reportLostData(_ fork: ForkedLog) {
        do { reportLostData(fork, after: try runs.common(with: fork)?.sequence ?? 0) } catch {
            isUncommitted = true
            failed(ServiceError(anything: error))
        }
    }

    /// The owner lost everything between the fork and the cursor. Only followers that applied those events
    /// can report it.
    private func reportLostData(_ fork: ForkedLog, after sequence: Int64) {
        guard sequence < fork.cursor.sequence else { return }
        let owner = source.rawValue
        service.setDataLost(
            "restored.\(owner)",
            "\(UTCTime.text(service.clock.now)): \(owner) lost its data after event \(sequence) (events up "
                + "to \(fork.cursor.sequence) were applied here): it was restored from an older copy or "
                + "started with an empty store; settings, limits or notifications of that time may be "
                + "missing: check `screentime monitor list`, `screentime shield list` and "
                + "`screentime notifications`")
    }

    private var restored: String { "\(source.rawValue) was restored from another copy" }

    /// The owner was restored from an older copy or started with an empty store. No person is asked: copies
    /// are rebuilt from a snapshot, and actions continue after the fork.
    private func forked(_ fork: ForkedLog) -> AfterFork {
        service.count("forked")
        let isCopy = following.reset != nil
        do {
            let common = try runs.common(with: fork)
            let place = common ?? Cursor(epoch: fork.epoch, sequence: isCopy ? 0 : fork.start)
            service.log.warning(
                "a followed log forked: its owner was restored or started with an empty store",
                [
                    ("source", .text(source.rawValue)), ("after", .number(place.sequence)),
                    ("cursor", .number(fork.cursor.sequence)), ("head", .number(fork.head)),
                    ("way", .text(isCopy ? "rebuilt from a snapshot" : "continued after the fork")),
                ])
            reportLostData(fork, after: common?.sequence ?? 0)
            guard !isCopy else {
                rebuildReason = restored
                reportRebuilding()
                return .rebuild
            }
            // Recorded in the transaction that stores the cursor.
            runs.parted(after: place.sequence)
            return .resume(place)
        } catch {
            isUncommitted = true
            failed(ServiceError(anything: error))
            return .postpone
        }
    }
}

extension Cursor {
    /// As a setting has it: epoch, sequence and run.
    var text: String { "\(epoch) \(sequence) \(run)" }

    /// Nil if it is no position.
    fileprivate init?(stored text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, let sequence = Int64(words[1]) else { return nil }
        self.init(epoch: String(words[0]), sequence: sequence, run: String(words[2]))
    }
}
