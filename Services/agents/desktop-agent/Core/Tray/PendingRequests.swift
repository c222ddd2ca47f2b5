import Bus
import Contract
import Loop
import ServiceKit

/// How many requests for more time nobody decided yet. Told by auth-service's events.
@LoopActor final class PendingRequests {
    private let client: RequestClient
    private let state: StateFollower<Int>
    private static let types = [RequestCreated.type, RequestDecided.type]

    /// - Parameter tell: called with the number at first, and with each change.
    init(
        _ client: RequestClient, in runtime: RuntimeDirectory, log: Log,
        tell: @escaping @LoopActor (Int) -> Void
    ) {
        self.client = client
        state = StateFollower(
            .auth, client, in: runtime, log: log, answer: AgentLimits.answer, pause: AgentLimits.pause,
            ask: { end in
                let params = RequestList.Params(state: .pending, limit: AgentLimits.trayRequestsMax)
                let options = CallOptions(deadline: AgentLimits.answer)
                client.send(RequestList.self, params, options: options) { end($0.map(\.requests.count)) }
            }, isChange: { events in events.contains { Self.types.contains($0.type) } }, receive: tell)
    }

    func start() { state.refresh() }

    func close() {
        state.close()
        client.close()
    }
}
