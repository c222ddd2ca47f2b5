import Bus
import Contract
import Loop
import Units

/// The record in shield-service of what this agent froze.
@LoopActor final class FreezeRecord {
    /// `<host>/<display>`; identifies this agent for its successors.
    let agent: String
    private let client: RequestClient
    private let bootID = ObservationClock.readBootID()
    /// Whether what earlier agents froze is thawed and their records are cleared. Before that this agent
    /// records nothing, or it would replace their records.
    private(set) var isRecovered = false

    init(_ client: RequestClient, host: String, display: String) {
        self.client = client
        agent = String("\(host)/\(display)".prefix(200))
    }

    /// Records processes before the first is stopped, or an empty list after all continue.
    /// - Throws: the error if it could not be recorded; then nothing more may be stopped.
    func set(
        _ app: ShieldedApp, _ processes: [ProcessIdentity], trace: TraceContext?,
        within limit: Milliseconds = AgentLimits.answer
    ) async throws(ServiceError) {
        guard isRecovered else {
            throw ServiceError(
                .unavailable, "what an earlier agent froze is not known yet",
                remedy: "Nothing to do: it is asked again until shield-service answers.")
        }
        guard Set(processes) != app.recorded else { return }
        // A request without an answer may have been carried out.
        app.recorded = nil
        try await set(agent, app.id, processes, trace, limit)
        app.recorded = Set(processes)
    }

    private func set(
        _ agent: String, _ app: String, _ processes: [ProcessIdentity], _ trace: TraceContext?,
        _ limit: Milliseconds
    ) async throws(ServiceError) {
        let params = ShieldFreeze.Params(
            agent: agent, app: app,
            processes: processes.map {
                FrozenProcess(
                    pid: Int64($0.pid), startTime: Int64(clamping: $0.startTime_ticks), bootID: bootID)
            })
        _ = try await client.call(
            ShieldFreeze.self, params, options: CallOptions(deadline: limit, trace: trace))
    }

    /// What all attempts to recover have done.
    private(set) var recovery = Recovery()

    /// What happened to processes that earlier agents had frozen, by app.
    struct Recovery {
        var thawed: [String: Set<ProcessIdentity>] = [:]
        /// Processes that could not be thawed; they stay recorded.
        var refused: [String: Set<ProcessIdentity>] = [:]
        /// Records that shield-service refuses to clear, and why.
        var uncleared: [String: ServiceError] = [:]
    }

    /// Thaws what other agents left recorded, whatever their display was, and clears the record. Only one
    /// agent of a shield-service runs at a time, so all of them have ended. The host may have had another
    /// name: processes of another machine are known by their boot id.
    /// ``recovery`` has the thawed processes by app. This can be more than a new agent could find: a daemon
    /// that left its app before the agent started is known only from this record.
    func recover(within limit: Milliseconds) async throws(ServiceError) {
        let options = CallOptions(deadline: limit)
        let all = try await client.call(ShieldFrozen.self, ShieldFrozen.Params(), options: options)
        for freeze in all.freezes {
            // Processes of another boot are gone; their pids may be reused.
            let living = freeze.processes.filter { $0.bootID == bootID }.compactMap { process in
                Int32(exactly: process.pid).map {
                    ProcessIdentity(pid: $0, startTime_ticks: UInt64(clamping: process.startTime))
                }
            }
            let outcome = Thawing.release(living)
            if !outcome.thawed.isEmpty { recovery.thawed[freeze.app, default: []].formUnion(outcome.thawed) }
            // An earlier attempt may have been refused.
            recovery.refused[freeze.app]?.subtract(outcome.thawed)
            if !outcome.refused.isEmpty {
                recovery.refused[freeze.app, default: []].formUnion(outcome.refused)
            }
            do throws(ServiceError) {
                try await set(freeze.agent, freeze.app, outcome.refused, nil, limit)
            } catch where !error.mayPass {
                // What can be thawed is. A record that stays must not keep this agent from freezing for ever.
                recovery.uncleared[freeze.app] = error
            }
        }
        isRecovered = true
    }
}

extension ServiceError {
    /// Whether the same request may succeed later.
    fileprivate var mayPass: Bool {
        switch name {
        case .unavailable, .deadlineExceeded, .tooManyRequests, .shuttingDown, .storageFull, .storageFailed,
            .storageDamaged:
            true
        default: false
        }
    }
}
