import Contract
import ServiceKit
internal import Store

/// What the agents' last checks showed: whether limits act. Only in the store; it is rarely read.
extension ShieldService {
    func answerEnforcement() {
        service.write(EnforcementRecord.self) { [self] params, _, transaction in
            try check(params)
            try record(params, transaction)
            return try transaction.written()
        }
        service.read(EnforcementList.self) { [self] params, _ in
            let all = try enforcements()
            return EnforcementList.Result(
                results: all.filter { params.agent == nil || params.agent == $0.agent })
        }
    }

    /// The latest check first.
    func enforcements() throws -> [EnforcementResult] {
        try service.database.query("SELECT body FROM enforcement ORDER BY checked DESC, agent") {
            $0.bytes(0)
        }.map { try EnforcementResult.stored($0, in: "enforcement") }
    }

    func enforcement(of agent: String) throws -> EnforcementResult? {
        try enforcements().first { $0.agent == agent }
    }

    private func check(_ params: EnforcementRecord.Params) throws {
        try VisibleText.checkName(params.agent, "'agent'")
        if let reason = params.reason {
            try VisibleText.checkName(reason, "'reason'", bytesMax: ShieldLimits.reasonBytesMax)
        }
        guard (params.state == .enforcing) == (params.reason == nil) else {
            throw ServiceError(
                .invalidParams,
                "'\(params.state.rawValue)' \(params.reason == nil ? "without" : "with") a reason",
                remedy: "Say why limits do not act, and nothing if they do.")
        }
    }

    private func record(_ params: EnforcementRecord.Params, _ transaction: Transaction) throws {
        let now = service.clock.now
        let before = try enforcement(of: params.agent)
        var result = EnforcementResult(
            agent: params.agent, state: params.state, reason: params.reason, checked: now, since: now)
        let isSame = before?.isSame(as: result) == true
        if isSame, let before { result.since = before.since }
        try transaction.database.run(
            "INSERT OR REPLACE INTO enforcement (agent, checked, body) VALUES (?1, ?2, ?3)",
            result.agent, now.milliseconds, result.encoded())
        try transaction.database.run(
            """
            DELETE FROM enforcement WHERE agent NOT IN
                (SELECT agent FROM enforcement ORDER BY agent = ?1 DESC, checked DESC, agent LIMIT ?2)
            """, result.agent, Int64(ShieldLimits.enforcementsMax))
        if !isSame { try transaction.emit(EnforcementChanged(result: result)) }
    }
}

extension EnforcementResult {
    /// Whether both say the same about the same agent, whenever they were recorded.
    func isSame(as other: EnforcementResult) -> Bool {
        (agent, state, reason) == (other.agent, other.state, other.reason)
    }
}
