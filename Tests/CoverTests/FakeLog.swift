import Bus
import Contract
import JSON
import Loop
import Units

/// The log of a fake service. A subscription that comes after an event reads it there, as with a real one.
@LoopActor final class FakeLog {
    private let service: ServiceName
    private var events: [RawJSON] = []
    private var publisher: EventPublisher?
    private static let run = "run"

    /// Publishes, and answers who asks for what it missed.
    init(of service: ServiceName, in runtime: RuntimeDirectory, at server: RequestServer) throws {
        self.service = service
        let source = source
        publisher = try EventPublisher(service, in: runtime) { [weak self] in
            SyncHead(source: source, head: SequenceText(self?.head ?? 0), run: Self.run)
        }
        server.answer(EventsRuns.self) { [weak self] _, _, reply in
            let run = LogRun(id: Self.run, first: 1)
            reply.succeed(EventsRuns.Result(epoch: "epoch", head: self?.head ?? 0, runs: [run]))
        }
        server.answer(EventsRead.self) { [weak self] params, _, reply in
            guard let self else { return }
            reply.succeed(
                EventsRead.Result(
                    epoch: "epoch", first: 1, head: head, through: head,
                    events: Array(events.dropFirst(Int(params.after))), run: Self.run))
        }
    }

    var head: Int64 { Int64(events.count) }
    private var source: String { "/local/epoch/\(service.rawValue)" }

    func publish<Data: EventData>(_ data: Data) throws {
        let sequence = head + 1
        let event = EventHead(
            type: Data.type, source: source, id: "event-\(sequence)", time: "2026-01-01T00:00:00.000Z",
            sequence: SequenceText(sequence), previous: SequenceText(sequence - 1),
            traceparent: TraceContext.root().traceparent, run: Self.run)
        let bytes = Event(event, data).encoded()
        events.append(try RawJSON(bytes: bytes))
        try publisher?.publish(topic: Data.type, bytes)
    }

    func close() { publisher?.close() }
}
