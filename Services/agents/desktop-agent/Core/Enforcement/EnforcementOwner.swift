import Bus
import Contract
import Loop

/// What a check needs of the services, beside its limit.
@LoopActor protocol EnforcementOwner: AnyObject {
    /// What this agent's last check showed; nil if there was none.
    func last() async throws(ServiceError) -> EnforcementResult?
    func record(_ state: EnforcementState, _ reason: String?) async throws(ServiceError)
    /// Removes the limit of a check that an earlier agent did not end.
    func removeLimit() async throws(ServiceError)
    /// Notifies the person that limits do not act, or withdraws that.
    func notify(_ reason: String?) async throws(ServiceError)
}

/// shield-service, which has the results, and the notifier.
@LoopActor final class EnforcementClient: EnforcementOwner {
    private let shield: RequestClient
    private let connect: @LoopActor () throws(SocketError) -> RequestClient
    private let agent: String
    private let member: String
    private let options = CallOptions(deadline: AgentLimits.answer)
    /// A later notification replaces the former.
    private static let notification = "enforcement"

    /// - Parameters:
    ///   - agent: as in ``FreezeRecord``.
    ///   - connect: connects to the notifier, which is seldom needed.
    init(
        _ shield: RequestClient, agent: String, member: String,
        connect: @escaping @LoopActor () throws(SocketError) -> RequestClient
    ) {
        self.shield = shield
        self.connect = connect
        self.agent = agent
        self.member = member
    }

    func last() async throws(ServiceError) -> EnforcementResult? {
        try await shield.call(EnforcementList.self, EnforcementList.Params(agent: agent), options: options)
            .results.first
    }

    func record(_ state: EnforcementState, _ reason: String?) async throws(ServiceError) {
        let params = EnforcementRecord.Params(agent: agent, state: state, reason: reason)
        _ = try await shield.call(EnforcementRecord.self, params, options: options)
    }

    /// Asks first: a start without a left-over writes nothing.
    func removeLimit() async throws(ServiceError) {
        let params = SettingsRead.Params(member: member, store: CanaryApp.store)
        let store = try await shield.call(SettingsRead.self, params, options: options).store
        guard store.created != 0 else { return }
        let gone = SettingsDelete.Params(member: member, stores: [CanaryApp.store])
        _ = try await shield.call(SettingsDelete.self, gone, options: options)
    }

    func notify(_ reason: String?) async throws(ServiceError) {
        let notifier: RequestClient
        do throws(SocketError) { notifier = try connect() } catch {
            throw ServiceError(
                .unavailable, error.message, remedy: "Raise the limit of open files (ulimit -n).")
        }
        defer { notifier.close() }
        guard let reason else {
            let params = NotificationWithdraw.Params(identifier: Self.notification)
            do throws(ServiceError) {
                _ = try await notifier.call(NotificationWithdraw.self, params, options: options)
            } catch  where error.name == .notFound { return }
            return
        }
        let post = NotificationPost.Params(
            identifier: Self.notification, title: "Limits do not act on this desktop",
            body: "A check found that apps are not stopped here, because \(reason).\n"
                + "To check again: screentime doctor --enforcement")
        _ = try await notifier.call(NotificationPost.self, post, options: options)
    }
}
