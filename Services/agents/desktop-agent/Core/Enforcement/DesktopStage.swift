import Bus
import Contract
import JSON
import Loop
import Time
import Units

/// The real desktop: everything between the stored limit and the frozen process is what other apps meet.
@LoopActor final class DesktopStage: CanaryStage {
    private let session: X11Session
    private let keeper: ShieldKeeper
    private let covers: Covers
    private let canary: Canary
    private let shield: RequestClient
    private let member: String
    private var process: CanaryProcess?
    var trace: TraceContext?

    init(
        _ session: X11Session, _ keeper: ShieldKeeper, _ covers: Covers, _ canary: Canary,
        _ shield: RequestClient, member: String
    ) {
        self.session = session
        self.keeper = keeper
        self.covers = covers
        self.canary = canary
        self.shield = shield
        self.member = member
    }

    /// What was found since the window manager changed.
    private var found: Hindrance??

    /// Whoever asks for health asks this, too, so the display is asked once after each change.
    var hindrance: Hindrance? {
        if let found { return found }
        defer { keeper.onDisplayAsked?() }
        let now = lookForHindrance()
        // Silence of the display is no answer.
        if session.roundTrip(timeout: AgentLimits.display) { found = .some(now) }
        return now
    }

    private func lookForHindrance() -> Hindrance? {
        // The name of the program file, which only root can choose.
        if session.serverPids().contains(where: { ProcessFacts.systemName($0) == "Xwayland" }) {
            return .waylandSession
        }
        return session.windowManagerPid() == nil && !session.isSilent ? .noWindowManager : nil
    }

    func desktopChanged() { found = nil }

    // MARK: program

    func start() throws(ServiceError) {
        let process = try CanaryProcess()
        self.process = process
        canary.pid = process.pid
    }

    var hasWindow: Bool { canary.window != nil }
    var hasEnded: Bool { process?.hasEnded ?? true }
    var isStopped: Bool { process?.isStopped ?? false }
    func dismiss() { process?.dismiss() }

    func end() {
        process?.end()
        process = nil
        canary.pid = nil
    }

    // MARK: limit

    func setShielded(_ isShielded: Bool) async throws(ServiceError) {
        let options = CallOptions(deadline: AgentLimits.answer, trace: trace)
        if isShielded {
            let setting = Setting(key: "shield.applications", value: .array([.string(CanaryApp.id)]))
            let params = SettingsWrite.Params(member: member, store: CanaryApp.store, settings: [setting])
            _ = try await shield.call(SettingsWrite.self, params, options: options)
        } else {
            let params = SettingsDelete.Params(member: member, stores: [CanaryApp.store])
            _ = try await shield.call(SettingsDelete.self, params, options: options)
        }
    }

    var isWanted: Bool { keeper.isWanted(CanaryApp.id) }
    var isCovered: Bool { canary.window.map(covers.isCovered) ?? false }

    func isUncovered() async -> Bool {
        guard let window = canary.window, !isCovered else { return false }
        return await covers.standing()?.contains(window) == false
    }

    var complaint: String? { covers.problems.first ?? keeper.gap(of: CanaryApp.id) }

    var now: Milliseconds { MonotonicClock.now }
    func pause() async { await EventLoop.main.sleep(AgentLimits.canarySample) }
}
