package import Bus
package import Contract
import FileAccess
import Glibc
internal import JSON
package import Loop
package import Store
import Time
import Units

/// One service: its store, its sockets on the bus, and the turn. All writes of a turn are committed together
/// before any result leaves the process.
///
/// A turn handles what the sockets hold; writes join one transaction, each inside its own savepoint. At its
/// end the transaction is committed, then events are published, effects run and answers sent, in this order.
/// If the commit fails, the answers are errors, followers return to their committed cursors, and changes in
/// memory are undone (`Transaction.onUndo`), as when a single write fails. A read during a turn with writes
/// waits for its end, so no answer contains uncommitted state.
@LoopActor package final class Service {
    /// The service's name.
    package let name: ServiceName
    /// Its settings.
    package let configuration: Configuration
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
    var health = HealthState()
    var followers: [ServiceName: Follower] = [:]
    /// Returns the present state as events for `events.snapshot`. Nil if the log is never trimmed.
    package var snapshot: (@LoopActor (_ page: String?) throws -> SnapshotPage)?
    /// Completes a turn's writes inside its transaction; an error undoes the turn.
    package var beforeCommit: [@LoopActor () throws -> Void] = []
    /// Makes the plan of one deletion. Nil if the service stores nothing to delete.
    package var forgetPlan: (@LoopActor () -> ForgetPlan)?
    /// Runs after a turn was undone, for example to retry.
    package var onRollback: [@LoopActor () throws -> Void] = []
    /// Runs once when the service stops, before its last commit.
    package var onStop: [@LoopActor () -> Void] = []
    /// Work in progress that is not visible elsewhere (a callback, a notification), one sentence each. The
    /// virtual clock does not advance before it is done.
    package var unfinished: [@LoopActor () -> [String]] = []
    /// Number of requests that wait for a person or the clock itself; the virtual clock may advance
    /// meanwhile.
    package var requestsAtRest = 0
    private(set) var clockEndpoint: ClockEndpoint?
    /// Whether this is the first start with an empty store.
    let isFirstStart: Bool
    /// Cached description of what the store holds beyond its first start.
    var knownToHold: String?

    /// Nil after the service is closed.
    private var lock: FileLock?
    private(set) var server: RequestServer?
    private(set) var publisher: EventPublisher?
    private var clients: [ServiceName: RequestClient] = [:]
    private var unpublished: [(topic: String, bytes: [UInt8])] = []
    private var effects: [@LoopActor () -> Void] = []
    private var held: [@LoopActor (ServiceError?) -> Void] = []
    var undos = UndoList()
    private var nextWaiterID = 1
    private(set) var waiting: [Int: Waiter] = [:]
    /// Positions of all logs at the last wake-up of waiting requests.
    private var wokenAt: [Int64] = []
    let underway = UnderwayWrites()
    var answersExpired: Instant = 0
    /// Bytes of events and answers since the last check of their sums. Large at first, so that the first
    /// commit checks.
    var bytesSinceTidy = Int.max / 2
    private var turnToken: Reactor.Token?
    private var committedHead: Int64 = 0
    private(set) var stopping = false
    var heldSnapshot: HeldSnapshot?
    /// Why this turn must be undone, if it must.
    private var turnFailure: ServiceError?
    var recordSyncIsDue = false

    struct Waiter {
        var positions: [Position]
        var open: OpenRequest?
        var proceed: @LoopActor (ServiceError?) -> Void
        var timer: TimerToken
    }

    /// Opens the store and takes the lock; opens no socket.
    /// - Throws: `alreadyExists` if the service already runs here; `storageDamaged`, `storageFull` or
    ///   `storageFailed`.
    package init(
        _ name: ServiceName, configuration: Configuration, migrations: [Migration],
        clock: (any WallClock)? = nil
    ) throws(ServiceError) {
        self.name = name
        self.configuration = configuration
        try configuration.prepareDirectories(of: name)
        log = try Log(
            name: name.rawValue, directory: configuration.logDirectory, level: configuration.logLevel)
        lock = try configuration.runtime.lock(name)
        if let clock {
            self.clock = clock
        } else {
            self.clock = try SystemClock(of: configuration.stateDirectory)
        }
        tracer = Tracer(service: name.rawValue)
        let path = "\(configuration.stateDirectory)/\(name.rawValue)/\(name.rawValue).sqlite3"
        do throws(StoreError) {
            database = try Database(path: path, migrations: migrations)
            try Self.finishScrub(database)
            eventLog = try EventLog(database, now: WallTime.now)
            answers = Answers(database)
            cursors = Cursors(database)
            household = try Household(database)
            committedHead = try eventLog.head()
            isFirstStart = try database.integer("SELECT count(*) FROM setting") == 0 && committedHead == 0
        } catch {
            log.error(
                "opening the store failed", [("kind", .text(error.kind.rawValue)), ("file", .text(path))])
            throw ServiceError(error)
        }
    }

    var source: String { "/\(configuration.instance)/\(eventLog.epoch)/\(name.rawValue)" }
    var head: Int64 { committedHead }
    private var syncHead: SyncHead {
        SyncHead(source: source, head: SequenceText(committedHead), run: eventLog.run)
    }
    var unansweredCount: Int { server?.unanswered ?? 0 }
    var unpublishedCount: Int { unpublished.count }
    var hasUncommitted: Bool { database.batchIsOpen || !held.isEmpty || !effects.isEmpty }
    var openedClients: Dictionary<ServiceName, RequestClient>.Values { clients.values }

    // MARK: life

    /// Opens the sockets, starts the followers and prints READY on standard output. Returns when all is set
    /// up.
    package func start(
        answering methods: @LoopActor (Service) -> Void, following follow: @LoopActor (Service) throws -> Void
    ) throws(ServiceError) {
        do {
            let publisher = try EventPublisher(name, in: configuration.runtime) { [weak self] in
                self?.syncHead ?? SyncHead()
            }
            let server = try RequestServer(name, in: configuration.runtime, tracer: tracer)
            self.publisher = publisher
            self.server = server
            server.onRefusal = { [weak self] reason, detail in self?.refused(reason, detail) }
            publisher.onRefusal = { [weak self] reason, detail in self?.refused(reason, detail) }
            publisher.onTraceListening = { [weak self] listens in self?.streamSpans(listens) }
            answerCommonMethods()
            reportSidecar()
            methods(self)
            turnToken = Reactor.shared.atEndOfTurn { [weak self] in self?.endTurn() }
            openClockEndpoint(server)
            try follow(self)
            try rememberFirstStart()
            try commitStart()
            try watchSignals()
        } catch {
            throw ServiceError(anything: error)
        }
        health.becameReady()
        keepForDays()
        checkStoreDaily()
        log.info("ready", [("head", .number(committedHead)), ("epoch", .text(eventLog.epoch))])
        print("READY \(name.rawValue)")
        fflush(nil)
    }

    /// The writes of a start must be committed, or the service does not start: nothing would repeat them.
    private func commitStart() throws(ServiceError) {
        var failure: ServiceError?
        hold { failure = $0 }
        endTurn()
        if let failure { throw failure }
    }

    private func openClockEndpoint(_ server: RequestServer) {
        let directory = configuration.stateDirectory
        let endpoint = ClockEndpoint(clock as? SystemClock, stateDirectory: directory) { [weak self] in
            self?.clockState() ?? ClockState()
        }
        endpoint.open(server)
        clockEndpoint = endpoint
    }

    private func streamSpans(_ listens: Bool) {
        guard listens else {
            tracer.listener = nil
            return
        }
        tracer.listener = { [weak self] span in
            // A lost span only leaves a gap in a live trace; trace.read has it.
            try? self?.publisher?.publish(topic: Topic.trace, span.encoded())
        }
    }

    /// SIGTERM and SIGINT stop the service.
    private func watchSignals() throws(ServiceError) {
        let signals = try SignalDescriptor([SIGTERM, SIGINT])
        signals.watch { [weak self] _ in self?.stop() }
        health.signals = signals
    }

    /// Stops: commits and publishes what was received, closes the sockets, and makes the loop return.
    package func stop() {
        guard !stopping else { return }
        close()
        Reactor.shared.stop()
    }

    /// As ``stop()``, for a process that continues.
    package func close() {
        guard !stopping else { return }
        stopping = true
        log.info("stopping")
        onStop.forEach { $0() }
        dropSnapshot()
        endTurn()
        followers.values.forEach { $0.close() }
        clients.values.forEach { $0.close() }
        server?.close()
        publisher?.close()
        closeStore()
        lock?.markReleased()
        lock = nil
        log.info("stopped", [("head", .number(committedHead))])
        releaseReferences()
    }

    /// Releases everything that holds a reference to the service or to its files.
    private func releaseReferences() {
        if let turnToken { Reactor.shared.forget(turnToken) }
        turnToken = nil
        followers = [:]
        clients = [:]
        server = nil
        publisher = nil
        clockEndpoint = nil
        waiting.values.forEach { Reactor.shared.cancel($0.timer) }
        waiting = [:]
        snapshot = nil
        forgetPlan = nil
        (beforeCommit, onRollback, onStop, unfinished) = ([], [], [], [])
    }

    // MARK: other services

    /// The client for another service; connected on first use.
    package func client(_ service: ServiceName) throws(ServiceError) -> RequestClient {
        if let client = clients[service] { return client }
        do throws(SocketError) {
            let client = try RequestClient(to: service, in: configuration.runtime, tracer: tracer)
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
        let marker = (unpublished.count, effects.count, undos.count)
        do {
            return try database.write { database in try body(Transaction(self, database, trace)) }
        } catch {
            // The savepoint is undone, so its events and effects must be dropped.
            unpublished.removeLast(unpublished.count - marker.0)
            effects.removeLast(effects.count - marker.1)
            undo(after: marker.2)
            noteDamage(error)
            throw ServiceError(anything: error)
        }
    }

    /// Undoes the changes in memory after the first `count` steps.
    private func undo(after count: Int) {
        for step in undos.removeLast(after: count) {
            do { try step() } catch {
                let reason = ServiceError(anything: error).message
                log.error("undoing a change in memory failed", [("error", .text(reason))])
                setNotActing(
                    "memory",
                    "its decisions may be wrong: a change that was not committed could not be undone: "
                        + "\(reason) (restart \(name.rawValue))")
            }
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
            wakeWaiters()
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
        if let turnFailure {
            // A batch that cannot be rolled back is already gone, or its next write reports so.
            do { try database.rollback() } catch { log.error("undoing a failed turn failed") }
            return turnFailure
        }
        guard database.batchIsOpen else { return nil }
        FaultPoint.beforeCommit.reach(configuration.faultDirectory)
        do {
            try complete()
            // Read before the commit: nothing may fail after it.
            let head = try eventLog.head()
            try database.commit()
            committedHead = head
        } catch {
            return ServiceError(anything: error)
        }
        FaultPoint.afterCommit.reach(configuration.faultDirectory)
        storeCommitted()
        return nil
    }

    private func complete() throws {
        do {
            for complete in beforeCommit { try database.write { _ in try complete() } }
        } catch {
            try database.rollback()
            throw error
        }
    }

    private func rolledBack(_ failure: ServiceError) {
        log.error(
            "the commit failed; this turn was undone", [("error", .text(failure.name.rawValue))])
        if [.storageFull, .storageFailed, .storageDamaged].contains(failure.name) {
            setNotActing("store", "new data is not stored: \(failure.message) (\(failure.remedy))")
        }
        unpublished = []
        effects = []
        undo(after: 0)
        for body in onRollback {
            do { try body() } catch { log.error("a rollback handler failed") }
        }
        followers.values.forEach { $0.rewind() }
    }

    private func publish() {
        let events = unpublished
        unpublished = []
        for event in events {
            // Fails only while stopping, when the socket is closed; the log has the event.
            try? publisher?.publish(topic: event.topic, event.bytes)
        }
        if !events.isEmpty { FaultPoint.afterPublish.reach(configuration.faultDirectory) }
        keepTidy()
    }

    // MARK: waiting for events of others

    /// Runs `proceed` when all positions that a request names are reached, or with an error at its deadline
    /// or when it must not wait longer.
    func wait(_ context: RequestContext, _ proceed: @escaping @LoopActor (ServiceError?) -> Void) {
        guard !hasReached(context.notBefore) else { return proceed(nil) }
        let id = nextWaiterID
        nextWaiterID += 1
        let left = context.deadline - MonotonicClock.now
        let timer = Reactor.shared.after(left) { [weak self] in self?.giveUp(id) }
        // A position that was passed at the last wake-up may be reached again after a rebuild.
        if reached != wokenAt { wokenAt = [] }
        waiting[id] = Waiter(
            positions: context.notBefore, open: context.open, proceed: proceed, timer: timer)
        context.open?.suspend { [weak self] error in self?.endWait(id, error) }
    }

    private func endWait(_ id: Int, _ error: ServiceError?) {
        guard let waiter = waiting.removeValue(forKey: id) else { return }
        Reactor.shared.cancel(waiter.timer)
        waiter.open?.resume()
        waiter.proceed(error)
    }

    /// Whether all positions are reached.
    func hasReached(_ positions: [Position]) -> Bool { positions.allSatisfy(hasReached) }

    private func hasReached(_ position: Position) -> Bool {
        if position.service == name { return committedHead >= position.sequence }
        guard let follower = followers[position.service] else { return true }
        return follower.reached >= position.sequence
    }

    /// Sequences up to which this log is committed and the followed ones are applied.
    private var reached: [Int64] { [committedHead] + followers.values.map(\.reached) }

    private func wakeWaiters() {
        guard !waiting.isEmpty else { return }
        let reached = reached
        guard reached != wokenAt else { return }
        wokenAt = reached
        for (id, waiter) in waiting where waiter.positions.allSatisfy(hasReached) { endWait(id, nil) }
    }

    private func giveUp(_ id: Int) {
        guard let waiter = waiting[id] else { return }
        let missing = waiter.positions.filter { !hasReached($0) }
            .map { "\($0.service.rawValue) \($0.sequence)" }.joined(separator: ", ")
        endWait(
            id,
            ServiceError(
                .deadlineExceeded, "\(name.rawValue) has not applied \(missing) yet",
                remedy: "Repeat the request; `screentime status` shows how far it is."))
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
