import Contract
import Loop
import ServiceKit

/// Every service is healthy, and has applied all events of those that it follows.
extension Oracle {
    func checkHealth() {
        for name in ServiceName.startOrder {
            openQuestions += 1
            week.person.health(name) { [self] result in
                switch result {
                case .failure(let error): violate("\(name.rawValue) is not healthy: \(error.message)")
                case .success(let health): check(health)
                }
                ended()
            }
        }
    }

    private func check(_ health: HealthCheck.Result) {
        for sentence in health.degradedBy { violate("\(health.service) says: \(sentence)") }
        for log in health.follows {
            let head = week.system.services.first { $0.name == log.service }?.head ?? -1
            if log.sequence != head || !log.connected {
                violate(
                    "\(health.service) has applied \(log.sequence) of \(head) events of "
                        + "\(log.service.rawValue)")
            }
        }
    }
}
