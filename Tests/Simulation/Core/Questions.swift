import Contract
import Loop

/// Questions to the services that are asked together.
@LoopActor final class Questions {
    private let person: SimulatedPerson
    /// One more than wait for an answer, until all are asked.
    private var open = 1
    private var done: (@LoopActor () -> Void)?

    init(_ person: SimulatedPerson) { self.person = person }

    /// Asks one; `body` may ask more.
    func ask<M: Method>(
        _ method: M.Type, _ params: M.Params,
        _ body: @escaping @LoopActor (Result<M.Result, ServiceError>) -> Void
    ) {
        open += 1
        person.ask(method, params) { [self] in
            body($0)
            ended()
        }
    }

    /// Asks a service once for its health.
    func askHealth(
        of service: ServiceName,
        _ body: @escaping @LoopActor (Result<HealthCheck.Result, ServiceError>) -> Void
    ) {
        open += 1
        person.health(service) { [self] in
            body($0)
            ended()
        }
    }

    /// Calls `done` when all that were asked are answered. Call it once.
    func whenAnswered(_ done: @escaping @LoopActor () -> Void) {
        self.done = done
        ended()
    }

    private func ended() {
        open -= 1
        guard open == 0 else { return }
        done?()
        done = nil
    }
}
