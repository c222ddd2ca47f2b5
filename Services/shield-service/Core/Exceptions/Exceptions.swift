import Bus
import Contract
import Loop
import ServiceKit
import Units

/// Begins exceptions when requests are approved, and ends each at its end, to the millisecond.
@LoopActor final class Exceptions {
    private let service: Service
    private let repository: ShieldRepository
    /// Minutes end by CLOCK_BOOTTIME within a boot, everything else by the trusted time.
    let clock: TrustedClock
    private var timer: TimerToken?
    private var retrying: TimerToken?

    init(_ service: Service, _ repository: ShieldRepository) throws {
        self.service = service
        self.repository = repository
        clock = try TrustedClock(service)
        clock.onChange = { [weak self] in self?.settle() }
    }

    /// The exceptions in effect.
    var inEffect: [ShieldException] {
        repository.state.openExceptions().sorted { ($0.end, $0.id) < ($1.end, $1.id) }
    }

    private var reading: StoredException.Reading {
        StoredException.Reading(now: clock.now, isJudged: clock.isJudged, boot: clock.boot())
    }

    // MARK: beginning

    /// Begins the exception that follows from a request. It has begun or ended before if the same event
    /// arrives again.
    func apply(_ request: TimeRequest, _ transaction: Transaction) throws {
        guard request.state == .approved, let end = request.end,
            repository.state.exceptions[request.id] == nil
        else { return }
        let reading = reading
        var stored = StoredException(request, end: end)
        stored.dateEnd(request, at: reading)
        guard !stored.isOver(at: reading) else { return }
        try transaction.emit(ExceptionBegan(exception: stored.exception), subject: request.kind.rawValue)
        try commit([request.id: stored], now: reading.now, transaction)
    }

    // MARK: ending

    func end(_ id: String, _ transaction: Transaction) throws {
        guard let stored = repository.state.exceptions[id] else {
            throw ServiceError(
                .notFound, "there is no exception of the request '\(VisibleText.escaped(id))'",
                remedy: "See `screentime exceptions`; those that are over are not listed.")
        }
        guard stored.isInEffect else { return }
        try end([stored], .person, transaction)
    }

    /// Ends what a removed member had.
    func end(member: String, _ transaction: Transaction) throws {
        let own = repository.state.exceptions.values.filter { $0.exception.member == member }
        try end(own.filter(\.isInEffect), .memberRemoved, transaction)
        try remove(own, transaction)
    }

    /// Rows of exceptions that ended early; the requests that they follow from are forgotten, too.
    func remove(_ ended: [StoredException], _ transaction: Transaction) throws {
        let gone = ended.map { ($0.exception.id, StoredException?.none) }
        guard !gone.isEmpty else { return }
        try commit(Dictionary(uniqueKeysWithValues: gone), now: reading.now, transaction)
    }

    /// Stores exceptions that say less than before, without an event.
    func replace(_ changed: [StoredException], _ transaction: Transaction) throws {
        let rows = changed.map { ($0.exception.id, Optional($0)) }
        try commit(Dictionary(uniqueKeysWithValues: rows), now: reading.now, transaction)
    }

    private func end(
        _ ended: [StoredException], _ ending: ExceptionEnding, _ transaction: Transaction
    ) throws {
        guard !ended.isEmpty else { return }
        let reading = reading
        var changed: [String: StoredException?] = [:]
        for var stored in ended.sorted(by: { $0.exception.id < $1.exception.id }) {
            var told = stored.exception
            // A timer may be late; the exception was over at its end nevertheless.
            told.end = ending == .timeIsOver ? told.end : reading.now
            try transaction.emit(
                ExceptionEnded(exception: told, ending: ending), subject: told.kind.rawValue)
            stored.ended = reading.now
            changed.updateValue(ending == .timeIsOver ? nil : stored, forKey: told.id)
        }
        try commit(changed, now: reading.now, transaction)
    }

    private func commit(
        _ changed: [String: StoredException?], now: Instant, _ transaction: Transaction
    ) throws {
        let members = Set(
            changed.compactMap { id, stored -> String? in
                let before = repository.state.exceptions[id]
                guard before?.isInEffect == true || stored?.isInEffect == true else { return nil }
                return (stored ?? before)?.exception.member
            })
        try repository.commit(exceptions: changed, now: now, transaction)
        // Judgements of apps and hosts change also where the list of shields stays.
        for member in members.sorted() {
            for kind in [SubjectKind.app, .domain] {
                try transaction.emit(ShieldCoverageChanged(member: member, kind: kind))
            }
        }
        transaction.afterCommit { [weak self] in self?.arm() }
    }

    // MARK: the timer

    /// Call at the start.
    func start() {
        settle()
        guard repository.state.exceptions.values.contains(where: { !$0.isDatable(at: reading) }) else {
            return
        }
        clock.reportSilence("exceptions do not end at the end of a day")
    }

    /// Milliseconds until the next exception of a member ends; nil: it has none, or nobody can tell yet when
    /// it ends.
    func untilEnd(of member: String) -> Milliseconds? {
        let reading = reading
        return repository.state.exceptions.values.filter { $0.isInEffect && $0.exception.member == member }
            .map { $0.rest(at: reading) }.filter { $0 > 0 }.min()
    }

    /// Ends what is over, and waits for the next end. Where only a judged clock can tell the end, that is
    /// waited for.
    func settle() {
        let reading = reading
        let over = repository.state.exceptions.values.filter { $0.isOver(at: reading) }
        repository.lapse(Set(over.map(\.exception.id)))
        guard !over.isEmpty else { return arm() }
        do throws(ServiceError) {
            try service.transact(trace: nil) { transaction in
                try end(over.filter(\.isInEffect), .timeIsOver, transaction)
                try remove(over.filter { !$0.isInEffect }, transaction)
            }
        } catch {
            service.log.error("ending exceptions failed", [("error", .name(of: error))])
            retry()
        }
    }

    /// Call when a turn was undone: what it ended is in effect again.
    func retry() {
        // Each undone turn calls this.
        guard retrying == nil else { return }
        retrying = service.loop.after(Service.retryPause) { [weak self] in
            self?.retrying = nil
            self?.settle()
        }
    }

    private func arm() {
        if let timer { service.clock.cancel(timer) }
        timer = nil
        let reading = reading
        let datable = repository.state.exceptions.values.filter { $0.isDatable(at: reading) }
        guard let rest = datable.map({ $0.rest(at: reading) }).min() else { return }
        timer = service.clock.at(service.clock.now + max(0, rest)) { [weak self] in
            self?.timer = nil
            self?.settle()
        }
    }

    func close() {
        if let timer { service.clock.cancel(timer) }
        if let retrying { service.loop.cancel(retrying) }
        (timer, retrying) = (nil, nil)
        clock.close()
    }
}
