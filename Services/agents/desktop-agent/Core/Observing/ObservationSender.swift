import Bus
import Contract
import JSON
import Loop
import ServiceKit
import Units

/// Sends observations to activity-center: immediately if no request is open, otherwise with the next batch.
/// They are kept until committed there. Their content is their identity, so a repeat changes nothing.
@LoopActor final class ObservationSender {
    private let client: RequestClient
    private let device: String
    private let log: Log
    private var queue = ObservationQueue()
    private var isBusy = false
    private var isClosed = false
    private var pause: TimerToken?
    private var waiters: [@LoopActor () -> Void] = []
    /// Why nothing is sent; nil if observations are sent.
    private(set) var problem: String?

    init(_ client: RequestClient, device: String, log: Log) {
        self.client = client
        self.device = device
        self.log = log
    }

    var count: Int { queue.count }

    func add(_ observation: Observation, trace: TraceContext) {
        if queue.append(ObservationQueue.Entry(observation: observation, trace: trace)) != nil {
            log.warnOnce(
                "observations", "activity-center is away for long; the oldest observations are given up",
                [("limit", .number(Int64(AgentLimits.observationsMax)))])
        }
        send()
    }

    /// Calls `tell` when all observations are acknowledged, or at the deadline.
    func whenEmpty(within limit: Milliseconds, _ tell: @escaping @LoopActor () -> Void) {
        guard !queue.isEmpty else { return tell() }
        var isTold = false
        let once: @LoopActor () -> Void = {
            if !isTold { tell() }
            isTold = true
        }
        waiters.append(once)
        Reactor.shared.after(limit, once)
    }

    func close() {
        isClosed = true
        if let pause { Reactor.shared.cancel(pause) }
    }

    private func send() {
        guard !isBusy, !isClosed, pause == nil, let last = queue.entries.last else { return }
        let batch = Array(queue.batch(AgentLimits.observationsPerRequestMax))
        isBusy = true
        let params = UsageObserve.Params(device: device, observations: batch.map(\.observation))
        // A batch has several causes; it continues the trace of the last one.
        let trace = batch.last?.trace ?? last.trace
        let options = CallOptions(deadline: AgentLimits.answer, trace: trace)
        client.send(UsageObserve.self, params, options: options) { [weak self] result in
            self?.finish(batch, result)
        }
    }

    private func finish(
        _ batch: [ObservationQueue.Entry], _ result: Result<UsageObserve.Result, ServiceError>
    ) {
        isBusy = false
        switch result {
        case .success:
            queue.remove(batch)
            problem = nil
        case .failure(let error) where Self.isHopeless(error.name):
            log.error(
                "activity-center refused observations; they are given up",
                [("error", .text(error.name.rawValue)), ("count", .number(Int64(batch.count)))])
            queue.remove(batch)
        case .failure(let error):
            problem = "observations wait for activity-center: \(error.message)"
            if error.name != .unavailable, error.name != .deadlineExceeded { return sendLater() }
        }
        if queue.isEmpty {
            let waiters = waiters
            self.waiters = []
            waiters.forEach { $0() }
        }
        send()
    }

    /// Errors that the same request would get again.
    private static func isHopeless(_ name: ErrorName) -> Bool {
        [.invalidParams, .invalidRequest, .messageTooLong, .limitExceeded, .methodNotFound].contains(name)
    }

    private func sendLater() {
        pause = Reactor.shared.after(AgentLimits.pause) { [weak self] in
            self?.pause = nil
            self?.send()
        }
    }
}
