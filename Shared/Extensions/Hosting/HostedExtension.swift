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
    /// What it does now. Its table:
    ///
    /// | | next request | process ends | idle too long, ``renew()`` | ``finish()`` | ``retire(_:)`` |
    /// |---|---|---|---|---|---|
    /// | stopped | verifying or busy | – | – | – | retired |
    /// | verifying | waits | – | – | – | retired |
    /// | idle | busy | clearing | stopped | stopped | retired |
    /// | busy | waits | clearing | marked, then stopped | stopped | retired |
    /// | clearing | waits | – | – | – | retired |
    /// | retired | refused | – | – | – | – |
    ///
    /// A process that exits normally is in none of them, but among ``leaving``.
    enum State {
        /// There is no process.
        case stopped
        /// There is no process; the copy to run is being compared with what was installed.
        case verifying
        /// Its process waits for a request, until the timer fires.
        case idle(ProgramRun, TimerToken)
        /// Its process answers a request.
        case busy(ProgramRun, HostedCall)
        /// Its process died; until its files are removed no other is started.
        case clearing(ProgramRun)
        /// Nothing is started any more; its process, if it had one, is being killed.
        case retired(ProgramRun?)
    }

    /// As installed; ``record`` adds the process state.
    package var program: ExtensionRecord
    /// The last lines it printed or logged.
    package var output: [String] { run?.process?.lines ?? lastOutput }
    let host: ExtensionHosting
    let purpose: HostedPurpose
    var state = State.stopped
    /// Processes that are exiting normally.
    var leaving: [ProgramRun] = []
    /// Requests that wait for their turn.
    var queue: [HostedCall] = []
    private var nextID: Int64 = 1
    var starts: Int64 = 0
    var failuresInRow: Int64 = 0
    /// Requests are refused until then, because it failed.
    var restart: Instant?
    var lastOutput: [String] = []
    var lastConfinement: ProgramConfinement?
    var measured: ExtensionMeasure?

    package init(
        _ program: ExtensionRecord, _ host: ExtensionHosting, for purpose: HostedPurpose = .serving
    ) {
        self.program = program
        self.host = host
        self.purpose = purpose
    }

    /// The present process; nil if there is none, or if it is exiting normally.
    var run: ProgramRun? {
        switch state {
        case .idle(let run, _), .busy(let run, _): run
        case .retired(let run): run
        case .stopped, .verifying, .clearing: nil
        }
    }

    /// The running request.
    var call: HostedCall? { if case .busy(_, let call) = state { call } else { nil } }

    /// As installed, with the present process state.
    package var record: ExtensionRecord {
        var record = program
        let process = run?.process
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
    var loop: EventLoop { host.service.loop }

    func takeID() -> Int64 {
        defer { nextID += 1 }
        return nextID
    }

    // MARK: requests

    /// Sends a request to the program and waits for its answer, or the reason why there is none.
    package func request(_ request: HostedRequest) async throws(HostedFailure) -> RawJSON {
        let tokenized = try await tokenized(request)
        if case .retired = state { throw Self.failure(.ended, "the extension was removed") }
        guard queue.count < HostingLimits.waitingRequestsMax else {
            let full = ServiceError(
                .tooManyRequests, "waitingRequestsMax is \(HostingLimits.waitingRequestsMax)",
                remedy: "Ask again when it has answered some.")
            throw HostedFailure(kind: .notStarted, error: full)
        }
        let result = await withCheckedContinuation { caller in
            queue.append(HostedCall(tokenized, on: loop, caller))
            next()
        }
        return try result.get()
    }

    /// Begins the requests that can begin now.
    func next() {
        while let call = queue.first {
            switch state {
            case .stopped:
                guard host.runner.isVerified(program) else { return verify() }
                queue.removeFirst()
                begin(call)
            case .idle(let run, let timer):
                queue.removeFirst()
                guard call.due > loop.now else {
                    refuse(call, Self.busyTooLong)
                    continue
                }
                loop.cancel(timer)
                run.process?.mark()
                send(call, to: run)
            case .verifying, .busy, .clearing, .retired: return
            }
        }
    }

    /// Starts a process for a request.
    private func begin(_ call: HostedCall) {
        let left = restart.map { $0 - host.service.clock.now } ?? 0
        // A longer delay was not meant: the clock was set back.
        if left > 0, left <= HostingLimits.restartMax, !call.request.ignoresRestartDelay {
            return call.end(
                .failure(
                    Self.failure(
                        .notStarted, "it failed \(failuresInRow) times in a row and rests for \(left) ms")))
        }
        do throws(ServiceError) {
            guard call.due > loop.now else { throw Self.busyTooLong }
            send(call, to: try start())
        } catch {
            refuse(call, error)
        }
    }

    private static let busyTooLong = ServiceError(
        .deadlineExceeded, "it was busy with earlier requests for too long", remedy: "Ask again.")

    private func refuse(_ call: HostedCall, _ error: ServiceError) {
        program.lastError = error.message
        call.end(.failure(HostedFailure(kind: .notStarted, error: error)))
    }

    private func send(_ call: HostedCall, to run: ProgramRun) {
        state = .busy(run, call)
        let limit = budget.callback
        call.send(takeID(), budget: limit) { [weak self, unowned call] in
            guard let self else { return }
            run.process?.destroy(
                Excess(
                    what: .time, limit: limit.count, measured: (loop.now - call.sent).count,
                    sentence: "the callback took longer than \(limit) ms (CallbackSeconds)"))
        }
        run.process?.send(
            call.id, call.request.method, call.request.params, deadline: min(call.due - call.sent, limit))
    }

    /// Runs once for each copy, and again when the copy was touched.
    private func verify() {
        state = .verifying
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
        guard case .verifying = state else { return }
        state = .stopped
        if let failure, !queue.isEmpty {
            host.service.log.error(
                "an extension is not started",
                [("extension", .text(program.id)), ("reason", .text(failure.message))])
            refuse(queue.removeFirst(), failure)
        }
        next()
    }

    private func start() throws(ServiceError) -> ProgramRun {
        let run = ProgramRun(started: loop.now)
        let process = try host.runner.start(
            program, for: purpose, budget,
            RunningProgramEvents(
                answered: { [weak self] in self?.answered(run, $0, $1) },
                asked: { [weak self] in self?.asked(run, $0, $1) },
                launched: { [weak self] in self?.launched(run) },
                exceeded: { [weak self] in self?.exceeded(run, $0) },
                ended: { [weak self] in
                    self?.ended(run, $0)
                    run.ended()
                },
                cleared: { [weak self] in self?.cleared(run, $0) }))
        run.process = process
        starts += 1
        host.service.log.info(
            "started an extension",
            [("extension", .text(program.id)), ("extension_pid", .number(Int64(process.pid)))])
        return run
    }
}
