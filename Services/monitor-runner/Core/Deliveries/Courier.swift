import Bus
import Contract
import ExtensionLink
import JSON
import ServiceKit

/// Brings the callbacks of one extension to it: one at a time, in order, each until it returned or was given
/// up. It waits for nobody else, and nobody waits for it.
///
/// Every step is written before it is done: an attempt is counted before the program hears of it, and a
/// return is noted before the next callback begins. A step whose commit failed is taken again.
@BusActor final class Courier {
    private enum Phase {
        case starting, sent
        case settling(AttemptOutcome)
    }

    private struct Work {
        var stored: StoredDelivery
        var span: StartedSpan
        var phase = Phase.starting
        var deadlineMs: Int64 = 0
        /// A service did not answer a request of this callback.
        var missedService = false
    }

    var program: ExtensionRecord
    private let service: Service
    private let table: DeliveryTable
    private let relay: Relay
    private let files: ExtensionFiles
    private var process: ExtensionProcess?
    private var work: Work?
    private var retired = false
    private var dueTimer: TimerToken?
    private var deadlineTimer: TimerToken?
    private var idleTimer: TimerToken?

    init(_ program: ExtensionRecord, _ service: Service, _ files: ExtensionFiles) {
        self.program = program
        self.service = service
        self.files = files
        table = DeliveryTable(database: service.database)
        relay = Relay(service: service)
    }

    /// As installed, and how it runs now.
    var record: ExtensionRecord {
        var record = program
        record.running = process != nil
        record.pid = process.map { Int64($0.pid) }
        return record
    }

    /// The callback that has not returned, in a sentence; nil: none is on its way.
    var unfinished: String? {
        guard let delivery = work?.stored.delivery else { return nil }
        let event = delivery.about.event.map { " of \($0)" } ?? ""
        let pid = process.map { " (pid \($0.pid))" } ?? ""
        return "\(program.id)\(pid) has not returned from \(delivery.callback)\(event) of activity "
            + "\(delivery.about.activity)"
    }

    // MARK: the queue

    /// After a start: a callback that had returned before the end is noted; one that had not is begun again.
    func recover() {
        do {
            if let stored = try table.next(of: program.id), stored.delivery.state == .running,
                files.hasReturned(program.id, delivery: stored.delivery.id, attempt: stored.delivery.attempt)
            {
                work = Work(stored: stored, span: span(stored))
                return settle(.delivered)
            }
        } catch { service.log.error("reading a delivery failed", [("extension", .text(program.id))]) }
        pump()
    }

    /// Begins the next callback if none is on its way.
    func pump() {
        guard work == nil, !retired else { return }
        if let timer = dueTimer { service.clock.cancel(timer) }
        dueTimer = nil
        let next: StoredDelivery?
        do { next = try table.next(of: program.id) } catch {
            service.log.error("reading a delivery failed", [("extension", .text(program.id))])
            return retryLater()
        }
        guard var stored = next else { return restWhenIdle() }
        guard stored.dueMs <= service.clock.nowMs else {
            dueTimer = service.clock.at(stored.dueMs) { [weak self] in self?.pump() }
            return restWhenIdle()
        }
        stored.delivery.attempt += 1
        stored.delivery.state = .running
        stored.delivery.dueMs = nil
        stored.delivery.startedMs = service.clock.nowMs
        work = Work(stored: stored, span: span(stored))
        begin()
    }

    private func span(_ stored: StoredDelivery) -> StartedSpan {
        service.tracer.start(
            "callback." + stored.delivery.callback, .internal, parent: TraceContext(stored.traceparent))
    }

    private func begin() {
        guard let work else { return }
        step(work.span.context) { [table] _ in
            try table.update(work.stored)
        } done: { [weak self] in
            self?.deliver()
        }
    }

    /// Writes one step; `done` runs when it is safe.
    private func step(
        _ trace: TraceContext, _ body: @BusActor (Transaction) throws -> Void,
        done: @escaping @BusActor () -> Void
    ) {
        do throws(ServiceError) {
            try service.transact(trace: trace) { transaction in
                try body(transaction)
                transaction.afterCommit(done)
            }
        } catch {
            service.log.error("writing a delivery failed", [("error", .text(error.name.rawValue))])
            retryLater()
        }
    }

    /// The turn's commit failed, and with it the step that was in it.
    func rolledBack() {
        guard let work else { return }
        if case .sent = work.phase { return }
        retryLater()
    }

    private func retryLater() {
        Reactor.shared.after(milliseconds: MonitorLimits.retryCommitMs) { [weak self] in
            guard let self else { return }
            switch work?.phase {
            case .starting: begin()
            case .settling(let outcome): settle(outcome)
            case .sent: break
            case nil: pump()
            }
        }
    }

    // MARK: one callback

