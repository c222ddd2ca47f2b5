import Bus
import Contract
import Loop
import ServiceKit
import Units

/// Shows the time that is left before a limit of the person is reached, by shield-cover's banners and chips.
/// The time runs while an app is in use that counts. A warning that is missed, because nobody listened, does
/// not come again.
@LoopActor final class LimitWarnings {
    private let covers: Covers
    private let presence: Presence
    private let focused: @LoopActor () -> UInt32?
    private let category: @LoopActor (AppIdentity) -> String?
    private var warnings: [String: LimitWarning] = [:]
    /// Keys of warnings that were on the screen, the last ones.
    private var seen: [String] = []
    /// Who waits for the answer whether a warning is on the screen, by its key.
    private var questions: [String: [@LoopActor (Bool) -> Void]] = [:]
    private let state: StateFollower<Void>

    /// - Parameters:
    ///   - client: to activity-center, whose events announce limits.
    ///   - focused: the window in use.
    ///   - category: the category that an app was judged by.
    init(
        _ covers: Covers, _ presence: Presence, _ client: RequestClient, in runtime: RuntimeDirectory,
        log: Log, focused: @escaping @LoopActor () -> UInt32?,
        category: @escaping @LoopActor (AppIdentity) -> String?
    ) {
        self.covers = covers
        self.presence = presence
        self.focused = focused
        self.category = category
        let events = Announcements()
        state = StateFollower(
            .activity, client, in: runtime, log: log, answer: AgentLimits.answer, pause: AgentLimits.pause,
            ask: { $0(.success(())) },
            isChange: {
                events.take($0)
                return false
            }, receive: { _ in })
        events.receive = { [weak self] in self?.note($0) }
        covers.onBegin = { [weak self] in self?.showAll() }
        // All were dismissed, or are over.
        covers.onIdle = { [weak self] in self?.warnings = [:] }
        covers.isNeededOtherwise = { [weak self] in self?.warnings.isEmpty == false }
        presence.onUse = { [weak self] in self?.useChanged() }
    }

    /// Starts listening.
    func start() { state.refresh() }

    func close() {
        state.close()
        warnings = [:]
        for key in questions.keys { tell(key, false) }
    }

    /// Tells whether the person sees a warning, or saw it: as soon as that is known, and at the latest after
    /// `AgentLimits.banner`.
    func isShown(_ key: String, _ end: @escaping @LoopActor (Bool) -> Void) {
        if seen.contains(key) { return end(true) }
        questions[key, default: []].append(end)
        EventLoop.main.after(AgentLimits.banner) { [weak self] in self?.tell(key, false) }
    }

    private func tell(_ key: String, _ isShown: Bool) {
        if isShown, !seen.contains(key) { seen = seen.suffix(AgentLimits.warningsSeen - 1) + [key] }
        questions.removeValue(forKey: key)?.forEach { $0(isShown) }
    }

    private func note(_ event: ReceivedEvent) {
        let bytes = event.event.data?.bytes ?? []
        switch event.type {
        case EventWillReachThresholdWarning.type:
            // Unreadable: nothing to show.
            guard let about = (try? EventWillReachThresholdWarning.decode(bytes))?.about,
                let warning = LimitWarning(about)
            else { return }
            warnings[warning.key] = warning
            covers.ensure()
            useChanged()
        case EventDidReachThreshold.type:
            // As above.
            guard let about = (try? EventDidReachThreshold.decode(bytes))?.about else { return }
            end { $0.key == about.warningKey }
        case IntervalDidEnd.type:
            // As above.
            guard let about = (try? IntervalDidEnd.decode(bytes))?.about else { return }
            end { $0.isOf(about) }
        default: break
        }
    }

    private func end(_ isOver: (LimitWarning) -> Bool) {
        for warning in warnings.values.filter(isOver) {
            warnings[warning.key] = nil
            covers.send(WarningHide.self, WarningHide.Params(key: warning.key))
        }
    }

    private func useChanged() {
        guard !warnings.isEmpty else { return }
        let now = EventLoop.main.now
        let app = presence.inUse
        for (key, warning) in warnings {
            let runs = app.map { warning.counts($0.judgedName, category: category($0)) } ?? false
            warnings[key]?.time.run(runs, at: now)
            show(key)
        }
    }

    private func showAll() {
        for key in warnings.keys.sorted() { show(key) }
    }

    private func show(_ key: String) {
        guard let warning = warnings[key] else { return }
        let left = warning.time.left(at: EventLoop.main.now)
        let name = warning.time.isRunning ? presence.inUse?.name : nil
        let params = WarningShow.Params(
            key: key, title: warning.title(name), body: warning.body,
            secondsLeft: min(86_400, (left.count + 999) / 1_000), counting: warning.time.isRunning,
            focusWindow: focused().map { Int64($0) })
        covers.send(WarningShow.self, params) { [weak self] result in
            switch result {
            case .success(let answer) where answer.shown: self?.tell(key, true)
            // The person dismissed it, or its time is over.
            case .success: self?.warnings[key] = nil
            case .failure: self?.tell(key, false)
            }
        }
    }

    /// Hands events over one by one.
    @LoopActor private final class Announcements {
        var receive: (@LoopActor (ReceivedEvent) -> Void)?
        func take(_ events: [ReceivedEvent]) { events.forEach { receive?($0) } }
    }
}
