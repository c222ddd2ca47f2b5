import Bus
import Contract
import JSON
import Loop
import ServiceKit
import Time
import Units

/// Shows the time that is left before a limit of the person is reached, by shield-cover's banners and
/// chips. The time runs while an app is in use that counts. What was announced while nobody listened is
/// read from activity-center's present limits. What is not on the screen `AgentLimits.banner` after it was
/// announced is left to the notification with the same words.
@LoopActor final class LimitWarnings {
    private let covers: Covers
    private let presence: Presence
    private let focused: @LoopActor () -> UInt32?
    private let category: @LoopActor (AppIdentity) -> String?
    private var warnings: [String: LimitWarning] = [:]
    /// Whether warnings were on the screen in time, the last ones by their keys. It is never changed.
    private var answers: [(key: String, isShown: Bool)] = []
    /// Who waits for such an answer.
    private var questions: [String: [@LoopActor (Bool) -> Void]] = [:]
    private let state: StateFollower<PresentLimits>
    /// Number of processes of covers so far.
    private var processes = 0
    /// Whether warnings of an earlier agent may stand.
    private var mayAdopt = true
    /// Called when another app is in use, or none.
    var onUse: (@LoopActor () -> Void)?
    /// Called when limits changed, or time of one is over; with them if they are known.
    var onLimits: (@LoopActor (PresentLimits?) -> Void)?

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
            ask: { PresentLimits.read(client, $0) },
            isChange: {
                events.take($0)
                return false
            }, receive: { events.present?($0) })
        events.receive = { [weak self] in self?.note($0) }
        events.present = { [weak self] in self?.take($0) }
        covers.onBegin = { [weak self] in self?.processBegan() }
        covers.isNeededOtherwise = { [weak self] in
            self?.warnings.values.contains { $0.stands(at: EventLoop.main.now) } == true
        }
        presence.onUse = { [weak self] in
            self?.useChanged()
            self?.onUse?()
        }
    }

    /// Starts listening.
    func start() {
        state.refresh()
        processBegan()
    }

    func close() {
        state.close()
        processes += 1
        warnings = [:]
        (onUse, onLimits) = (nil, nil)
        for key in questions.keys { settle(key, false) }
    }

    /// Tells whether the person sees a warning, or saw it: as soon as that is known, and at the latest after
    /// `AgentLimits.banner`. One that is answered with no is not shown any more.
    func isShown(_ key: String, _ end: @escaping @LoopActor (Bool) -> Void) {
        if let answer = answer(to: key) { return end(answer) }
        questions[key, default: []].append(end)
        settleLater(key, AgentLimits.banner)
    }

    private func answer(to key: String) -> Bool? { answers.last { $0.key == key }?.isShown }

    private func settleLater(_ key: String, _ pause: Milliseconds) {
        EventLoop.main.after(pause) { [weak self] in self?.settle(key, false) }
    }

    private func settle(_ key: String, _ isShown: Bool) {
        guard answer(to: key) == nil else { return }
        answers = answers.suffix(AgentLimits.warningsSeen - 1) + [(key, isShown)]
        questions.removeValue(forKey: key)?.forEach { $0(isShown) }
        if !isShown { end { $0.key == key } }
    }

    private func note(_ event: ReceivedEvent) {
        switch event.type {
        case EventWillReachThresholdWarning.type:
            guard let about = Self.read(EventWillReachThresholdWarning.self, event)?.about,
                let warning = LimitWarning(about)
            else { return }
            begin(warning, after: Self.age(of: event.event.head.time, at: WallTime.now))
        case EventDidReachThreshold.type:
            guard let about = Self.read(EventDidReachThreshold.self, event)?.about else { return }
            end { $0.key == about.warningKey }
        case IntervalDidStart.type:
            guard let about = Self.read(IntervalDidStart.self, event)?.about else { return }
            end { $0.isReplaced(by: about) }
        case IntervalDidEnd.type:
            guard let about = Self.read(IntervalDidEnd.self, event)?.about else { return }
            end { $0.isOf(about) }
        default: return
        }
        onLimits?(nil)
    }

    private static func read<Body: Record>(_: Body.Type, _ event: ReceivedEvent) -> Body? {
        // One that cannot be read, or was deleted, announces nothing.
        try? Body.decode(event.event.data?.bytes ?? [])
    }

    /// How long ago an event was announced, rounded up to whole seconds; nil: `AgentLimits.banner` or longer.
    /// - Parameter time: as ``UTCTime/text(_:)``, which is ordered as time is.
    static func age(of time: String, at now: Instant) -> Milliseconds? {
        (0..<AgentLimits.banner / .second).map { .seconds($0) }.first { time >= UTCTime.text(now - $0) }
    }

    private func begin(_ warning: LimitWarning, after age: Milliseconds?) {
        end { $0.isReplaced(by: warning.about) }
        guard let age else { return settle(warning.key, false) }
        guard answer(to: warning.key) != false else { return }
        warnings[warning.key] = warning
        settleLater(warning.key, AgentLimits.banner - age)
        covers.ensure()
        useChanged()
    }

    private func end(_ isOver: (LimitWarning) -> Bool) {
        for warning in warnings.values.filter(isOver) {
            warnings[warning.key] = nil
            hide(warning.key)
        }
    }

    private func hide(_ key: String) { covers.send(WarningHide.self, WarningHide.Params(key: key)) }

    private func useChanged() {
        guard !warnings.isEmpty else { return }
        let now = EventLoop.main.now
        let app = presence.inUse
        warnings = warnings.filter { $0.value.time.left(at: now) > 0 }
        for (key, warning) in warnings {
            let inUse = app.flatMap { warning.counts($0.judgedName, category: category($0)) ? $0 : nil }
            warnings[key]?.time.run(inUse != nil, at: now)
            if let inUse { warnings[key]?.title = inUse.name }
            show(key)
        }
    }

    private func showAll() {
        for key in warnings.keys.sorted() { show(key) }
    }

    private func show(_ key: String) {
        guard let warning = warnings[key], warning.stands(at: EventLoop.main.now) else { return }
        let left = warning.time.left(at: EventLoop.main.now)
        let params = WarningShow.Params(
            key: key, title: warning.title, body: warning.body,
            secondsLeft: min(86_400, (left.count + 999) / 1_000), counting: warning.time.isRunning,
            focusWindow: focused().map { Int64($0) }, about: warning.about)
        covers.send(WarningShow.self, params) { [weak self] result in
            switch result {
            case .success(let answer) where answer.shown: self?.settle(key, true)
            case .success: self?.warnings[key]?.isDismissed = true
            // It is shown again by the next process.
            case .failure: break
            }
        }
    }

    // MARK: what stands

    /// A process of covers is there, perhaps with warnings of an earlier agent.
    private func processBegan() {
        processes += 1
        follow(after: 0, process: processes)
    }

    /// Waits for changes of the warnings that stand: what the person dismisses stays away, also after the end
    /// of that process.
    private func follow(after number: Int64, process: Int) {
        covers.send(
            WarningList.self, WarningList.Params(after: number), deadline: AgentLimits.presses
        ) { [weak self] result in
            guard let self, process == processes else { return }
            guard case .success(let list) = result else {
                EventLoop.main.after(AgentLimits.pause) { [weak self] in
                    if let self, process == processes { follow(after: 0, process: process) }
                }
                return
            }
            take(list.warnings)
            if number == 0 { showAll() }
            follow(after: list.number, process: process)
        }
    }

    private func take(_ standing: [StandingWarning]) {
        for one in standing where one.dismissed { warnings[one.warning.key]?.isDismissed = true }
        guard mayAdopt else { return }
        mayAdopt = false
        for one in standing where warnings[one.warning.key] == nil {
            guard let warning = LimitWarning(one) else {
                hide(one.warning.key)
                continue
            }
            warnings[warning.key] = warning
            settle(warning.key, true)
        }
        guard !warnings.isEmpty else { return }
        useChanged()
        // What ended while no agent listened.
        state.refresh()
    }

    /// What activity-center says of all limits: at the start, and after events may have been lost.
    private func take(_ present: PresentLimits) {
        end { !$0.isMonitored(in: present.activities) }
        for warning in present.warnings where warnings[warning.key] == nil && answer(to: warning.key) == nil {
            begin(warning, after: 0)
        }
        onLimits?(present)
    }

    /// Hands over events one by one, and the present limits.
    @LoopActor private final class Announcements {
        var receive: (@LoopActor (ReceivedEvent) -> Void)?
        var present: (@LoopActor (PresentLimits) -> Void)?
        func take(_ events: [ReceivedEvent]) { events.forEach { receive?($0) } }
    }
}
