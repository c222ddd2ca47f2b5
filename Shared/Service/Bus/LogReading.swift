import Contract
internal import Loop

/// The requests by which a follower reads the log of a source. They belong to one reading at a time: answers
/// to an earlier one are dropped.
@LoopActor final class LogReading {
    private let client: RequestClient
    private let loop: EventLoop
    private var generation = 0

    init(_ client: RequestClient, _ loop: EventLoop) {
        self.client = client
        self.loop = loop
    }

    /// Begins another reading, or ends the last one.
    func renew() { generation += 1 }

    /// Sends a request of this reading.
    func send<M: Method>(
        _ method: M.Type, _ params: M.Params,
        _ receive: @escaping @LoopActor (Result<M.Result, ServiceError>) -> Void
    ) {
        let generation = generation
        client.send(method, params) { [weak self] result in
            guard let self, self.generation == generation else { return }
            receive(result)
        }
    }

    /// Does `step` after a pause, if it is still the same reading.
    func retry(_ step: @escaping @LoopActor () -> Void) {
        let generation = generation
        loop.after(Limits.syncRetry) { [weak self] in
            guard let self, self.generation == generation else { return }
            step()
        }
    }
}
