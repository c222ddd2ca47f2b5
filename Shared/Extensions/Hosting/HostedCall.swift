import Contract
import JSON
import Loop
import Units

/// One request to a program: waits for its turn, then for its answer. Its caller gets one result.
@LoopActor final class HostedCall {
    /// The request as the program gets it.
    let request: HostedRequest
    /// On the loop's clock.
    let due: Milliseconds
    /// Names it to the program; 0 until it is sent.
    private(set) var id: Int64 = 0
    /// On the loop's clock.
    private(set) var sent: Milliseconds = 0
    /// How long the program took to start for it; nil if it ran before.
    var start: Milliseconds?
    /// A service did not run to answer the program.
    var missedService = false
    /// A write that a service did not accept because it did not run. Programs are not informed, because
    /// Apple's setters do not throw.
    var missedWrite: ServiceError?
    private let loop: EventLoop
    /// Nil once the caller has its result.
    private var caller: CheckedContinuation<Result<RawJSON, HostedFailure>, Never>?
    private var timers: [TimerToken] = []

    init(
        _ request: HostedRequest, on loop: EventLoop,
        _ caller: CheckedContinuation<Result<RawJSON, HostedFailure>, Never>
    ) {
        self.request = request
        self.loop = loop
        self.caller = caller
        due = loop.now + max(1, request.deadline)
    }

    /// It is sent now. The caller waits until it is due; the program may continue until its budget is used
    /// up, so that a slow start is not repeated.
    func send(_ id: Int64, budget: Milliseconds, exceeded: @escaping @LoopActor () -> Void) {
        self.id = id
        sent = loop.now
        let left = due - sent
        if left < budget {
            timers.append(
                loop.after(left) { [weak self] in
                    let late = ServiceError(
                        .deadlineExceeded, "it did not answer within \(left) ms", remedy: "See its log.")
                    self?.tell(.failure(HostedFailure(kind: .late, error: late)))
                })
        }
        timers.append(loop.after(budget, exceeded))
    }

    /// The request is over, with this result unless the caller already got another.
    func end(_ result: Result<RawJSON, HostedFailure>) {
        for timer in timers { loop.cancel(timer) }
        timers = []
        tell(result)
    }

    private func tell(_ result: Result<RawJSON, HostedFailure>) {
        caller?.resume(returning: result)
        caller = nil
    }
}
