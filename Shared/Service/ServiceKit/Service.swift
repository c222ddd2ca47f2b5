package import Bus
package import Contract
import Glibc
internal import JSON
package import Loop
package import Store
import Time
package import Units

/// One service: its store, its sockets on the bus, and the turn. All writes of a turn are committed together
/// before any result leaves the process.
///
/// A turn handles what the sockets hold; writes join one transaction, each inside its own savepoint. At its
/// end the transaction is committed, then events are published, effects run and answers sent, in this order.
/// If the commit fails, the answers are errors, followers return to their committed cursors, and changes in
/// memory are undone (`Transaction.onUndo`), as when a single write fails. A read during a turn with writes
/// waits for its end, so no answer contains uncommitted state.
@LoopActor package final class Service {
    /// Milliseconds until a write that failed, or a read for it, is tried again: at once it would fail again,
    /// because the disk may be full.
    package nonisolated static let retryPause: Milliseconds = 1_000

    /// The service's name.
    package let name: ServiceName
    let platform: any Platform
    /// Its settings.
    package let configuration: Configuration
    /// Its loop.
    package let loop: EventLoop
    /// Makes its sockets.
    package let transport: any Transport
    /// Its log.
    package let log: Log
    /// Its clock; all domain time comes from it.
    package let clock: any WallClock
    /// Its spans.
    package let tracer: Tracer
    /// Its store.
    package let database: Database
    /// Its event log.
    package let eventLog: EventLog
    /// Its copy of members and authorizations.
    package let household: Household

    let answers: Answers
    let cursors: Cursors
    let unreadable: UnreadableRows
    /// Who met a row that cannot be read in this turn.
    var notedRow: StoreError?
    var health = HealthState()
    var followers: [ServiceName: Follower] = [:]
    /// See ``ServiceProgram/snapshot(_:)``. Nil if the log is never trimmed.
    var snapshot: (@LoopActor (_ page: String?) throws -> SnapshotPage)?
    /// Keeps the program alive until the service is closed.
    var program: (any ServiceProgram)?
    /// See ``ServiceProgram/copyTables``.
    var copyTables: [String] = []
    /// See ``ServiceProgram/completeTurn(_:)``.
    var beforeCommit: [@LoopActor (Transaction) throws -> Void] = []
    /// See ``ServiceProgram/forgetPlan``. Nil if the service stores nothing to delete.
    var forgetPlan: (@LoopActor () -> ForgetPlan)?
    /// See ``ServiceProgram/turnWasUndone()``.
    var onRollback: [@LoopActor () -> Void] = []
    /// See ``ServiceProgram/stop()``.
    var onStop: [@LoopActor () -> Void] = []
    /// See ``ServiceProgram/unfinished``.
    var unfinished: [@LoopActor () -> [String]] = []
    /// Number of requests that wait for a person or the clock itself; the virtual clock may advance
    /// meanwhile.
    package var requestsAtRest = 0
    var clockEndpoint: ClockEndpoint?
    /// Whether this is the first start with an empty store.
    let isFirstStart: Bool
    /// Cached description of what the store holds beyond its first start.
    var knownToHold: String?

    var server: RequestServer?
    var publisher: EventPublisher?
    var clients: [ServiceName: RequestClient] = [:]
    private var unpublished: [(topic: String, bytes: [UInt8])] = []
    private var effects: [@LoopActor () -> Void] = []
    private var held: [@LoopActor (ServiceError?) -> Void] = []
    var undos = UndoList()
    /// Undo steps that failed; they are repeated before the next write.
    var failedUndos: [@LoopActor () throws -> Void] = []
    private(set) lazy var waiting = PositionWaiters(self)
    let underway = UnderwayWrites()
    var answersExpired: Instant = 0
    /// Bytes of events and answers since the last check of their sums. Large at first, so that the first
    /// commit checks.
    var bytesSinceTidy = Int.max / 2
    var turnHook: EventLoop.Hook?
    private var committedHead: Int64 = 0
    package internal(set) var stopping = false
    var heldSnapshot: HeldSnapshot?
    /// Why this turn must be undone, if it must.
    private var turnFailure: ServiceError?
    var recordSyncIsDue = false
    var storeTrialIsDue = false
    /// Milliseconds from a write that failed to the next try, if nothing else is written meanwhile.
    var storeTrialDelay: Milliseconds = 10_000

    /// Opens the store and takes the lock; opens no socket. Records that cannot be read are set aside.
    /// - Parameter records: see ``ServiceProgram/records``.
    /// - Throws: as ``Platform/begin(_:)``; `storageDamaged`, `storageFull` or `storageFailed`.
    package init(
        _ name: ServiceName, on platform: any Platform, migrations: [Migration], records: [RecordTable] = []
    ) throws(ServiceError) {
        self.name = name
        self.platform = platform
        configuration = platform.configuration
        transport = platform.transport
        loop = platform.loop
        clock = platform.clock
        try platform.begin(name)
        log = try platform.openLog(name)
        tracer = Tracer(service: name.rawValue)
        let path = "\(configuration.stateDirectory)/\(name.rawValue)/\(name.rawValue).sqlite3"
        do throws(StoreError) {
            database = try Database(path: path, in: platform.files, migrations: migrations)
            try Self.finishScrub(database)
            eventLog = try EventLog(database, now: WallTime.now, randomID: freshID)
            answers = Answers(database)
            cursors = Cursors(database)
            unreadable = UnreadableRows(database: database, tables: records + [Household.table])
            try Self.setAsideUnreadable(unreadable, at: clock.now, log)
            household = try Household(database)
            committedHead = try eventLog.head()
            isFirstStart = try database.integer("SELECT count(*) FROM setting") == 0 && committedHead == 0
        } catch {
            log.error(
                "opening the store failed", [("kind", .text(error.kind.rawValue)), ("file", .text(path))])
            throw ServiceError(error)
        }
    }

    /// The same on this machine.
    package convenience init(
        _ name: ServiceName, configuration: Configuration, migrations: [Migration],
        records: [RecordTable] = [], clock: (any WallClock)? = nil
    ) throws(ServiceError) {
        try self.init(
            name, on: Machine(configuration, clock: clock), migrations: migrations, records: records)
    }

    var source: String { "/\(configuration.instance)/\(eventLog.epoch)/\(name.rawValue)" }
    /// Sequence of the last committed event.
    package var head: Int64 { committedHead }
    /// What followers are told: only what is committed, since the rest may be undone.
    var syncHead: SyncHead {
        SyncHead(source: source, head: SequenceText(committedHead), run: eventLog.run)
    }
    package var unansweredCount: Int { server?.unanswered ?? 0 }
    var unpublishedCount: Int { unpublished.count }
    var hasUncommitted: Bool { database.batchIsOpen || !held.isEmpty || !effects.isEmpty }

    // MARK: other services

    /// The client for another service; connected on first use.
    package func client(_ service: ServiceName) throws(ServiceError) -> RequestClient {
        if let client = clients[service] { return client }
        do throws(SocketError) {
            let client = try RequestClient(to: service, in: transport, tracer: tracer)
            clients[service] = client
            return client
        } catch {
            throw ServiceError(
                .unavailable, error.message, remedy: "Raise the limit of open files (ulimit -n).")
        }
    }

    /// Sends a request to another service.
    package func call<M: Method>(
        _ method: M.Type, _ params: M.Params, options: CallOptions
    ) async throws(ServiceError) -> M.Result {
        try await client(M.owner).call(method, params, options: options)
    }

    // MARK: writing

    /// Writes inside the turn's transaction. Do not deliver the result of `body` before the commit: use
    /// `afterCommit`, or answer through `write`/`later`.
    package func transact<R>(
        trace: TraceContext?, _ body: (Transaction) throws -> R
    ) throws(ServiceError) -> R {
        let trace = trace ?? .root()
        try restoreMemory()
        let marker = (unpublished.count, effects.count, undos.count)
        do {
            return try database.write { database in try body(Transaction(self, database, trace)) }
        } catch {
            // The savepoint is undone, so its events and effects must be dropped.
            unpublished.removeLast(unpublished.count - marker.0)
            effects.removeLast(effects.count - marker.1)
            undo(after: marker.2)
            // Nothing else of this turn may be decided by wrong memory.
            if !failedUndos.isEmpty { failTurn(memoryError(error)) }
            noteDamage(error)
            throw ServiceError(anything: error)
        }
    }

    /// Undoes the changes in memory after the first `count` steps.
    private func undo(after count: Int) {
        for step in undos.removeLast(after: count) {
            do { try step() } catch { keepUndo(step, error) }
        }
    }

    /// Suspends until everything written so far is committed; throws the commit's error.
    package func committed() async throws(ServiceError) {
        let error: ServiceError? = await withCheckedContinuation { continuation in
            held.append { continuation.resume(returning: $0) }
        }
        if let error { throw error }
    }

    /// Undoes everything written in this turn, by all callers: its commit fails with `error`.
    func failTurn(_ error: ServiceError) { turnFailure = turnFailure ?? error }

    /// Calls `tell` after the turn's commit, with the error if it failed.
    func hold(_ tell: @escaping @LoopActor (ServiceError?) -> Void) { held.append(tell) }

    /// Runs `read` immediately or, if there are uncommitted writes, after they are committed or undone.
    func whenCommitted(_ read: @escaping @LoopActor () -> Void) {
        guard database.batchIsOpen else { return read() }
        hold { [weak self] _ in self?.whenCommitted(read) }
    }

    /// Calls `body` after this turn, with nil if what was written is committed, else with the commit's error;
    /// before the next turn writes, unlike a task that waits for ``committed()``.
    package func afterTurn(_ body: @escaping @LoopActor (ServiceError?) -> Void) {
        hold { [weak self] failure in
            guard failure == nil, let self else { return body(failure) }
            whenCommitted { body(nil) }
        }
    }

    /// The result of `read` as of the last commit. When a task of this service continues, the next turn may
    /// have written already; `read` runs before that.
    package func readCommitted<Value: Sendable>(
        _ read: @escaping @LoopActor () throws -> Value
    ) async throws(ServiceError) -> Value {
        let result: Result<Value, ServiceError> = await withCheckedContinuation { continuation in
            whenCommitted {
                do { continuation.resume(returning: .success(try read())) } catch {
                    continuation.resume(returning: .failure(ServiceError(anything: error)))
                }
            }
        }
        return try result.get()
    }

    func addEffect(_ effect: @escaping @LoopActor () -> Void) { effects.append(effect) }

    func append<E: EventData>(_ data: E, trace: TraceContext, subject: String?) throws(ServiceError) -> Int64
    {
        precondition(E.owner == name, "\(E.type) belongs to \(E.owner.rawValue), not to \(name.rawValue)")
        let now = clock.now
        let context = tracer.mark(E.type, .producer, parent: trace, subject: subject)
        var bytes: [UInt8] = []
        let sequence: Int64
        do {
            sequence = try eventLog.append(type: E.type, time: now) { sequence, previous in
                var head = EventHead()
                head.type = E.type
                head.source = source
                head.id = String(sequence)
                head.time = UTCTime.text(now)
                head.sequence = SequenceText(sequence)
                head.previous = SequenceText(previous)
                head.traceparent = context.traceparent
                head.run = eventLog.run
                bytes = Event(head, data).encoded()
                return bytes
            }
        } catch {
            throw ServiceError(error)
        }
        // The error undoes the savepoint, and the event with it.
        try checkCanBeTold(E.type, bytes.count)
        bytesSinceTidy += bytes.count
        unpublished.append((E.type, bytes))
        return sequence
    }

    // MARK: the end of a turn

    func endTurn() {
        guard !holdsCommits else { return }
        repeat {
            while hasUncommitted || turnFailure != nil { endRound() }
            waiting.wake()
        } while hasUncommitted
    }

    private func endRound() {
        let failure = commit()
        let held = held
        let effects = effects
        self.held = []
        self.effects = []
        if let failure {
            rolledBack(failure)
        } else {
            undos.removeAll()
            publish()
            effects.forEach { $0() }
        }
        held.forEach { $0(failure) }
    }

    private func commit() -> ServiceError? {
        defer { turnFailure = nil }
        guard turnFailure == nil else {
            rollback()
            return turnFailure
        }
        guard database.batchIsOpen else { return nil }
        platform.reach(.beforeCommit, of: name)
        let hasWritten: Bool
        do {
            try completeTurn()
            // Read before the commit: nothing may fail after it.
            let head = try eventLog.head()
            hasWritten = try database.commit()
            committedHead = head
        } catch {
            // A batch that stayed open would be committed again and again.
            rollback()
            return ServiceError(anything: error)
        }
        platform.reach(.afterCommit, of: name)
        if hasWritten { storeCommitted() }
        return nil
    }

    /// A batch that cannot be rolled back is already gone, or its next write reports so.
    private func rollback() {
        do { try database.rollback() } catch {
            log.error("undoing a failed turn failed", [("error", .name(of: error))])
        }
    }

    /// Lets the program write what it has collected in this turn.
    func completeTurn() throws {
        for complete in beforeCommit {
            try database.write { database in try complete(Transaction(self, database, .root())) }
        }
    }

    private func rolledBack(_ failure: ServiceError) {
        log.error(
            "the commit failed; this turn was undone", [("error", .text(failure.name.rawValue))])
        if [.storageFull, .storageFailed, .storageDamaged].contains(failure.name) {
            storeRefused(failure)
        }
        unpublished = []
        effects = []
        undo(after: 0)
        onRollback.forEach { $0() }
        followers.values.forEach { $0.rewind() }
    }

    private func publish() {
        let events = unpublished
        unpublished = []
        for event in events {
            // Fails only while stopping, when the socket is closed; the log has the event.
            try? publisher?.publish(topic: event.topic, event.bytes)
        }
        if !events.isEmpty { platform.reach(.afterPublish, of: name) }
        keepTidy()
    }

    // MARK: refusals

    func refused(_ reason: RefusalReason, _ detail: String) {
        health.count(reason.rawValue)
        log.warnOnce(
            reason.namesWhom ? "\(reason.rawValue) \(detail)" : reason.rawValue,
            "refused a message; later ones are only counted",
            [("reason", .text(reason.rawValue)), ("detail", .text(detail))])
    }
}
