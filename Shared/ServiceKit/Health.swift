import Bus
import Contract

/// How the service is, for `health.check`.
@BusActor struct HealthState {
    private(set) var state = ServiceState.starting
    private(set) var sinceMs = WallTime.nowMs
    /// Why the service is degraded, by a stable key.
    private(set) var degradedBy: [String: String] = [:]
    private(set) var counters: [String: Int64] = [:]
    var signals: SignalDescriptor?
    private var isReady = false

    mutating func becameReady() {
        isReady = true
        update()
    }

    mutating func setDegraded(_ key: String, _ sentence: String?) {
        degradedBy[key] = sentence
        update()
    }

    mutating func count(_ key: String) { counters[key, default: 0] += 1 }

    private mutating func update() {
        let next: ServiceState = !isReady ? .starting : degradedBy.isEmpty ? .ready : .degraded
        if next != state {
            state = next
            sinceMs = WallTime.nowMs
        }
    }
}

extension Service {
    /// Says that something is missing without which the service answers less, or, with nil, that it is back.
    /// - Parameter sentence: for a person: what is missing and what to do.
    package func setDegraded(_ key: String, _ sentence: String?) { health.setDegraded(key, sentence) }

    /// The sentence set for `key`, if any.
    package func degradedBy(_ key: String) -> String? { health.degradedBy[key] }

    /// Counts something for `health.check`.
    package func count(_ key: String) { health.count(key) }

    func healthReport() -> HealthCheck.Result {
        let follows = followers.values.map(\.report).sorted { $0.service.rawValue < $1.service.rawValue }
        let behind = follows.reduce(0) { $0 + max(0, $1.head - $1.sequence) }
        // The request that asks is not one that waits.
        let unanswered = Int64(max(0, unansweredCount - 1))
        return HealthCheck.Result(
            service: name.rawValue, state: health.state, pid: Int64(Peer.own.pid), sinceMs: health.sinceMs,
            version: Version.program, contractVersion: Registry.version, logEpoch: eventLog.epoch, head: head,
            queue: Int64(unpublishedCount) + unanswered + behind, unpublished: Int64(unpublishedCount),
            unanswered: unanswered, follows: follows,
            degradedBy: health.degradedBy.sorted { $0.key < $1.key }.map(\.value),
            lastError: log.lastError?.message, lastErrorMs: log.lastError?.atMs,
            counters: health.counters.sorted { $0.key < $1.key }.map {
                Counter(name: $0.key, count: $0.value)
            })
    }
}

/// The version of all programs of this package.
package enum Version {
    package static let program = "0.1.0"
}
