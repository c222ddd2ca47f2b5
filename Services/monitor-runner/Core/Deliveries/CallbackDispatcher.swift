import Bus
import Contract
import ExtensionLink
import Hosting
import JSON
import Loop
import ServiceKit
import Units

/// Delivers the callbacks of one extension, one at a time and in order; each one until it returned or was
/// given up. Extensions do not wait for each other.
///
/// Every step is committed before it is executed: an attempt is counted before the program receives it, and a
/// return is recorded before the next callback begins. A step whose commit failed is repeated.
@LoopActor final class CallbackDispatcher {
    private enum Phase {
        case starting, sent
        case settling(AttemptOutcome)
    }

    private struct Work {
        var stored: StoredDelivery
        var span: StartedSpan
        var phase = Phase.starting
        /// It is given up as soon as its step is committed and its process has exited.
        var isSkipped = false
    }

    private let hosted: HostedExtension
    private let host: ExtensionHosting
    private var service: Service { host.service }
    private let table: DeliveryTable
    private var work: Work?
    /// Only the first delivery that is read can have returned before the process ended.
    private var hasReadNext = false
    private var retired = false
    private var dueTimer: TimerToken?
    private var retryTimer: TimerToken?
    /// Callbacks that did not take effect, one sentence each, oldest first.
    private(set) var missing: [String] = []
    /// Called when `missing` has changed.
    private let onMissing: @LoopActor () -> Void

    init(
        _ program: ExtensionRecord, _ host: ExtensionHosting, onMissing: @escaping @LoopActor () -> Void
    ) {
        self.host = host
        self.onMissing = onMissing
        hosted = HostedExtension(program, host)
        table = DeliveryTable(database: host.service.database)
    }

    var program: ExtensionRecord {
        get { hosted.program }
        set { hosted.program = newValue }
    }

    /// The installed extension with its present state.
    var record: ExtensionRecord { hosted.record }

    /// The callback that has not returned, as a sentence; nil if there is none.
    var unfinished: String? {
        guard let delivery = work?.stored.delivery else { return nil }
        let event = delivery.about.event.map { " of \($0)" } ?? ""
        let pid = record.pid.map { " (pid \($0))" } ?? ""
        return "\(program.id)\(pid) has not returned from \(delivery.callback)\(event) of activity "
            + "\(delivery.about.activity)"
    }

    // MARK: the queue

    /// After a start: records a callback that returned before the process ended; repeats one that did not.
    func recover() {
        readMissing()
        pump()
    }

    /// Whether the program's journal says that this attempt returned.
    private func hasReturned(_ stored: StoredDelivery) -> Bool {
        stored.receipt.map {
            host.runner.hasReturned(program.id, delivery: $0, attempt: stored.delivery.attempt)
        } ?? false
    }

