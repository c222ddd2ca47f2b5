package import Bus
package import Contract
package import Loop
package import Units

/// Keeps a copy of a part of a service's present state. Events only signal a change; the present state is
/// then requested, so events that happened meanwhile are neither repeated nor undone.
@LoopActor package final class StateFollower<State> {
    /// The present state, or why it is not known.
    package typealias Answer = Result<State, ServiceError>

    private let service: ServiceName
    private let client: RequestClient
    private let runtime: RuntimeDirectory
    private let log: Log
    private let ask: @LoopActor (@escaping @LoopActor (Answer) -> Void) -> Void
    private let isChange: @LoopActor ([ReceivedEvent]) -> Bool
    private let receive: @LoopActor (State) -> Void
    private var follower: EventFollower?
    private var isAsking = false
    private var isStale = false
    private var isClosed = false
    private let answer: Milliseconds
    private let pause: Milliseconds
    /// Why the copy may be old; nil if it is not.
    package private(set) var problem: String? {
        didSet { if problem != oldValue { onProblem?(problem) } }
    }
    /// Called when ``problem`` changed.
    package var onProblem: (@LoopActor (String?) -> Void)?

    /// - Parameters:
    ///   - answer: deadline of the request for the position in the log.
    ///   - pause: after the service refused a request.
    ///   - ask: requests the state and calls its argument with the answer.
    ///   - isChange: whether some of these events change the state.
    ///   - receive: called with the state at first and after each change.
    package init(
        _ service: ServiceName, _ client: RequestClient, in runtime: RuntimeDirectory, log: Log,
        answer: Milliseconds, pause: Milliseconds,
        ask: @escaping @LoopActor (@escaping @LoopActor (Answer) -> Void) -> Void,
        isChange: @escaping @LoopActor ([ReceivedEvent]) -> Bool,
        receive: @escaping @LoopActor (State) -> Void
    ) {
        self.service = service
        self.client = client
        self.runtime = runtime
        self.log = log
        self.answer = answer
        self.pause = pause
        self.ask = ask
        self.isChange = isChange
        self.receive = receive
    }

    /// Position up to which the service's log is applied; nil if unknown.
    package var followed: FollowedLog? {
        guard let follower else { return nil }
        return FollowedLog(
            service: service, epoch: follower.cursor.epoch, sequence: follower.cursor.sequence,
            head: max(follower.head, follower.cursor.sequence),
            connected: follower.isConnected && follower.phase == .live)
    }

    /// Ends it.
    package func close() {
        isClosed = true
        follower?.close()
    }

    /// Requests the present state, and again if it changed before the answer arrived.
    package func refresh() {
        guard !isAsking, !isClosed else {
            isStale = true
            return
        }
        isAsking = true
        isStale = false
        guard follower == nil else { return askForState() }
        // Requests the position before the state: later changes are delivered as events, and by the run a
        // fork of the log is detected, then or later.
        let options = CallOptions(deadline: answer)
        client.send(EventsRuns.self, Nothing(), options: options) { [weak self] result in
            guard let self, !isClosed else { return }
            switch result {
            case .success(let log):
                follow(from: log.end)
                askForState()
            case .failure(let error): finish(.failure(error))
            }
        }
    }

    private func askForState() { ask { [weak self] in self?.finish($0) } }

    private func finish(_ answer: Answer) {
        isAsking = false
        guard !isClosed else { return }
        switch answer {
        case .success(let state):
            problem = nil
            receive(state)
            if isStale { refresh() }
        case .failure(let error) where error.name == .unavailable || error.name == .deadlineExceeded:
            problem = "\(service.rawValue) is not followed: \(error.message)"
            refresh()
        case .failure(let error):
            problem = "\(service.rawValue) is not followed: \(error.message)"
            EventLoop.main.after(pause) { [weak self] in self?.refresh() }
        }
    }

    private func follow(from cursor: Cursor) {
        let output = FollowerOutput(
            deliver: { [weak self] events, _ in
                if let self, isChange(events) { refresh() }
            },
            reset: nil, lost: { [weak self] _ in self?.refresh() },
            forked: { [weak self] _ in
                // The service was restored from a backup: use its present state, and follow from its present
                // head.
                self?.follower = nil
                self?.refresh()
                return .stop
            },
            stalled: { [weak self] in self?.stalled($0) },
            refused: { [weak self] reason, detail in
                self?.log.warnOnce(
                    reason.rawValue, "an event could not be read", [("detail", .text(detail))])
            })
        do throws(SocketError) {
            follower = try EventFollower(service, in: runtime, client: client, cursor: cursor, output: output)
        } catch {
            log.error("following a service failed", [("reason", .text(error.message))])
        }
    }

    private func stalled(_ error: ServiceError?) {
        problem = error.map { "\(service.rawValue) is not followed: \($0.message)" }
    }
}
