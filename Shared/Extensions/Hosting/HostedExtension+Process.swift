import Contract
import ExtensionLink
import JSON
import Loop
import ServiceKit
import Time
import Units

/// Handles events of an extension's process.
extension HostedExtension {
    func launched() {
        guard let process, process.confinement != nil else { return }
        if let began = process.began, current != nil, current?.start == nil,
            let sent = current?.sent, sent <= began
        {
            current?.start = began - started
        }
    }

    func answered(_ id: Int64, _ result: Result<RawJSON, ServiceError>) {
        guard openPushes.remove(id) == nil else { return }
        guard let work = current, work.id == id else {
            process?.destroy("it answered what it was not asked")
            return
        }
        let used = process?.measure()
        if isOverBudget { return }  // The end of the process settles it.
        measure(work, used)
        failuresInRow = 0
        restart = nil
        switch result {
        case .success(let value):
            guard let missed = work.missedWrite, work.request.method == Wire.callbackMethod else {
                return settle(.success(value))
            }
            settle(.failure(HostedFailure(kind: .refused, error: missed.cut(), missedService: true)))
        case .failure(let error):
            settle(
                .failure(
                    HostedFailure(kind: .refused, error: error.cut(), missedService: work.missedService)))
        }
    }

    func asked(
        _ request: ProgramRequest, _ reply: @escaping @LoopActor (Result<RawJSON, ServiceError>) -> Void
    ) {
        if let answer = answerItself(request) { return reply(answer) }
        if describe(request, reply) { return }
        let asking = current?.id
        let isWrite = ProgramKind(program.point).writes(request.method)
        let left = current.map { max(1, $0.due - host.service.loop.now) } ?? Limits.requestDeadline
        let deadline = min(left, request.deadline ?? Limits.requestDeadline)
        let once = SingleCompletion(deadline, on: host.service.loop) { [weak self] result in
            if case .failure(let error) = result, let self, current?.id == asking,
                error.isOfService
            {
                current?.missedService = true
                if isWrite { current?.missedWrite = error }
            }
            reply(result)
        }
        relay(request, trace: current?.request.trace, deadline: deadline) { once.end($0) }
    }

    /// The host's own answer; nil if the request goes to the bus.
    func answerItself(_ request: ProgramRequest) -> Result<RawJSON, ServiceError>? {
        do throws(JSONError) {
            let params = request.params ?? RawJSON(encoding: Nothing())
            switch request.method {
            case Hello.method:
                _ = try Hello.Params.decode(params.bytes)
                guard let process else { return nil }
                return .success(RawJSON(encoding: host.hello(program, process)))
            case Subscribe.method:
                let types = try Subscribe.Params.decode(params.bytes).types
                guard types.count <= Registry.events.count else { return .failure(Self.tooManyTypes) }
                subscribed = Set(types)
                listen(subscribed.sorted())
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

    /// - Parameter number: number of the process.
    func ended(_ end: ProcessEnd, _ number: Int64) {
        let gone = number == starts ? process ?? leaving : leaving
        lastOutput = gone?.lines ?? lastOutput
        lastConfinement = gone?.confinement ?? lastConfinement
        if leaving === gone { leaving = nil }
        defer {
            ends.forEach { $0() }
            ends = []
        }
        guard let process, process === gone else { return }
        self.process = nil
        isClearing = true
        if end.isForFileSize, !isOverBudget { exceeded(.fileSize, isPresent: true) }
        if isOverBudget { program.lastError = end.reason }
        host.onChange(record)
        guard let work = current else { return }
        failuresInRow += 1
        // The longest delay is reached long before the shift can overflow.
        let delay = HostingLimits.restart * (1 << min(failuresInRow - 1, 16))
        restart = host.service.clock.now + min(delay, HostingLimits.restartMax)
        program.lastError = end.reason
        let kind: HostedFailure.Kind =
            switch end.fault {
            case .notBegun: .notStarted
            case .journal: .unnoted
            case .program: isOverBudget ? .overBudget : .ended
            }
        settle(.failure(Self.failure(kind, end.reason, missedService: work.missedService)))
    }

    // MARK: the end of a request

    func settle(_ result: Result<RawJSON, HostedFailure>) {
        guard let work = current else { return }
        cancelTimers()
        current = nil
        work.completion?(result)
        if isStale { renew() }
        next()
        restWhenIdle()
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

    func measure(_ work: Work, _ used: MeasuredUse?) {
        guard let used else { return }
        let began = max(work.sent, work.start.map { started + $0 } ?? 0)
        measured = ExtensionMeasure(
            callback: work.request.callback, took: host.service.loop.now - began, start: work.start,
            processor: used.processor, memoryBytes: used.memoryBytes)
        host.onChange(record)
    }

    /// - Parameter isPresent: whether it is the present process, and not one that is exiting.
    func exceeded(_ excess: Excess, isPresent: Bool) {
        if isPresent { isOverBudget = true }
        let event = ExtensionOverBudget(
            id: program.id, client: program.client, what: excess.what, limit: excess.limit,
            measured: excess.measured, callback: isPresent ? current?.request.callback ?? "" : "")
        host.onOverBudget(event, record)
    }

    func cleared(_ failure: ServiceError?) {
        isClearing = false
        if let failure {
            host.service.log.warning(
                "files of an extension's process could not be removed",
                [("extension", .text(program.id)), ("reason", .text(failure.message))])
        }
        next()
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
