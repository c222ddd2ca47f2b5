import Contract
import ExtensionLink
import JSON
import Loop
import ServiceKit
import Time
import Units

/// Handles events of an extension's processes.
extension HostedExtension {
    /// Whether it is the process that answers requests, and not one that exits or is being killed.
    private func isPresent(_ run: ProgramRun) -> Bool {
        switch state {
        case .idle(let present, _), .busy(let present, _): present === run
        case .stopped, .verifying, .clearing, .retired: false
        }
    }

    func launched(_ run: ProgramRun) {
        guard case .busy(let present, let call) = state, present === run, let process = run.process,
            process.confinement != nil, let began = process.began, call.start == nil, call.sent <= began
        else { return }
        call.start = began - run.started
    }

    func answered(_ run: ProgramRun, _ id: Int64, _ result: Result<RawJSON, ServiceError>) {
        guard run.openPushes.remove(id) == nil, isPresent(run) else { return }
        guard let call, call.id == id else {
            run.process?.destroy("it answered what it was not asked")
            return
        }
        let used = run.process?.measure()
        if run.isOverBudget { return }  // The end of the process settles it.
        measure(run, call, used)
        failuresInRow = 0
        restart = nil
        settle(run, call, Self.outcome(call, result))
    }

    private static func outcome(
        _ call: HostedCall, _ result: Result<RawJSON, ServiceError>
    ) -> Result<RawJSON, HostedFailure> {
        switch result {
        case .success(let value):
            guard let missed = call.missedWrite, call.request.method == Wire.callbackMethod else {
                return .success(value)
            }
            return .failure(HostedFailure(kind: .refused, error: missed.cut(), missedService: true))
        case .failure(let error):
            return .failure(
                HostedFailure(kind: .refused, error: error.cut(), missedService: call.missedService))
        }
    }

    /// It answered: its process rests, unless the program was replaced meanwhile.
    private func settle(_ run: ProgramRun, _ call: HostedCall, _ result: Result<RawJSON, HostedFailure>) {
        call.end(result)
        rest(run)
        if run.isStale { return renew() }
        next()
    }

    /// - Parameter reply: called once, with the answer, or when the program's deadline passes.
    func asked(
        _ run: ProgramRun, _ request: ProgramRequest,
        _ reply: @escaping @LoopActor (Result<RawJSON, ServiceError>) -> Void
    ) {
        if let answer = answerItself(run, request) { return reply(answer) }
        let call = call
        let left = call.map { max(1, $0.due - loop.now) } ?? Limits.requestDeadline
        let deadline = min(left, request.deadline ?? Limits.requestDeadline)
        Task {
            let answer = await FirstResult.within(deadline, on: loop) { [self] () throws(ServiceError) in
                try await relay(request, trace: call?.request.trace, deadline: deadline)
            }
            if case .failure(let error) = answer, error.isOfService, let call {
                call.missedService = true
                if ProgramKind(program.point).writes(request.method) { call.missedWrite = error }
            }
            reply(answer)
        }
    }

    /// The host's own answer; nil if the request goes to the bus.
    private func answerItself(
        _ run: ProgramRun, _ request: ProgramRequest
    ) -> Result<RawJSON, ServiceError>? {
        do throws(JSONError) {
            let params = request.params ?? RawJSON(encoding: Nothing())
            switch request.method {
            case Hello.method:
                _ = try Hello.Params.decode(params.bytes)
                guard let process = run.process else { return nil }
                return .success(RawJSON(encoding: host.hello(program, process)))
            case Subscribe.method:
                let types = try Subscribe.Params.decode(params.bytes).types
                guard types.count <= Registry.events.count else { return .failure(Self.tooManyTypes) }
                listen(Set(types).sorted(), run)
                return .success(RawJSON(encoding: Nothing()))
            default: return nil
            }
        } catch {
            return .failure(
                ServiceError(.invalidParams, error.message, remedy: "See Shared/Extensions/Link."))
        }
    }