    private func deliver() {
        guard !retired, var work else { return }
        if let timer = idleTimer { Reactor.shared.cancel(timer) }
        idleTimer = nil
        work.phase = .sent
        work.deadlineMs = MonotonicClock.nowMs + MonitorLimits.callbackDeadlineMs
        self.work = work
        let delivery = work.stored.delivery
        do throws(ServiceError) {
            let process: ExtensionProcess
            if let running = self.process { process = running } else { process = try start() }
            self.process = process
            let limitMs = MonitorLimits.callbackDeadlineMs
            deadlineTimer = Reactor.shared.after(milliseconds: limitMs) { [weak self] in
                self?.process?.destroy("the callback took longer than \(limitMs) ms (callbackDeadlineMs)")
            }
            guard let callback = CallbackName(rawValue: delivery.callback) else {
                return settle(.failed("'\(delivery.callback)' is no callback", counts: true))
            }
            process.send(
                callback: CallbackParams(
                    callback: callback, about: delivery.about, delivery: delivery.id,
                    attempt: delivery.attempt),
                id: delivery.id)
        } catch {
            settle(.failed(error.message, counts: true))
        }
    }

    private func start() throws(ServiceError) -> ExtensionProcess {
        let spawned = try SpawnedProgram(
            program, journal: files.journal(program.id), log: files.log(program.id),
            clock: try files.clockEnvironment())
        service.log.info(
            "started an extension",
            [("extension", .text(program.id)), ("extension_pid", .number(Int64(spawned.pid)))])
        return ExtensionProcess(
            spawned,
            ExtensionProcess.Output(
                answered: { [weak self] in self?.answered($0, $1) },
                asked: { [weak self] in self?.asked($0, $1, $2) },
                ended: { [weak self] in self?.ended($0) }))
    }

    private func answered(_ id: Int64, _ result: Result<RawJSON, ServiceError>) {
        guard let work, case .sent = work.phase, id == work.stored.delivery.id else {
            process?.destroy("it answered what it was not asked")
            return
        }
        switch result {
        case .success: settle(.delivered)
        case .failure(let error):
            settle(.failed("\(error.name.rawValue): \(error.message)", counts: !work.missedService))
        }
    }

    private func asked(
        _ method: String, _ params: RawJSON?,
        _ reply: @escaping @BusActor (Result<RawJSON, ServiceError>) -> Void
    ) {
        let delivery = work?.stored.delivery.id
        let leftMs = work.map { $0.deadlineMs - MonotonicClock.nowMs } ?? Limits.requestDeadlineMs
        relay.pass(method, params, of: program, trace: work?.span.context, deadlineMs: leftMs) {
            [weak self] result in
            if case .failure(let error) = result, let self, work?.stored.delivery.id == delivery,
                [.unavailable, .deadlineExceeded, .shuttingDown].contains(error.name)
            {
                work?.missedService = true
            }
            reply(result)
        }
    }

    private func ended(_ reason: String) {
        process = nil
        guard let work else { return }
        if case .sent = work.phase { settle(.failed(reason, counts: true)) }
    }

    // MARK: the end of an attempt

    private func settle(_ outcome: AttemptOutcome) {
        guard var work else { return }
        if let timer = deadlineTimer { Reactor.shared.cancel(timer) }
        deadlineTimer = nil
        work.phase = .settling(outcome)
        self.work = work
        let stored = work.stored.ended(outcome, nowMs: service.clock.nowMs)
        step(work.span.context) { [self] transaction in
            try table.update(stored)
            switch stored.delivery.state {
            case .delivered: try transaction.emit(CallbackDelivered(delivery: stored.delivery))
            case .failed: try transaction.emit(CallbackFailed(delivery: stored.delivery))
            case .waiting, .running: break
            }
        } done: { [weak self] in
            self?.settled(work.span, outcome, stored)
        }
    }

    private func settled(_ span: StartedSpan, _ outcome: AttemptOutcome, _ stored: StoredDelivery) {
        work = nil
        switch outcome {
        case .delivered: service.tracer.end(span, subject: program.id)
        case .failed(let reason, _):
            service.tracer.end(span, outcome: stored.delivery.state.rawValue, subject: program.id)
            program.lastError = reason
            service.log.warning(
                "an extension did not return from a callback",
                [
                    ("extension", .text(program.id)), ("callback", .text(stored.delivery.callback)),
                    ("attempt", .number(stored.delivery.attempt)), ("reason", .text(reason)),
                    ("state", .text(stored.delivery.state.rawValue)),
                ])
        }
        pump()
    }

    // MARK: rest

    private func restWhenIdle() {
        guard let process, idleTimer == nil else { return }
        idleTimer = Reactor.shared.after(milliseconds: MonitorLimits.idleMs) { [weak self] in
            guard let self, work == nil else { return }
            idleTimer = nil
            process.finish()
            self.process = nil
        }
    }

    /// Ends its process and does nothing more.
    func retire(_ reason: String) {
        retired = true
        work = nil
        for timer in [deadlineTimer, idleTimer].compactMap({ $0 }) { Reactor.shared.cancel(timer) }
        if let dueTimer { service.clock.cancel(dueTimer) }
        process?.destroy(reason)
    }
}
