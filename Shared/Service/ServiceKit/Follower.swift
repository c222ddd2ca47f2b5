import Bus
package import Contract
import Glibc
internal import JSON
package import Loop
internal import Store
import Units

/// One followed event, as a handler gets it.
package struct Received<E: EventData> {
    package var data: E
    package var head: EventHead
    package var sequence: Int64 { head.sequence.value }
}

/// An event that contradicts the contract: it is named, counted and passed over, because it will never be
/// readable. A handler throws it for nothing else.
package struct MalformedEvent: Error {
    /// What is wrong with it, in a sentence.
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// What a service does with the events of another: one handler per type, and how to begin anew.
@LoopActor package final class Following {
    typealias Handler = @LoopActor (AnyEvent, Transaction) throws -> Void
    fileprivate(set) var handlers: [String: Handler] = [:]
    fileprivate var subjects: [String: @LoopActor (AnyEvent) -> String?] = [:]
    /// Forgets, inside the transaction, what was built from the followed events: the present state comes
    /// next. Nil: nothing is built from them, they are acted upon; when the log parts from what was read, the
    /// events after that place come, and the handlers know by themselves what they have done before.
    package var reset: (@LoopActor (Transaction) throws -> Void)?
    /// Runs inside the transaction that completes the present state after a `reset`.
    package var rebuilt: (@LoopActor (Transaction) throws -> Void)?
    /// Called when the events up to the source's head were delivered: after each connection and each gap.
    package var live: (@LoopActor () -> Void)?

    /// Runs `handler` for each event of a type, in the transaction that moves the cursor.
    package func on<E: EventData>(
        _ type: E.Type, _ handler: @escaping @LoopActor (Received<E>, Transaction) throws -> Void
    ) {
        handlers[E.type] = { event, transaction in
            // Personal data that was deleted leaves an event without data: nothing to do.
            guard let raw = event.data, raw.bytes != Array("null".utf8) else { return }
            let data: E
            do throws(JSONError) { data = try E.decode(raw.bytes) } catch {
                throw MalformedEvent(error.message)
            }
            try handler(Received(data: data, head: event.head), transaction)
        }
    }
}

/// Connects an EventFollower to the service's store: effects and cursor in one transaction.
@LoopActor final class Follower {
    let service: Service
    let following: Following
    let source: ServiceName
    private var follower: EventFollower?
    private var wantsReset = false
    let runs: FollowedRuns
    /// What the store holds; moves with the service's commits.
    private(set) var committed: Cursor
    private var pauseTimer: TimerToken?
    /// Whether the present state is half taken in, in this turn.
    private var rebuilding = false
    private var rebuildKey: String { "rebuild.\(source.rawValue)" }
    /// Why the copy is built again, until it is.
    private var rebuildReason: String?
    /// Whether something of this turn was taken in.
    private var isUncommitted = false
    private var failuresInARow = 0

    init(_ service: Service, _ source: ServiceName, _ following: Following) throws {
        self.service = service
        self.source = source
        self.following = following
        let stored = try service.cursors.get(source.rawValue)
        committed = stored.map(Cursor.init) ?? Cursor(epoch: "", sequence: 0)
        // Nothing is built of what is only acted upon.
        if following.reset == nil { committed.isRebuilding = false }
        runs = FollowedRuns(source, service.cursors)
        rebuilding = committed.isRebuilding
        follower = try EventFollower(
            source, in: service.configuration.runtime, client: service.client(source), cursor: committed,
            output: output())
        if committed.isRebuilding { sayRebuilding() }
    }

    private func output() -> FollowerOutput {
        var output = FollowerOutput(
            deliver: { [weak self] in self?.deliver($0, $1) }, reset: nil,
            lost: { [weak self] in self?.lost($0) },
            forked: { [weak self] in self?.forked($0) ?? .stop },
            stalled: { [weak self] in self?.stalled($0) },
            live: { [weak self] in self?.following.live?() },
            refused: { [weak self] in self?.service.refused($0, $1) })
        if following.reset != nil { output.reset = { [weak self] in self?.wantsReset = true } }
        return output
    }

    private func sayRebuilding() {
        let reason = rebuildReason ?? "it is not whole yet"
        service.setNotActing(
            rebuildKey,
            "\(consequence): what is kept of \(source.rawValue) here is being built again: \(reason)")
    }

    private func sayRebuilt() {
        rebuildReason = nil
        service.setNotActing(rebuildKey, nil)
    }

    func close() {
        if let pauseTimer { Reactor.shared.cancel(pauseTimer) }
        pauseTimer = nil
        follower?.close()
    }

    /// The turn's commit failed. At once the cursor goes back to what is committed, and nothing is handed on
    /// until the pause is over: a live event that came and was committed meanwhile would move the cursor over
    /// what failed.
    func rewind() {
        guard isUncommitted else { return }
        isUncommitted = false
        rebuilding = committed.isRebuilding
        // What is not kept is not begun; a log that parted is found again.
        if !committed.isRebuilding { sayRebuilt() }
        wantsReset = false
        runs.discard()
        follower?.pause(at: committed)
        if let pauseTimer { Reactor.shared.cancel(pauseTimer) }
        pauseTimer = Reactor.shared.after(pause) { [weak self] in
            self?.pauseTimer = nil
            self?.follower?.resume()
        }
    }

    /// What kept the commit from succeeding will not be gone at once; an event that fails each time costs the
    /// others of its turns, so it is tried less and less often.
    private var pause: Milliseconds {
        min(Self.pauseMin * (1 << min(max(0, failuresInARow - 1), 16)), Self.pauseMax)
    }
    private static let pauseMin: Milliseconds = 500
    private static let pauseMax: Milliseconds = 30_000

    /// The last event that what is kept has in it; -1 while a copy is built again: it knows less until then.
    var reached: Int64 { service.degradedBy(rebuildKey) == nil ? committed.sequence : -1 }

    var report: FollowedLog {
        FollowedLog(
            service: source, epoch: committed.epoch, sequence: committed.sequence,
            head: max(follower?.head ?? 0, committed.sequence),
            connected: follower.map { $0.isConnected && $0.phase == .live } ?? false,
            rebuilding: service.degradedBy(rebuildKey) == nil ? nil : true)
    }

    private func deliver(_ events: [ReceivedEvent], _ cursor: Cursor) {
        isUncommitted = true
        let startsOver = wantsReset
        let isSnapshot = startsOver || rebuilding
        do {
            if startsOver {
                try service.transact(trace: nil) { try following.reset?($0) }
                wantsReset = false
            }
            for event in events { try take(event) }
            try service.transact(trace: nil) { transaction in
                if startsOver { try runs.forget(after: 0) }
                try runs.note(isSnapshot ? [] : events, cursor)
                if isSnapshot, !cursor.isRebuilding { try following.rebuilt?(transaction) }
                try service.cursors.set(source.rawValue, Cursors.Cursor(cursor))
            }
            rebuilding = cursor.isRebuilding
        } catch {
            return failed(ServiceError(anything: error))
        }
        let isWhole = isSnapshot && !cursor.isRebuilding
        service.hold { [weak self] failure in if failure == nil { self?.kept(cursor, isWhole: isWhole) } }
    }

    /// Whatever was thrown before the cursor is written: effect and cursor are one, so neither is kept.
    private func failed(_ error: ServiceError) {
        failuresInARow += 1
        service.log.error(
            "taking in events failed; they come again",
            [
                ("source", .text(source.rawValue)), ("after", .number(committed.sequence)),
                ("error", .text(error.name.rawValue)), ("reason", .text(error.message)),
            ])
        service.setNotActing(
            "follow.\(source.rawValue)",
            "\(consequence): what \(source.rawValue) told after \(committed.sequence) could not be taken in: "
                + "\(error.message) (\(error.remedy))")
        service.failTurn(error)
    }

    /// Builds the copy again; nothing when there is none. That it was asked for is kept with the cursor: a
    /// commit that fails meanwhile, or a restart, does not forget it.
    /// - Returns: whether there is one.
    func rebuildCopy(_ reason: String) throws(ServiceError) -> Bool {
        guard following.reset != nil, let follower else { return false }
        var cursor = follower.cursor
        cursor.isRebuilding = true
        isUncommitted = true
        try service.transact(trace: nil) { _ in
            try service.cursors.set(source.rawValue, Cursors.Cursor(cursor))
        }
        rebuildReason = reason
        sayRebuilding()
        service.hold { [weak self] failure in
            if failure == nil { self?.kept(cursor, isWhole: false) }
        }
        follower.rebuildNow()
        return true
    }

    /// Whether events come as they are told, and not from the log.
    var isLive: Bool { follower?.phase == .live }

    var isConnected: Bool { follower?.isConnected ?? false }

    /// What does not happen while this source is not taken in.
    private var consequence: String {
        switch (service.name, source) {
        case (.monitor, .activity):
            "schedules that begin or end and thresholds that are reached change nothing"
        case (.report, .activity): "reports do not grow"
        case (.shield, .activity): "apps that change their category stay shielded, or open, as before"
        case (.auth, .notifier): "buttons of questions are not heard"
        case (_, .auth): "approvals and members that change are not known here"
        case (_, .monitor): "extensions that were installed or removed are not known here"
        default: "events are not taken in"
        }
    }

    /// - Parameter isWhole: the last page of the present state is in.
    private func kept(_ cursor: Cursor, isWhole: Bool) {
        committed = cursor
        isUncommitted = false
        if isWhole {
            sayRebuilt()
            service.log.info("built again from the present state", [("source", .text(source.rawValue))])
        } else if cursor.isRebuilding {
            sayRebuilding()
        }
        guard failuresInARow > 0 else { return }
        failuresInARow = 0
        service.setNotActing("follow.\(source.rawValue)", nil)
    }

    private func take(_ received: ReceivedEvent) throws {
        guard let handler = following.handlers[received.type] else {
            if !Registry.eventTypes(of: source).contains(received.type) {
                service.refused(.unknownEvent, received.type)
            }
            return
        }
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
            // Only what can never be read is passed over; all else comes again.
            guard let malformed else { throw error }
            pass(received, malformed)
        }
    }

    private func pass(_ received: ReceivedEvent, _ malformed: MalformedEvent) {
        service.refused(.malformedEvent, received.type)
        service.log.error(
            "an event contradicts the contract and was passed over",
            [
                ("type", .text(received.type)), ("sequence", .number(received.sequence)),
                ("reason", .text(malformed.reason)),
            ])
    }

    // MARK: a log that does not go on

    /// The owner answers with errors, and is asked again until it does not.
    private func stalled(_ error: ServiceError?) {
        service.setNotActing(
            "stalled.\(source.rawValue)",
            error.map {
                "\(consequence): \(source.rawValue) does not give what it told after "
                    + "\(committed.sequence): \($0.message) (\($0.remedy))"
            })
    }

    /// The owner deleted events before they were acted upon. What they told does not happen any more.
    private func lost(_ sequences: ClosedRange<Int64>) {
        service.log.error(
            "events were deleted from a followed log before they were taken in",
            [
                ("source", .text(source.rawValue)), ("first", .number(sequences.lowerBound)),
                ("last", .number(sequences.upperBound)),
            ])
        service.setDegraded(
            "lost.\(source.rawValue)",
            "\(UTCTime.text(service.clock.now)): events \(sequences.lowerBound) to "
                + "\(sequences.upperBound) of \(source.rawValue) were deleted from its log before they were "
                + "taken in, and what they told did not happen here (keep more events: "
                + "SCREENTIME_LOG_EVENTS_KEPT; this is said until \(service.name.rawValue) starts again)")
    }

    /// What the owner knew between the place where the logs part and the cursor is gone, with whatever it
    /// kept at that time: only who had taken it in can say so.
    private func sayLost(_ fork: ForkedLog, after sequence: Int64) {
        guard sequence < fork.cursor.sequence else { return }
        let owner = source.rawValue
        service.setDataLost(
            "restored.\(owner)",
            "\(UTCTime.text(service.clock.now)): \(owner) lost what was kept after event \(sequence) (events up "
                + "to \(fork.cursor.sequence) were known here): it was restored from an older copy or began "
                + "with nothing; settings, limits or notifications of that time may be missing: check "
                + "`screentime monitor list`, `screentime shield list` and `screentime notifications`")
    }

    /// The owner was restored from an older copy, or began with nothing. Nobody is waited for: copies are
    /// built again from its present state; what acts upon events goes on where the logs part.
    private func forked(_ fork: ForkedLog) -> AfterFork {
        service.count("forked")
        let isCopy = following.reset != nil
        do {
            let common = try runs.common(with: fork)
            let place = common ?? Cursor(epoch: fork.epoch, sequence: isCopy ? 0 : fork.start)
            service.log.warning(
                "a followed log parted from what was read: its owner was restored or began with nothing",
                [
                    ("source", .text(source.rawValue)), ("after", .number(place.sequence)),
                    ("cursor", .number(fork.cursor.sequence)), ("head", .number(fork.head)),
                    ("way", .text(isCopy ? "built again from the present state" : "going on after it")),
                ])
            sayLost(fork, after: common?.sequence ?? 0)
            guard !isCopy else {
                rebuildReason = "\(source.rawValue) was restored from another copy"
                sayRebuilding()
                return .rebuild
            }
            // Part of the transaction that keeps the cursor: both or none.
            runs.parted(after: place.sequence)
            return .goOn(place)
        } catch {
            isUncommitted = true
            failed(ServiceError(anything: error))
            return .later
        }
    }
}

extension Service {
    /// Follows all events of `source` from the committed cursor on.
    package func follow(
        _ source: ServiceName, _ describe: @LoopActor (Following) -> Void
    ) throws(ServiceError) {
        precondition(followers[source] == nil, "\(source.rawValue) is followed already")
        let following = Following()
        describe(following)
        do { followers[source] = try Follower(self, source, following) } catch {
            throw ServiceError(anything: error)
        }
    }

    /// Whether what a followed `source` tells is taken in as it is told, and not from its log.
    package func isLive(_ source: ServiceName) -> Bool { followers[source]?.isLive ?? false }

    /// Whether there is a connection to a followed `source`: a request has somebody to answer it.
    package func isConnected(_ source: ServiceName) -> Bool { followers[source]?.isConnected ?? false }

    /// Builds again, from its present state, what is kept of a followed `source`. Not part of another write.
    /// - Parameter reason: for `status`.
    /// - Throws: as a write; nothing is begun then.
    package func rebuildCopy(of source: ServiceName, because reason: String) throws(ServiceError) {
        _ = try followers[source]?.rebuildCopy(reason)
    }
}
