import Bus
import Contract
import Loop

/// The live events of one service, while somebody wants them.
@LoopActor final class ServiceFeed {
    /// What it tells its owner.
    struct Output {
        /// Events in order, without a gap, and how far they go.
        var deliver: @LoopActor ([ReceivedEvent], EventPositions.Place) -> Void
        /// It knows the end of the log now, or that the service does not answer. Events that were published
        /// meanwhile may be missing.
        var began: @LoopActor () -> Void
    }

    private let service: ServiceName
    private let transport: any Transport
    private let client: RequestClient
    private let output: Output
    private var follower: EventFollower?
    private var isClosed = false
    /// The last event that was delivered; nil while the service does not answer.
    private(set) var place: EventPositions.Place?

    init(_ service: ServiceName, _ transport: any Transport, _ client: RequestClient, _ output: Output) {
        self.service = service
        self.transport = transport
        self.client = client
        self.output = output
        begin()
    }

    func close() {
        isClosed = true
        follower?.close()
        follower = nil
    }

    /// Follows from the present end of the log. What was before is read by whoever misses it.
    private func begin() {
        follower?.close()
        (follower, place) = (nil, nil)
        client.send(EventsRuns.self, Nothing()) { [weak self] result in
            guard let self, !isClosed else { return }
            switch result {
            case .success(let log): follow(from: log.end)
            case .failure:
                output.began()
                EventLoop.main.after(ConsoleLimits.pause) { [weak self] in
                    if let self, !isClosed { begin() }
                }
            }
        }
    }

    private func follow(from cursor: Cursor) {
        let output = FollowerOutput(
            deliver: { [weak self] events, cursor in self?.take(events, cursor) }, reset: nil,
            lost: { [weak self] _ in self?.beginInNextTurn() },
            forked: { [weak self] _ in
                self?.beginInNextTurn()
                return .stop
            }, refused: { _, _ in })
        do throws(SocketError) {
            follower = try EventFollower(
                service, in: transport, client: client, cursor: cursor, output: output)
            place = EventPositions.Place(cursor)
        } catch {
            // No descriptor is left: the page gets no events of this service until it connects again.
            follower = nil
        }
        self.output.began()
    }

    /// Not within a call of the follower, which is replaced.
    private func beginInNextTurn() {
        place = nil
        EventLoop.main.inNextTurn { [weak self] in
            if let self, !isClosed { begin() }
        }
    }

    private func take(_ events: [ReceivedEvent], _ cursor: Cursor) {
        guard !isClosed, place != nil else { return }
        let now = EventPositions.Place(cursor)
        place = now
        if !events.isEmpty { output.deliver(events, now) }
    }
}
