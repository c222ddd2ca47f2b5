import Bus
import Contract
import Loop

/// shield-service as the covers know it, in the test's own process.
@LoopActor final class FakeShield {
    var look = ShieldLook()
    var response = ShieldResponse.close
    private(set) var presses: [ShieldPress.Params] = []
    private(set) var asked = 0
    private let server: RequestServer
    private let publisher: EventPublisher
    private let log = FakeLog()

    @LoopActor private final class FakeLog { var head: Int64 = 0 }

    init(in runtime: RuntimeDirectory) throws {
        let source = "/local/epoch/shield-service"
        let log = log
        server = try RequestServer(
            named: ServiceName.shield.rawValue, in: runtime, tracer: Tracer(service: "test"))
        publisher = try EventPublisher(.shield, in: runtime) {
            SyncHead(source: source, head: SequenceText(log.head), run: "run")
        }
        server.answer(EventsRuns.self) { _, _, reply in
            let run = LogRun(id: "run", first: 1)
            reply.succeed(EventsRuns.Result(epoch: "epoch", head: log.head, runs: [run]))
        }
        server.answer(ShieldScreenRead.self) { [weak self] params, _, reply in
            guard let self else { return }
            asked += 1
            var screen = ShieldScreen(kind: params.kind, subject: params.subject, look: look)
            if look != ShieldLook() { screen.origin = .program }
            reply.succeed(ShieldScreenRead.Result(screen: screen))
        }
        server.answer(ShieldPress.self) { [weak self] params, _, reply in
            guard let self else { return }
            presses.append(params)
            let action = ShieldActionTaken(
                kind: params.kind, subject: params.subject, button: params.button, response: response)
            reply.succeed(ShieldPress.Result(action: action, sequence: 0))
        }
    }

    /// The look changes, as after a late answer of an extension.
    func change(_ subject: String, to look: ShieldLook) throws {
        self.look = look
        log.head += 1
        let head = log.head
        let data = ShieldConfigured(screen: ShieldScreen(kind: .app, subject: subject, look: look))
        let event = EventHead(
            type: ShieldConfigured.type, source: "/local/epoch/shield-service", id: "event-\(head)",
            time: "2026-01-01T00:00:00.000Z", sequence: SequenceText(head), previous: SequenceText(head - 1),
            traceparent: TraceContext.root().traceparent, run: "run")
        try publisher.publish(topic: ShieldConfigured.type, Event(event, data).encoded())
    }

    func close() {
        server.close()
        publisher.close()
    }
}