    private static let tooManyTypes = ServiceError(
        .limitExceeded, "more types than there are events (\(Registry.events.count))",
        remedy: "Name each type once.")

    // MARK: the end of a process

    func ended(_ run: ProgramRun, _ end: ProcessEnd) {
        lastOutput = run.process?.lines ?? lastOutput
        lastConfinement = run.process?.confinement ?? lastConfinement
        leaving.removeAll { $0 === run }
        guard self.run === run else { return }
        if end.isForFileSize, !run.isOverBudget { exceeded(run, .fileSize) }
        if run.isOverBudget { program.lastError = end.reason }
        switch state {
        case .busy(_, let call):
            state = .clearing(run)
            failed(end)
            call.end(
                .failure(
                    Self.failure(Self.kind(end, run), end.reason, missedService: call.missedService)))
            if run.isStale { restart = nil }
        case .idle(_, let timer):
            loop.cancel(timer)
            state = .clearing(run)
        case .retired: state = .retired(nil)
        case .stopped, .verifying, .clearing: break
        }
        host.onChange(record)
    }

    /// It failed to answer: the next start waits, longer each time.
    private func failed(_ end: ProcessEnd) {
        failuresInRow += 1
        // The longest delay is reached long before the shift can overflow.
        let delay = HostingLimits.restart * (1 << min(failuresInRow - 1, 16))
        restart = host.service.clock.now + min(delay, HostingLimits.restartMax)
        program.lastError = end.reason
    }

    private static func kind(_ end: ProcessEnd, _ run: ProgramRun) -> HostedFailure.Kind {
        switch end.fault {
        case .notBegun: .notStarted
        case .journal: .unnoted
        case .program: run.isOverBudget ? .overBudget : .ended
        }
    }

    func cleared(_ run: ProgramRun, _ failure: ServiceError?) {
        if let failure {
            host.service.log.warning(
                "files of an extension's process could not be removed",
                [("extension", .text(program.id)), ("reason", .text(failure.message))])
        }
        guard case .clearing(let dead) = state, dead === run else { return }
        state = .stopped
        next()
    }

    static func failure(
        _ kind: HostedFailure.Kind, _ reason: String, missedService: Bool = false
    ) -> HostedFailure {
        HostedFailure(
            kind: kind,
            error: ServiceError(
                .unavailable, reason, remedy: "See `screentime logs` and `screentime extension show`."),
            missedService: missedService)
    }

    // MARK: the budget

    private func measure(_ run: ProgramRun, _ call: HostedCall, _ used: MeasuredUse?) {
        guard let used else { return }
        let began = max(call.sent, call.start.map { run.started + $0 } ?? 0)
        measured = ExtensionMeasure(
            callback: call.request.callback, took: loop.now - began, start: call.start,
            processor: used.processor, memoryBytes: used.memoryBytes)
        host.onChange(record)
    }

    /// Also of a process that is exiting; that settles no request.
    func exceeded(_ run: ProgramRun, _ excess: Excess) {
        run.isOverBudget = true
        let event = ExtensionOverBudget(
            id: program.id, client: program.client, what: excess.what, limit: excess.limit,
            measured: excess.measured, callback: isPresent(run) ? call?.request.callback ?? "" : "")
        host.onOverBudget(event, record)
    }
}

extension Excess {
    /// The kernel ended it at a file that became too long.
    fileprivate static let fileSize = Excess(
        what: .disk, limit: HostingLimits.fileBytesMax, measured: HostingLimits.fileBytesMax,
        sentence: "it wrote more than \(HostingLimits.fileBytesMax) bytes into one file (fileBytesMax)")
}

extension ServiceError {
    /// The words of a program, as far as anybody wants to read them: they are kept, told in events and shown.
    fileprivate func cut() -> ServiceError {
        ServiceError(name, VisibleText.shortened(message), remedy: VisibleText.shortened(remedy))
    }
}
