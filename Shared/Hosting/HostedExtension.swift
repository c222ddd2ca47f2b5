package import Bus
package import Contract
import ExtensionLink
package import JSON
import ServiceKit

/// One installed extension and its process: started when something is asked of it, kept warm, ended when it
/// is idle, measured against its budget, and started again with growing delays when it fails. Requests are
/// answered one at a time, in order.
@BusActor package final class HostedExtension {
    /// As installed; how it runs is in ``record``.
    package var program: ExtensionRecord
    /// The last lines it printed or logged.
    package var output: [String] { process?.output.lines ?? lastOutput }
    let host: ExtensionHosting
    private let journal: String?
    private var process: ExtensionProcess?
    /// The one that was told to end in order, until it has.
    private var leaving: ExtensionProcess?
    /// Who waits for an end.
    private var ends: [@BusActor () -> Void] = []
    /// The program was replaced while a request was on its way.
    private var isStale = false
    private var queue: [Work] = []
    private var current: Work?
    private var retired = false
    private var nextID: Int64 = 1
    private var openPushes: Set<Int64> = []
    private var subscribed: Set<String> = []
    var listener: Int64?
    private var idleTimer: TimerToken?
    private var startedMs: Int64 = 0
    private var starts: Int64 = 0
    private var failuresInRow: Int64 = 0
    private var restartMs: Int64?
    private var lastOutput: [String] = []
    private var lastReport: LaunchReport?
    private var measured: ExtensionMeasure?
    private var overBudget: ExtensionOverBudget?

    private struct Work {
        let request: HostedRequest
        /// nil: whoever asked was told already that it took too long.
        var completion: (@BusActor (Result<RawJSON, HostedFailure>) -> Void)?
        let dueMs: Int64
        var id: Int64 = 0
        var sentMs: Int64 = 0
        var startMs: Int64?
        var watch: BudgetWatch?
        var look: BudgetWatch.Look?
        var missedService = false
        /// Of whoever asked, of the budget, and until the next look.
        var timers: [TimerToken] = []
        var looking: TimerToken?
    }

    /// - Parameter journal: the file where a monitor extension notes callbacks that returned.
    package init(_ program: ExtensionRecord, _ host: ExtensionHosting, journal: String? = nil) {
        self.program = program
        self.host = host
        self.journal = journal
    }

    /// As installed, and how it runs now.
    package var record: ExtensionRecord {
        var record = program
        record.running = process != nil
        record.pid = process.map { Int64($0.pid) }
        record.measured = measured ?? program.measured
        record.starts = starts
        record.failures = failuresInRow
        record.restartMs = restartMs
        let report = process?.report ?? lastReport
        let outer = host.confinement?.bubblewrap == nil ? [] : ["bubblewrap"]
        record.confinement = report.map { outer + $0.applied } ?? host.confinement?.applied
        let missing = host.confinement?.missing ?? []
        record.unconfined = missing + (report?.missing.filter { !missing.contains($0) } ?? [])
        return record
    }

    var budget: ExtensionBudget { program.budget ?? HostingLimits.defaultBudget }

    // MARK: requests

    /// Asks the program; `completion` is called once, with its answer or with why there is none.
    package func request(
        _ request: HostedRequest, _ completion: @escaping @BusActor (Result<RawJSON, HostedFailure>) -> Void
    ) {
        veil(request) { [self] result in
            switch result {
            case .failure(let failure): completion(.failure(failure))
            case .success(let veiled): enqueue(veiled, completion)
            }
        }
    }

    private func enqueue(
        _ request: HostedRequest, _ completion: @escaping @BusActor (Result<RawJSON, HostedFailure>) -> Void
    ) {
        guard !retired else { return completion(.failure(Self.failure(.ended, "the extension was removed"))) }
        guard queue.count < HostingLimits.waitingRequestsMax else {
            let full = ServiceError(
                .tooManyRequests, "waitingRequestsMax is \(HostingLimits.waitingRequestsMax)",
                remedy: "Ask again when it has answered some.")
            return completion(.failure(HostedFailure(kind: .notStarted, error: full)))
        }
        queue.append(
            Work(
                request: request, completion: completion,
                dueMs: MonotonicClock.nowMs + max(1, request.deadlineMs)))
        next()
    }

    /// The same for who waits for it.
    package func request(_ request: HostedRequest) async throws(HostedFailure) -> RawJSON {
        let result: Result<RawJSON, HostedFailure> = await withCheckedContinuation { continuation in
            self.request(request) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Tells a running program that subscribed to it of an event; one that does not run needs no telling.
    package func push(_ type: String, _ data: RawJSON) {
        guard let process, subscribed.contains(type), openPushes.count < HostingLimits.openPushesMax else {
            return
        }
        let id = takeID()
        openPushes.insert(id)
        process.send(
            id, PushedEvent.name, RawJSON(encoding: PushedEvent.Params(type: type, data: data)),
            deadlineMs: budget.callbackMs)
    }

    private func takeID() -> Int64 {
        defer { nextID += 1 }
        return nextID
    }

    private func next() {
        guard current == nil, !retired, !queue.isEmpty else { return }
        let work = queue.removeFirst()
        if let idleTimer { Reactor.shared.cancel(idleTimer) }
        idleTimer = nil
        if let restartMs, !work.request.ignoresRestartDelay, process == nil,
            restartMs > host.service.clock.nowMs
        {
            let leftMs = restartMs - host.service.clock.nowMs
            work.completion?(
                .failure(
                    Self.failure(
                        .notStarted, "it failed \(failuresInRow) times in a row and rests for \(leftMs) ms")))
            return next()
        }
        begin(work)
    }

    private func begin(_ work: Work) {
        var work = work
        work.id = takeID()
        work.sentMs = MonotonicClock.nowMs
        let leftMs = work.dueMs - work.sentMs
        do throws(ServiceError) {
            guard leftMs > 0 else {
                throw ServiceError(
                    .deadlineExceeded, "it was busy with earlier requests for too long", remedy: "Ask again.")
            }
            let process: ExtensionProcess
            if let running = self.process {
                process = running
                work.watch = process.report?.pid.flatMap { BudgetWatch($0) }
            } else {
                process = try start()
            }
            self.process = process
            current = work
            wait(leftMs)
            process.send(
                work.id, work.request.method, work.request.params, deadlineMs: min(leftMs, budget.callbackMs))
        } catch {
            current = nil
            program.lastError = error.message
            work.completion?(.failure(HostedFailure(kind: .notStarted, error: error)))
            next()
        }
    }

    /// Whoever asked waits so long; the program may go on until its budget is used up, so that a slow start
    /// is not begun again and again.
    private func wait(_ leftMs: Int64) {
        let limitMs = budget.callbackMs
        if leftMs < limitMs {
            current?.timers.append(
                Reactor.shared.after(milliseconds: leftMs) { [weak self] in
                    let late = ServiceError(
                        .deadlineExceeded, "it did not answer within \(leftMs) ms", remedy: "See its log.")
                    self?.current?.completion?(.failure(HostedFailure(kind: .late, error: late)))
                    self?.current?.completion = nil
                })
        }
        current?.timers.append(
            Reactor.shared.after(milliseconds: limitMs) { [weak self] in
                self?.exceeded(.time, limitMs, MonotonicClock.nowMs - (self?.current?.sentMs ?? 0))
            })
        lookLater()
    }

    private func start() throws(ServiceError) -> ExtensionProcess {
        try host.check(program)
        guard let confinement = host.confinement else {
            throw host.trouble
                ?? ServiceError(.unavailable, "extensions cannot be started", remedy: "See the log.")
        }
        try host.files.prepare(program)
        let order = try LaunchOrder(program, confinement, host.files, journal: journal)
        try ProgramUser.prepare(order)
        let spawned = try SpawnedProgram(order)
        startedMs = MonotonicClock.nowMs
        starts += 1
        openPushes = []
        subscribed = []
        listen([])
        host.service.log.info(
            "started an extension",
            [("extension", .text(program.id)), ("extension_pid", .number(Int64(spawned.pid)))])
        let number = starts
        let output = ProgramOutput(spawned.printed, path: host.files.log(program.id), id: program.id)
        return ExtensionProcess(
            spawned, output,
            ExtensionProcess.Events(
                answered: { [weak self] in self?.answered($0, $1) },
                asked: { [weak self] in self?.asked($0, $1) },
                launched: { [weak self] in self?.launched() },
                ended: { [weak self] in self?.ended($0, number) }))
    }

    // MARK: what the process says

    private func launched() {
        guard let process, let report = process.report else { return }
        if current != nil, current?.watch == nil, let pid = report.pid { current?.watch = BudgetWatch(pid) }
        if let beganMs = process.beganMs, current != nil, current?.startMs == nil,
            let sentMs = current?.sentMs, sentMs <= beganMs
        {
            current?.startMs = beganMs - startedMs
        }
    }

    private func answered(_ id: Int64, _ result: Result<RawJSON, ServiceError>) {
        guard openPushes.remove(id) == nil else { return }
        guard let work = current, work.id == id else {
            process?.destroy("it answered what it was not asked")
            return
        }
        process?.readReport()
        look()
        if overBudget != nil { return }  // The end of the process settles it.
        failuresInRow = 0
        restartMs = nil
        switch result {
        case .success(let value): settle(.success(value))
        case .failure(let error):
            settle(
                .failure(HostedFailure(kind: .refused, error: error, missedService: work.missedService)))
        }
    }

    private func asked(
        _ request: ProgramRequest, _ reply: @escaping @BusActor (Result<RawJSON, ServiceError>) -> Void
    ) {
        if let answer = answerItself(request) { return reply(answer) }
        if describe(request, reply) { return }
        let asking = current?.id
        let leftMs = current.map { max(1, $0.dueMs - MonotonicClock.nowMs) } ?? Limits.requestDeadlineMs
        relay(
            request, trace: current?.request.trace,
            deadlineMs: min(leftMs, request.deadlineMs ?? Limits.requestDeadlineMs)
        ) { [weak self] result in
            if case .failure(let error) = result, let self, current?.id == asking,
                [.unavailable, .deadlineExceeded, .shuttingDown].contains(error.name)
            {
                current?.missedService = true
            }
            reply(result)
        }
    }

    /// What the host answers without the bus; nil: it goes there.
    private func answerItself(_ request: ProgramRequest) -> Result<RawJSON, ServiceError>? {
        do throws(JSONError) {
            let params = request.params ?? RawJSON(encoding: Nothing())
            switch request.method {
            case Hello.method:
                _ = try Hello.Params.decode(params.bytes)
                return .success(RawJSON(encoding: host.hello(program)))
            case Subscribe.method:
                subscribed = Set(try Subscribe.Params.decode(params.bytes).types)
                listen(subscribed.sorted())
                return .success(RawJSON(encoding: Nothing()))
            default: return nil
            }
        } catch {
            return .failure(ServiceError(.invalidParams, error.message, remedy: "See Shared/ExtensionLink."))
        }
    }

    /// - Parameter number: which of its processes it was.
    private func ended(_ end: ProcessEnd, _ number: Int64) {
        let gone = number == starts ? process ?? leaving : leaving
        lastOutput = gone?.output.lines ?? lastOutput
        lastReport = gone?.report ?? lastReport
        if leaving === gone { leaving = nil }
        defer {
            ends.forEach { $0() }
            ends = []
        }
        guard let process, process === gone else { return }
        self.process = nil
        if end.isForFileSize, overBudget == nil {
            exceeded(.disk, HostingLimits.fileBytesMax, HostingLimits.fileBytesMax)
        }
        let isOverBudget = overBudget != nil
        overBudget = nil
        host.onChange(record)
        guard let work = current else { return }
        failuresInRow += 1
        // The longest delay is reached long before the shift could overflow.
        let delayMs = HostingLimits.restartMs << min(failuresInRow - 1, 16)
        restartMs = host.service.clock.nowMs + min(delayMs, HostingLimits.restartMsMax)
        program.lastError = end.reason
        settle(
            .failure(
                Self.failure(
                    isOverBudget ? .overBudget : .ended, end.reason, missedService: work.missedService)))
    }

    // MARK: the end of a request

    private func settle(_ result: Result<RawJSON, HostedFailure>) {
        guard let work = current else { return }
        cancelTimers()
        current = nil
        if let look = work.look {
            let beganMs = max(work.sentMs, work.startMs.map { startedMs + $0 } ?? 0)
            measured = ExtensionMeasure(
                callback: work.request.callback, tookMs: MonotonicClock.nowMs - beganMs,
                startMs: work.startMs,
                processorMs: look.processorMs, memoryBytes: look.memoryBytes)
            host.onChange(record)
        }
        work.completion?(result)
        if isStale { renew() }
        next()
        restWhenIdle()
    }

    private static func failure(
        _ kind: HostedFailure.Kind, _ reason: String, missedService: Bool = false
    ) -> HostedFailure {
        HostedFailure(
            kind: kind,
            error: ServiceError(
                .unavailable, reason, remedy: "See `screentime logs` and `screentime extension show`."),
            missedService: missedService)
    }

    // MARK: the budget

    private func lookLater() {
        current?.looking = Reactor.shared.after(milliseconds: HostingLimits.lookMs) { [weak self] in
            guard let self, current != nil else { return }
            look()
            if overBudget == nil { lookLater() }
        }
    }

    private func look() {
        guard let look = current?.watch?.look() else { return }
        current?.look = look
        guard overBudget == nil, let excess = look.excess(budget) else { return }
        exceeded(excess.what, excess.limit, excess.measured)
    }

    private func exceeded(_ what: ExtensionOverBudget.What, _ limit: Int64, _ measured: Int64) {
        let event = ExtensionOverBudget(
            id: program.id, client: program.client, what: what, limit: limit, measured: measured,
            callback: current?.request.callback ?? "")
        overBudget = event
        process?.destroy(event.sentence)
        host.onOverBudget(event, record)
    }

    // MARK: rest

    private func restWhenIdle() {
        guard process != nil, current == nil, idleTimer == nil, !retired else { return }
        idleTimer = Reactor.shared.after(milliseconds: host.service.configuration.extensionIdleMs) {
            [weak self] in
            guard let self, current == nil, queue.isEmpty else { return }
            letGo()
        }
    }

    /// Ends its process as soon as nothing is on its way; the next request starts the program anew.
    package func renew() {
        restartMs = nil
        guard current == nil else {
            isStale = true
            return
        }
        isStale = false
        letGo()
    }

    /// Ends its process in order, and waits for its end: then ``output`` is whole.
    package func finish() async {
        guard process != nil else { return }
        await withCheckedContinuation { continuation in
            ends.append { continuation.resume() }
            letGo()
        }
    }

    /// Ends its process at once; what it was asked fails with the reason.
    package func end(_ reason: String) { process?.destroy(reason) }

    private func letGo() {
        if let idleTimer { Reactor.shared.cancel(idleTimer) }
        idleTimer = nil
        guard let process else { return }
        leaving = process
        self.process = nil
        process.finish()
        host.onChange(record)
    }

    /// Ends its process and does nothing more.
    package func retire(_ reason: String) {
        retired = true
        cancelTimers()
        if let idleTimer { Reactor.shared.cancel(idleTimer) }
        let open = [current].compactMap { $0 } + queue
        current = nil
        queue = []
        process?.destroy(reason)
        listen([])
        for work in open { work.completion?(.failure(Self.failure(.ended, reason))) }
    }

    private func cancelTimers() {
        for timer in (current?.timers ?? []) + [current?.looking].compactMap({ $0 }) {
            Reactor.shared.cancel(timer)
        }
    }
}

extension ExtensionOverBudget {
    /// Why the program was ended, for a person.
    var sentence: String {
        switch what {
        case .memory: "it took \(measured) bytes of memory; its budget is \(limit) (MemoryMegabytes)"
        case .processor: "it took \(measured) ms of processor; its budget is \(limit) (ProcessorSeconds)"
        case .time: "the callback took longer than \(limit) ms (CallbackSeconds)"
        case .disk: "it wrote more than \(limit) bytes into one file (fileBytesMax)"
        }
    }
}
