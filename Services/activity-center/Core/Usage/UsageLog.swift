import Contract
import Loop
import Rules
import ServiceKit
import Store

/// A change of a stream's use, for those who count it.
struct StreamChange {
    let stream: Stream
    let delta: UsageDelta
    /// Apps whose name or category changed.
    let renamed: Set<Subject>
}

/// Receives observations: `usage.observe`.
@LoopActor final class UsageLog {
    let service: Service
    let subjects: SubjectTable
    let usage: UsageTable
    let streams: StreamTable
    let catalog: Catalog
    let recorder: Recorder
    let observations: ObservationTable
    let clockGuard: ClockGuard
    /// Called within the write that changed the use.
    var onChange: (@LoopActor (StreamChange, Transaction) throws -> Void)?
    private(set) lazy var life = SensorTimeout(self)

    init(_ service: Service, _ clockGuard: ClockGuard) throws {
        self.service = service
        self.clockGuard = clockGuard
        subjects = SubjectTable(service.database)
        observations = ObservationTable(service.database, subjects)
        usage = UsageTable(service.database, subjects)
        streams = StreamTable(service.database, subjects, observations)
        catalog = try Catalog(service.database)
        recorder = Recorder(subjects, usage, catalog)
    }

    /// Call at the start of each write that changes state in memory; if it is undone, the state is reloaded.
    func willChange(_ transaction: Transaction) {
        transaction.onUndo(reloading: self) { [self] in
            streams.reload()
            subjects.reload()
            try catalog.reload()
            try life.restart(after: Service.retryPause)
        }
    }

    /// - Throws: `invalidParams` naming the observation; nothing of the batch is stored then.
    func observe(
        _ params: UsageObserve.Params, _ transaction: Transaction
    ) throws -> UsageObserve.Result {
        willChange(transaction)
        let accepted = try apply(params, transaction)
        return UsageObserve.Result(
            accepted: Int64(accepted), duplicates: Int64(params.observations.count - accepted),
            sequence: try transaction.head())
    }

    private func apply(_ params: UsageObserve.Params, _ transaction: Transaction) throws -> Int {
        guard params.observations.count <= Limits.observationsPerRequestMax else {
            throw ServiceError(
                .limitExceeded,
                "\(params.observations.count) observations; allowed are "
                    + "\(Limits.observationsPerRequestMax)",
                remedy: "Send them in several requests.")
        }
        try ObservationCheck.check(device: params.device, model: params.deviceModel)
        let stream = try streams.findOrMake(
            member: service.member(params.member), device: params.device, model: params.deviceModel)
        let before = stream.tail
        let isRemodelled = params.deviceModel.map { $0 != stream.model } ?? false
        stream.model = params.deviceModel ?? stream.model
        let (entries, renamed) = try entries(params.observations, of: stream)
        let fresh = try observations.insert(entries, into: stream.id)
        guard !fresh.isEmpty || !renamed.isEmpty || isRemodelled else { return 0 }
        let delta = try StreamRules(stream: stream, observations: observations).apply(fresh)
        if !fresh.isEmpty || isRemodelled { life.recordHeartbeat(of: stream) }
        try streams.save(stream)
        try recorder.record(delta, of: stream, before: before, renamed: renamed, transaction)
        life.watch(stream, transaction)
        try clockGuard.keep(transaction)
        try onChange?(StreamChange(stream: stream, delta: delta, renamed: renamed), transaction)
        return fresh.count
    }

    /// Validated, numbered and sorted.
    private func entries(
        _ given: [Observation], of stream: Stream
    ) throws -> (entries: [Entry], renamed: Set<Subject>) {
        let check = ObservationCheck(now: service.clock.now, isLive: stream.isLive)
        var renamed: Set<Subject> = []
        var entries: [Entry] = []
        entries.reserveCapacity(given.count)
        var previous = stream.last
        var isSorted = true
        for number in Self.bootOrder(given) {
            let observation = given[number]
            let change = try check.change(observation, number: number)
            let believed = change.boot.flatMap {
                clockGuard.believed(boot: $0.id, elapsed: $0.elapsed, wall: change.at)
            }
            try check.checkTime(of: change, believed: believed, number: number)
            let (place, step) = stream.place(change, believed: believed, after: previous)
            if let step { try streams.add(step, to: stream) }
            let entry = try observations.entry(change, place)
            if let last = entries.last, entry < last { isSorted = false }
            entries.append(entry)
            previous = entry
            if let app = try catalog.learn(observation) { renamed.insert(app) }
        }
        if !isSorted { entries.sort() }
        return (entries, renamed)
    }

    /// The indices of a batch in the order of the boots' own clocks, so that a clock set back is detected
    /// whatever order the batch has.
    private static func bootOrder(_ given: [Observation]) -> [Int] {
        func precedes(_ left: Int, _ right: Int) -> Bool {
            let (one, other) = (given[left].bootID ?? "", given[right].bootID ?? "")
            if one != other { return one < other }
            let (early, late) = (given[left].boottime ?? 0, given[right].boottime ?? 0)
            return early != late ? early < late : left < right
        }
        let order = Array(given.indices)
        let isOrdered = order.dropLast().allSatisfy { !precedes($0 + 1, $0) }
        return isOrdered ? order : order.sorted(by: precedes)
    }

    /// Publishes a change of a stream's tail without new observations: it became stale.
    func settle(_ stream: Stream, before: Tail, _ transaction: Transaction) throws {
        try streams.save(stream)
        try recorder.record(UsageDelta(), of: stream, before: before, transaction)
        try onChange?(StreamChange(stream: stream, delta: UsageDelta(), renamed: []), transaction)
    }
}
