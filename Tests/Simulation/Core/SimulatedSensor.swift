import Bus
import Contract
import Loop
import Units

/// The sensor of a simulated device: it sends observations in order until each is acknowledged.
@LoopActor final class SimulatedSensor {
    let device = "here"
    /// What activity-center has acknowledged, in order.
    private(set) var acknowledged: [Observation] = []
    /// When each of them was acknowledged.
    private(set) var acknowledgedAt: [Instant] = []
    private var queue: [Observation] = []
    private let process: SimulatedProcess
    private let client: RequestClient
    private var isBusy = false
    private unowned let system: SimulatedSystem

    init(_ system: SimulatedSystem) throws {
        self.system = system
        process = system.newProcess("desktop-agent")
        let transport = system.network.transport(of: process)
        client = try RequestClient(to: .activity, in: transport, tracer: Tracer(service: "agent"))
    }

    var isDone: Bool { queue.isEmpty }

    func observe(_ kind: ObservationKind, _ app: HouseholdWeek.App? = nil) {
        var observation = Observation(at: process.simulator.now, kind: kind)
        if let app {
            (observation.app, observation.appName) = (app.id, "The app \(app.id)")
            observation.appCategories = app.desktopCategories
        }
        // Order among observations of one millisecond.
        observation.ordinal = Int64(acknowledged.count + queue.count)
        queue.append(observation)
        process.run { send() }
    }

    private func send() {
        guard !isBusy, !queue.isEmpty else { return }
        isBusy = true
        let batch = Array(queue.prefix(20))
        let params = UsageObserve.Params(device: device, deviceModel: "linux", observations: batch)
        client.send(UsageObserve.self, params, options: CallOptions(deadline: 5_000)) { [weak self] result in
            guard let self else { return }
            isBusy = false
            switch result {
            case .failure(let error) where error.isWorthARepeat:
                process.loop.after(500) { [weak self] in self?.send() }
                return
            case .failure(let error):
                // None of them gives reason to refuse it, and the disk damages nothing.
                system.violate("observations were refused: \(error.message)")
            case .success:
                acknowledged += batch
                acknowledgedAt += batch.map { _ in self.process.simulator.now }
            }
            queue.removeFirst(batch.count)
            send()
        }
    }
}
