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
    private let log: FakeLog

    init(in runtime: RuntimeDirectory) throws {
        server = try RequestServer(
            named: ServiceName.shield.rawValue, in: runtime, tracer: Tracer(service: "test"))
        log = try FakeLog(of: .shield, in: runtime, at: server)
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
        try log.publish(
            ShieldConfigured(screen: ShieldScreen(kind: .app, subject: subject, look: look)))
    }

    func close() {
        server.close()
        log.close()
    }
}
