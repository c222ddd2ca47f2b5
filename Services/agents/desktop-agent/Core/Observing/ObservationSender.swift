import Bus
import Contract
import JSON
import Loop
import ServiceKit
import Units

/// Sends observations to activity-center: immediately if no request is open, otherwise with the next batch.
/// They are kept until committed there. Their content is their identity, so a repeat changes nothing. A
/// refused batch is divided, so that only the observation that was refused is lost.
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
    private var delay: String?
    /// Number of refused observations, and why the last one was refused.
    private var refused: (count: Int, reason: String)?
    /// Called with each answer: the time until the next callback is due.
    var onAnswer: (@LoopActor (Milliseconds?) -> Void)?
    /// Observations in the next request; fewer after a refusal.
    private var batchMax = AgentLimits.observationsPerRequestMax

    init(_ client: RequestClient, device: String, log: Log) {
        self.client = client
        self.device = device
        self.log = log
    }

    var count: Int { queue.count }

    /// Why some use is not counted, or not yet; nil if all is. A refusal is reported until the agent
    /// restarts.
    var problem: String? {
        delay
            ?? refused.map {
                "activity-center refused \($0.count) observations, so some use is not counted: \($0.reason)"
            }
    }

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
        EventLoop.main.after(limit, once)
    }

    func close() {
        isClosed = true
        if let pause { EventLoop.main.cancel(pause) }
    }

    private func send() {
        guard !isBusy, !isClosed, pause == nil, let last = queue.entries.last else { return }
        let batch = Array(queue.batch(batchMax))
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
        case .success(let answer):
            onAnswer?(answer.untilNextCallback)
            queue.remove(batch)
            delay = nil
            batchMax = AgentLimits.observationsPerRequestMax
        case .failure(let error) where batch.count > 1 && Self.isOfTheContent(error.name):
            batchMax = batch.count / 2
        case .failure(let error) where Self.isHopeless(error.name):
            log.error(
                "activity-center refused observations; they are given up",
                [("error", .text(error.name.rawValue)), ("count", .number(Int64(batch.count)))])
            refused = ((refused?.count ?? 0) + batch.count, error.message)
            batchMax = AgentLimits.observationsPerRequestMax
            queue.remove(batch)
        case .failure(let error):
            delay = "observations wait for activity-center: \(error.message)"
            if error.name != .unavailable, error.name != .deadlineExceeded { return sendLater() }
        }
        if queue.isEmpty {
            let waiters = waiters
            self.waiters = []
            waiters.forEach { $0() }
        }
        send()
    }

    /// Errors that other observations may not get.
    private static func isOfTheContent(_ name: ErrorName) -> Bool {
        [.invalidParams, .messageTooLong, .limitExceeded].contains(name)
    }

    /// Errors that the same request would get again.
    private static func isHopeless(_ name: ErrorName) -> Bool {
        [.invalidParams, .invalidRequest, .messageTooLong, .limitExceeded, .methodNotFound].contains(name)
    }

    private func sendLater() {
        pause = EventLoop.main.after(AgentLimits.pause) { [weak self] in
            self?.pause = nil
            self?.send()
        }
    }
}
