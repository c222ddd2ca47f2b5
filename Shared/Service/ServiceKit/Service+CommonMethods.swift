import Bus
package import Contract
internal import JSON
internal import Store

/// One page of a snapshot of the present state, as events.
package struct SnapshotPage {
    /// Complete CloudEvents, encoded.
    package private(set) var events: [[UInt8]]
    /// Token of the next page; nil if this is the last.
    package var nextPage: String?
    private var bytes = 0
    /// A page; more events can be added.
    package init(events: [[UInt8]] = [], nextPage: String? = nil) {
        self.events = events
        self.nextPage = nextPage
    }

    /// Adds events that must be on the same page if they fit into an answer; the first group always fits.
    /// - Returns: false if they belong on the next page.
    package mutating func add(_ more: [[UInt8]]) -> Bool {
        let count = more.reduce(0) { $0 + $1.count + 1 }
        guard
            events.isEmpty
                || bytes + count <= Limits.eventBytesPerAnswerMax
                    && events.count + more.count <= Limits.eventsPerAnswerMax
        else { return false }
        events += more
        bytes += count
        return true
    }
}

/// What every service answers.
extension Service {
    func answerCommonMethods() {
        server?.answer(HealthCheck.self) { [weak self] _, _, reply in
            if let self { reply.succeed(healthReport()) }
        }
        server?.answer(TraceRead.self) { [weak self] params, context, reply in
            guard let self else { return }
            guard context.client == nil else {
                return reply.fail(
                    ServiceError(
                        .accessDenied, "trace.read can be called by the person only, not by apps",
                        remedy: "Use `screentime trace`."))
            }
            let limit = Int(
                max(0, min(params.limit ?? Int64(Limits.spansKeptMax), Int64(Limits.spansKeptMax))))
            reply.succeed(TraceRead.Result(spans: tracer.spans(traceID: params.traceID, limit: limit)))
        }
        read(EventsRead.self) { [unowned self] params, _ in try readEvents(params) }
        read(EventsSnapshot.self) { [unowned self] params, _ in try readSnapshot(params) }
        read(EventsRuns.self) { [unowned self] _, _ in try readRuns() }
        answerForget()
        answerStoreMethods()
        later(CopyRebuild.self) { [unowned self] params, _ in
            if params.discardUnreadable == true {
                try transact(trace: nil) { _ = try letGoOfUnreadable($0) }
            }
            let copies = try followers.filter { try $0.value.rebuildCopy("requested by a client") }
            return CopyRebuild.Result(sources: copies.keys.sorted { $0.rawValue < $1.rawValue })
        }
    }

    private func readEvents(_ params: EventsRead.Params) throws -> EventsRead.Result {
        let first = try eventLog.first()
        guard params.after >= 0 else {
            throw ServiceError(.invalidParams, "after is \(params.after)", remedy: "Use 0 to read all.")
        }
        guard params.after >= first - 1 else {
            throw ServiceError(
                .logTrimmed, "the log begins at \(first), but the request reads after \(params.after)",
                remedy: "Call events.snapshot, then read after its sequence.")
        }
        try compare(params)
        let limit = min(
            max(1, params.limit ?? Int64(Limits.eventsPerAnswerMax)), Int64(Limits.eventsPerAnswerMax))
        let page = try eventLog.page(
            after: params.after, types: params.types ?? [], limit: Int(limit),
            bytesMax: Limits.eventBytesPerAnswerMax)
        // Events of this turn are not committed yet and must not be delivered.
        let committed = page.events.filter { $0.sequence <= head }
        let through = min(page.through, head)
        return EventsRead.Result(
            epoch: eventLog.epoch, first: first, head: head,
            through: through, events: try committed.map(Self.raw),
            run: try eventLog.run(of: through))
    }

    private static func raw(_ event: StoredEvent) throws(StoreError) -> RawJSON {
        do { return try RawJSON(bytes: event.body) } catch { throw .unreadable("event", error.message) }
    }

    /// Checks that the run that the reader names appended the event at its cursor in this log.
    private func compare(_ params: EventsRead.Params) throws {
        guard let run = params.run, params.after > 0 else { return }
        let owner = params.after <= head ? try eventLog.run(of: params.after) : nil
        guard owner != run else { return }
        let found = owner.map { "run \($0) made it" } ?? "the log ends at \(head)"
        throw ServiceError(
            .logForked, "event \(params.after) was not appended by run \(run): \(found)",
            remedy: "Call events.runs, and continue from the fork.")
    }

    private func readRuns() throws -> EventsRuns.Result {
        // A run that began in this turn has no committed events.
        let runs = try eventLog.runs().filter { $0.first <= head }
        return EventsRuns.Result(
            epoch: eventLog.epoch, head: head, runs: runs.map { LogRun(id: $0.id, first: $0.first) })
    }

    private func readSnapshot(_ params: EventsSnapshot.Params) throws -> EventsSnapshot.Result {
        guard let snapshot else {
            throw ServiceError(
                .notFound, "\(name.rawValue) keeps its complete log and has no snapshot",
                remedy: "Call events.read after 0.")
        }
        let page = try snapshot(params.page)
        let through = params.through ?? head
        return EventsSnapshot.Result(
            epoch: eventLog.epoch, through: through,
            events: try page.events.map { try RawJSON(bytes: $0) }, nextPage: page.nextPage,
            run: try eventLog.run(of: through))
    }

    /// One event of a snapshot: present data, with the log's head as sequence.
    package func snapshotEvent<E: EventData>(_ data: E) -> [UInt8] {
        var event = EventHead()
        event.type = E.type
        event.source = source
        event.id = "snapshot"
        event.time = UTCTime.text(clock.now)
        event.sequence = SequenceText(head)
        event.previous = SequenceText(0)
        event.traceparent = TraceContext.root().traceparent
        return Event(event, data).encoded()
    }
}
