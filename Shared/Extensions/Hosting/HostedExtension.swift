package import Contract
import ExtensionLink
package import JSON
package import Loop
import ServiceKit
import Time
import Units

/// One installed extension and its process, which is started for a request, kept warm, ended when idle,
/// measured against its budget, and restarted with increasing delays when it fails. Requests are answered one
/// at a time, in order.
@LoopActor package final class HostedExtension {
    /// As installed; ``record`` adds the process state.
    package var program: ExtensionRecord
    /// The last lines it printed or logged.
    package var output: [String] { process?.lines ?? lastOutput }
    let host: ExtensionHosting
    let purpose: HostedPurpose
    var process: (any RunningProgram)?
    /// The process that is exiting normally, until it has.
    var leaving: (any RunningProgram)?
    /// Callbacks of callers that wait for the end of the process.
    var ends: [@LoopActor () -> Void] = []
    /// The program was replaced while a request was running.
    var isStale = false
    var queue: [Work] = []
    var current: Work?
    var retired = false
    private var nextID: Int64 = 1
    var openPushes: Set<Int64> = []
    var subscribed: Set<String> = []
    var listener: Int64?
    var idleTimer: TimerToken?
    var started: Milliseconds = 0
    var starts: Int64 = 0
    var failuresInRow: Int64 = 0
    var restart: Instant?
    var lastOutput: [String] = []
    var lastConfinement: ProgramConfinement?
    var measured: ExtensionMeasure?
    var isOverBudget = false
    /// The files of an ended process are being removed; until then no other process is started.
    var isClearing = false
    /// The copy it runs from is being compared with what was installed.
    private var isVerifying = false

    struct Work {
        let request: HostedRequest
        /// Nil if the caller has already got an error, because it took too long.
        var completion: (@LoopActor (Result<RawJSON, HostedFailure>) -> Void)?
        let due: Milliseconds
        var id: Int64 = 0
        var sent: Milliseconds = 0
        var start: Milliseconds?
        var missedService = false
        /// A write that a service did not accept because it did not run. Programs are not informed, because
        /// Apple's setters do not throw.
        var missedWrite: ServiceError?
        /// Timers of the caller's deadline and of the budget.
        var timers: [TimerToken] = []
    }

    package init(
        _ program: ExtensionRecord, _ host: ExtensionHosting, for purpose: HostedPurpose = .serving
    ) {
        self.program = program
        self.host = host
        self.purpose = purpose
    }

    /// As installed, with the present process state.
    package var record: ExtensionRecord {
        var record = program
        record.running = process != nil
        record.pid = process.map { Int64($0.pid) }
        record.measured = measured ?? program.measured
        record.starts = starts
        record.failures = failuresInRow
        record.restart = restart
        let here = host.runner.confinement
        let own = process?.confinement ?? lastConfinement
        record.confinement = own?.applied ?? here?.applied
        let missing = here?.missing ?? []
        record.unconfined = missing + (own?.missing.filter { !missing.contains($0) } ?? [])
        return record
    }

    var budget: ExtensionBudget { program.budget ?? HostingLimits.defaultBudget }

    // MARK: requests

    /// Sends a request to the program; `completion` is called once, with its answer or the reason why there
    /// is none.
    package func request(
        _ request: HostedRequest, _ completion: @escaping @LoopActor (Result<RawJSON, HostedFailure>) -> Void
    ) {
        tokenize(request) { [self] result in
            switch result {
            case .failure(let failure): completion(.failure(failure))
            case .success(let tokenized): enqueue(tokenized, completion)
            }
        }
    }

    private func enqueue(
        _ request: HostedRequest, _ completion: @escaping @LoopActor (Result<RawJSON, HostedFailure>) -> Void
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
                due: host.service.loop.now + max(1, request.deadline)))
        next()
    }

    /// Sends a request to the program and waits for its answer.
    package func request(_ request: HostedRequest) async throws(HostedFailure) -> RawJSON {
        let result: Result<RawJSON, HostedFailure> = await withCheckedContinuation { continuation in
            self.request(request) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Pushes an event to a running program that subscribed to it; one that does not run does not need it.
    package func push(_ type: String, _ data: RawJSON) {
        guard let process, subscribed.contains(type), openPushes.count < HostingLimits.openPushesMax else {
            return
        }
        let id = takeID()
        openPushes.insert(id)
        process.send(
            id, PushedEvent.name, RawJSON(encoding: PushedEvent.Params(type: type, data: data)),
            deadline: budget.callback)
    }

    func takeID() -> Int64 {
        defer { nextID += 1 }
        return nextID
    }

    func next() {
        guard current == nil, !retired, !isClearing, !isVerifying, !queue.isEmpty else { return }
        guard process != nil || host.runner.isVerified(program) else { return verify() }
        let work = queue.removeFirst()
        if let idleTimer { host.service.loop.cancel(idleTimer) }
        idleTimer = nil
        if let restart, !work.request.ignoresRestartDelay, process == nil,
            restart > host.service.clock.now
        {
            let left = restart - host.service.clock.now
            work.completion?(
                .failure(
                    Self.failure(
                        .notStarted, "it failed \(failuresInRow) times in a row and rests for \(left) ms")))
            return next()
        }
        begin(work)
    }

    /// Runs once for each copy, and again when the copy was touched.
    private func verify() {
        isVerifying = true
        Task { [weak self, program, runner = host.runner] in
            do throws(ServiceError) {
                try await runner.verify(program)
                self?.verified(nil)
            } catch {
                self?.verified(error)
            }
        }
    }

    private func verified(_ failure: ServiceError?) {
        isVerifying = false
        if let failure, !queue.isEmpty {
            program.lastError = failure.message
            host.service.log.error(
                "an extension is not started",
                [("extension", .text(program.id)), ("reason", .text(failure.message))])
            queue.removeFirst().completion?(.failure(HostedFailure(kind: .notStarted, error: failure)))
        }
        next()
    }

    private func begin(_ work: Work) {
        var work = work
        work.id = takeID()
        work.sent = host.service.loop.now
        let left = work.due - work.sent
        do throws(ServiceError) {
            guard left > 0 else {
                throw ServiceError(
                    .deadlineExceeded, "it was busy with earlier requests for too long", remedy: "Ask again.")
            }
            let process: any RunningProgram
            if let running = self.process {
                process = running
                process.mark()
            } else {
                process = try start()
            }
            self.process = process
            current = work
            wait(left)
            process.send(
                work.id, work.request.method, work.request.params, deadline: min(left, budget.callback))
        } catch {
            current = nil
            program.lastError = error.message
            work.completion?(.failure(HostedFailure(kind: .notStarted, error: error)))
            next()
        }
    }

    /// The caller waits this long. The program may continue until its budget is used up, so that a slow start
    /// is not repeated.
    private func wait(_ left: Milliseconds) {
        let limit = budget.callback
        if left < limit {
            current?.timers.append(
                host.service.loop.after(left) { [weak self] in
                    let late = ServiceError(
                        .deadlineExceeded, "it did not answer within \(left) ms", remedy: "See its log.")
                    self?.current?.completion?(.failure(HostedFailure(kind: .late, error: late)))
                    self?.current?.completion = nil
                })
        }
        current?.timers.append(
            host.service.loop.after(limit) { [weak self] in
                guard let self, let current else { return }
                process?.destroy(
                    Excess(
                        what: .time, limit: limit.count,
                        measured: (host.service.loop.now - current.sent).count,
                        sentence: "the callback took longer than \(limit) ms (CallbackSeconds)"))
            })
    }

    private func start() throws(ServiceError) -> any RunningProgram {
        let number = starts + 1
        let program = try host.runner.start(
            program, for: purpose, budget,
            RunningProgramEvents(
                answered: { [weak self] in self?.answered($0, $1) },
                asked: { [weak self] in self?.asked($0, $1) },
                launched: { [weak self] in self?.launched() },
                exceeded: { [weak self] in
                    guard let self else { return }
                    exceeded($0, isPresent: number == starts && process != nil)
                },
                ended: { [weak self] in self?.ended($0, number) },
                cleared: { [weak self] in self?.cleared($0) }))
        starts = number
        isOverBudget = false
        started = host.service.loop.now
        openPushes = []
        subscribed = []
        listen([])
        host.service.log.info(
            "started an extension",
            [("extension", .text(self.program.id)), ("extension_pid", .number(Int64(program.pid)))])
        return program
    }
}
