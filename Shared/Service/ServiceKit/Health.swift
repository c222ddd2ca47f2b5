import Bus
import Contract
import Loop
import Time

/// The service's state, for `health.check`.
@LoopActor struct HealthState {
    private(set) var state = ServiceState.starting
    private(set) var since = WallTime.now
    /// Why the service is degraded, one sentence per stable key.
    private(set) var degradedBy: [String: String] = [:]
    /// Keys of `degradedBy` that mean the service does not act, so that a configured limit has no effect.
    private var notActing: Set<String> = []
    /// Keys of `degradedBy` that mean stored data is lost.
    private var dataLost: Set<String> = []
    private(set) var counters: [String: Int64] = [:]
    private var isReady = false

    mutating func becameReady() {
        isReady = true
        update()
    }

    mutating func setDegraded(_ key: String, _ sentence: String?, acts: Bool = true) {
        degradedBy[key] = sentence
        if acts || sentence == nil { notActing.remove(key) } else { notActing.insert(key) }
        update()
    }

    /// The sentences; those that mean the service does not act come first.
    var sentences: (all: [String], notActing: [String]) {
        let sorted = degradedBy.sorted { ($0.key, $0.value) < ($1.key, $1.value) }
        let dead = sorted.filter { notActing.contains($0.key) }.map(\.value)
        return (dead + sorted.filter { !notActing.contains($0.key) }.map(\.value), dead)
    }

    mutating func setDataLost(_ key: String, _ sentence: String) {
        dataLost.insert(key)
        setDegraded(key, sentence)
    }

    /// The sentences about lost data.
    var lostSentences: [String] { dataLost.compactMap { degradedBy[$0] }.sorted() }

    mutating func count(_ key: String) { counters[key, default: 0] += 1 }

    private mutating func update() {
        let next: ServiceState = !isReady ? .starting : degradedBy.isEmpty ? .ready : .degraded
        if next != state {
            state = next
            since = WallTime.now
        }
    }
}

extension Service {
    /// Reports that something is missing without which the service works less well or, with nil, that it is
    /// available again.
    /// - Parameter sentence: for a person: what is missing and what to do.
    package func setDegraded(_ key: String, _ sentence: String?) { health.setDegraded(key, sentence) }

    /// Reports that something configured does not happen or, with nil, that it does again. Meanwhile `status`
    /// and `doctor` fail.
    /// - Parameter sentence: for a person: what does not happen, why, and what to do.
    package func setNotActing(_ key: String, _ sentence: String?) {
        health.setDegraded(key, sentence, acts: false)
    }

    /// Reports until the next start that stored data is lost. Meanwhile `doctor` fails.
    /// - Parameter sentence: for a person: what is lost, why, and what to do.
    package func setDataLost(_ key: String, _ sentence: String) { health.setDataLost(key, sentence) }

    /// The sentence set for `key`; nil if there is none.
    package func degradedBy(_ key: String) -> String? { health.degradedBy[key] }

    /// Increments a counter of `health.check`.
    package func count(_ key: String) { health.count(key) }

    func healthReport() -> HealthCheck.Result {
        let follows = followers.values.map(\.report).sorted { $0.service.rawValue < $1.service.rawValue }
        let behind = follows.reduce(0) { $0 + max(0, $1.head - $1.sequence) }
        let sentences = health.sentences
        let lost = health.lostSentences
        // The health request itself does not count as waiting.
        let unanswered = Int64(max(0, unansweredCount - 1))
        return HealthCheck.Result(
            service: name.rawValue, state: health.state, pid: Int64(Peer.own.pid), since: health.since,
            version: Version.program, contractVersion: Registry.version, logEpoch: eventLog.epoch, head: head,
            queue: Int64(unpublishedCount) + unanswered + behind, unpublished: Int64(unpublishedCount),
            unanswered: unanswered, follows: follows,
            degradedBy: sentences.all,
            lastError: log.lastError?.message, lastErrorAt: log.lastError?.at,
            counters: health.counters.sorted { $0.key < $1.key }.map {
                Counter(name: $0.key, count: $0.value)
            },
            notActing: sentences.notActing.isEmpty ? nil : sentences.notActing,
            dataLost: lost.isEmpty ? nil : lost)
    }
}

/// The version of this package's programs.
package enum Version {
    /// Semantic version.
    package static let program = "0.1.0"
}
