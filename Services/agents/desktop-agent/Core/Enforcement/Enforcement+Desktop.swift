import Bus
import Contract
import Loop
import ServiceKit
import Units

extension Enforcement {
    /// On the real desktop.
    /// - Parameters:
    ///   - agent: as in ``FreezeRecord``.
    ///   - interval: between checks by itself; nil: only when somebody asks.
    convenience init(
        _ stage: DesktopStage, _ presence: Presence, _ keeper: ShieldKeeper, _ shield: RequestClient,
        agent: String, in runtime: RuntimeDirectory, tracer: Tracer, log: Log, interval: Milliseconds?
    ) {
        let owner = EnforcementClient(shield, agent: agent, member: Household.defaultMember) {
            () throws(SocketError) in try RequestClient(to: .notifier, in: runtime, tracer: tracer)
        }
        self.init(stage, owner, log: log, pace: Pace(interval: interval)) {
            !presence.attendance.isThere && !presence.attendance.isAsleep && keeper.isCalm
        }
        presence.onAway = { [weak self] in self?.checkIfDue() }
    }
}
