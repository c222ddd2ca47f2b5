import Contract
import Loop
import ServiceKit

/// Every service is healthy, and has applied all events of those that it follows; no log is too long.
extension Oracle {
    func checkLogs() {
        for service in week.system.services {
            let kept = service.configuration.logEventsKept
            do {
                let count = service.head - (try service.eventLog.first()) + 1
                guard count > kept + kept / 10 else { continue }
                violate("\(service.name.rawValue) keeps \(count) events, not \(kept)")
            } catch { violate("the log of \(service.name.rawValue) cannot be read: \(error)") }
        }
    }

    func checkHealth() {
        for service in week.system.services where service.unansweredCount > 0 {
            violate("\(service.name.rawValue) has \(service.unansweredCount) requests that nobody waits for")
        }
        for name in ServiceName.startOrder {
            questions.askHealth(of: name) { [self] result in
                switch result {
                case .failure(let error): violate("\(name.rawValue) is not healthy: \(error.message)")
                case .success(let health): check(health)
                }
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