    /// Starts the next callback unless one is running.
    func pump() {
        guard work == nil, !retired else { return }
        if let timer = dueTimer { service.clock.cancel(timer) }
        dueTimer = nil
        let next: StoredDelivery?
        let isRevoked: Bool
        let isFirst = !hasReadNext
        do {
            next = try table.next(of: program.id)
            isRevoked = try next.map { try table.isRevoked($0.delivery) } ?? false
        } catch {
            service.noteDamage(error)
            service.log.error(
                "reading a delivery failed",
                [("extension", .text(program.id)), ("error", .name(of: error))])
            return retryLater()
        }
        hasReadNext = true
        guard let stored = next else { return }
        if isFirst, hasReturned(stored) { return settle(stored, .delivered) }
        if isRevoked { return settle(stored, .revoked) }
        let pause = stored.due - service.clock.now
        // A longer one was not meant: the clock was set back.
        guard pause <= 0 || pause > MonitorLimits.backOffMax else {
            dueTimer = service.clock.at(stored.due) { [weak self] in self?.pump() }
            return
        }
        work = Work(stored: stored.begun(now: service.clock.now), span: span(stored))
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

    /// Commits one step, then calls `done`.
    /// - Parameter body: returns false if the delivery has ended or was deleted.
    private func step(
        _ trace: TraceContext, _ body: @LoopActor (Transaction) throws -> Bool,
        done: @escaping @LoopActor () -> Void
    ) {
        do throws(ServiceError) {
            try service.transact(trace: trace) { transaction in
                let isThere = try body(transaction)
                transaction.afterCommit { [weak self] in isThere ? done() : self?.isOver() }
            }
        } catch {
            service.log.error("writing a delivery failed", [("error", .name(of: error))])
            retryLater()
        }
    }

    /// The delivery was deleted while it was in progress, or ended when its extension was removed. Nothing
    /// more is published about it.
    private func isOver() {
        if let work { service.tracer.end(work.span, outcome: "over") }
        work = nil
        readMissing()
        pump()
    }

    /// The turn's commit failed, and this extension's step with it.
    func rolledBack() {
        guard let work else { return }
        switch work.phase {
        case .sent: return
        case .starting where !work.isSkipped:
            // The delivery itself may have been part of that turn: read the next one from the store.
            service.tracer.end(work.span, outcome: "rolled_back")
            self.work = nil
        case .starting, .settling: break
        }
        retryLater()
    }

    /// Scheduled once, however many turns failed: otherwise the step would be repeated twice.
    private func retryLater() {
        guard retryTimer == nil else { return }
        retryTimer = host.service.loop.after(Service.retryPause) { [weak self] in
            guard let self else { return }
            retryTimer = nil
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
        guard !retired, var work, case .starting = work.phase else { return }
        guard !work.isSkipped else { return settle(.skipped) }
        work.phase = .sent
        self.work = work
        let delivery = work.stored.delivery
        guard let callback = CallbackName(rawValue: delivery.callback) else {
            return settle(.failed("'\(delivery.callback)' is not a callback", counts: true))
        }
        let request = HostedRequest(
            method: Wire.callbackMethod, params: RawJSON(encoding: work.stored.params(callback)),
            callback: callback.rawValue, deadline: Limits.requestDeadlineMax, trace: work.span.context,
            ignoresRestartDelay: true)
        Task {
            do throws(HostedFailure) {
                _ = try await hosted.request(request)
                answered(nil)
            } catch {
                answered(error)
            }
        }
    }

    /// - Parameter failure: nil: the callback returned.
    private func answered(_ failure: HostedFailure?) {
        guard let work, case .sent = work.phase else { return }
        switch failure {
        case nil: settle(.delivered)
        // It returned, and the program ended before it could answer.
        case let failure? where failure.isEnd && hasReturned(work.stored):
            service.log.warning(
                "an extension ended after its callback had returned",
                [("extension", .text(program.id)), ("reason", .text(failure.reason))])
            settle(.delivered)
        case .some where work.isSkipped: settle(.skipped)
        case let failure?: settle(.failed(failure.reason, counts: failure.isOfProgram))
        }
    }

    /// The running callback; nil if there is none, or if it is already being given up.
    var skippable: Delivery? {
        guard let work, !work.isSkipped else { return nil }
        if case .settling = work.phase { return nil }
        return work.stored.delivery
    }

    /// Gives up the running callback if it is still this one.
    func skip(_ delivery: Int64) {
        guard skippable?.id == delivery else { return }
        work?.isSkipped = true
        hosted.end(StoredDelivery.skipped)
    }

    // MARK: the end of an attempt

    /// Ends a delivery without an attempt.
    private func settle(_ stored: StoredDelivery, _ outcome: AttemptOutcome) {
        work = Work(stored: stored, span: span(stored))
        settle(outcome)
    }

    private func settle(_ outcome: AttemptOutcome) {
        guard var work else { return }
        work.phase = .settling(outcome)
        self.work = work
        let stored = work.stored.ended(outcome, now: service.clock.now)
        step(work.span.context) { [self] transaction in
            guard try table.update(stored) else { return false }
            switch stored.delivery.state {
            case .delivered:
                try table.noteDelivered(stored.delivery)
                try transaction.emit(CallbackDelivered(delivery: stored.delivery))
            case .failed:
                if case .failed = outcome { try table.markMissing(stored.delivery) }
                try transaction.emit(CallbackFailed(delivery: stored.delivery))
            case .waiting, .running: break
            }
            return true
        } done: { [weak self] in
            self?.settled(work.span, outcome, stored)
        }
    }

    private func settled(_ span: StartedSpan, _ outcome: AttemptOutcome, _ stored: StoredDelivery) {
        guard work?.stored.delivery.id == stored.delivery.id else { return }
        work = nil
        switch outcome {
        case .delivered: service.tracer.end(span, subject: program.id)
        case .failed, .skipped, .revoked:
            let reason = stored.delivery.error ?? ""
            service.tracer.end(span, outcome: stored.delivery.state.rawValue, subject: program.id)
            program.lastError = reason
            service.log.warning(
                "a callback of an extension failed",
                [
                    ("extension", .text(program.id)), ("callback", .text(stored.delivery.callback)),
                    ("attempt", .number(stored.delivery.attempt)), ("reason", .text(reason)),
                    ("state", .text(stored.delivery.state.rawValue)),
                ])
        }
        if outcome != .delivered || !missing.isEmpty { readMissing() }
        pump()
    }

    /// Updates `missing`: callbacks that were given up, the one that fails now, and those waiting behind it.
    func readMissing() {
        let isOfThePerson = program.isBuiltIn
        var said = missing
        do {
            said = try table.missing(of: program.id).map { $0.missingSentence(isOfThePerson: isOfThePerson) }
            said += try table.held(of: program.id).map { $0.missingSentence(isOfThePerson: isOfThePerson) }
        } catch {
            service.noteDamage(error)
            service.log.error(
                "reading deliveries failed", [("extension", .text(program.id)), ("error", .name(of: error))])
        }
        guard said != missing else { return }
        missing = said
        onMissing()
    }

    /// The bundle was installed again: the next callback runs the new program.
    func renew() { hosted.renew() }

    /// Ends the extension's process and delivers nothing more.
    func retire(_ reason: String) {
        retired = true
        work = nil
        if let dueTimer { service.clock.cancel(dueTimer) }
        hosted.retire(reason)
    }
}
