import Bus
import Contract
import Loop
import ServiceKit
import Units

/// The covers of this session: which windows should have one, and which have it. What it asked shield-cover
/// for is asked again of its successor.
@LoopActor final class Covers {
    private let starter: CoverStarter
    private let client: RequestClient
    private let log: Log
    /// By window.
    private var wanted: [UInt32: Wanted] = [:]
    private var isClosed = false
    /// The window that has the focus; its cover takes it.
    var focused: @LoopActor () -> UInt32? = { nil }
    /// Called with presses that the agent must act on.
    var onPress: (@LoopActor (CoverPress) -> Void)?
    /// Whether `cover.presses` waits for an answer.
    private var isListening = false
    private var lastPress: Int64 = 0
    /// What shield-cover says of itself, a sentence each.
    private var complaints: [String] = []

    private struct Wanted {
        var about: CoveredWindow
        var trace: TraceContext?
        /// Whether its window is not on the screen, or its first frame is.
        var isCovered = false
        var waiting: [@LoopActor () -> Void] = []
    }

    init(_ starter: CoverStarter, _ client: RequestClient, log: Log) {
        self.starter = starter
        self.client = client
        self.log = log
        starter.onEnd = { [weak self] in self?.processEnded() }
    }

    /// Whether these covers were asked for.
    func areAsked(_ covers: [CoveredWindow]) -> Bool {
        covers.allSatisfy { about in UInt32(exactly: about.window).flatMap { wanted[$0]?.about } == about }
    }

    /// Why shielded apps may be seen without a cover, a sentence each.
    var problems: [String] {
        guard !wanted.isEmpty else { return [] }
        if let problem = starter.problem { return ["shielded apps stand still without a cover: \(problem)"] }
        return complaints
    }

    // MARK: before

    /// Covers may be needed soon.
    func prepare() {
        guard !isClosed, wanted.isEmpty else { return }
        starter.ensure()
        client.send(
            CoverPrepare.self, Nothing(), options: CallOptions(deadline: AgentLimits.answer)
        ) { _ in }
    }

    /// Takes over the covers that an earlier agent left; those that are not wanted are removed by
    /// ``keep(only:)``.
    func adopt() async {
        guard starter.adopt() else { return }
        let answer = try? await client.call(
            CoverList.self, Nothing(), options: CallOptions(deadline: AgentLimits.recovery))
        for about in answer?.covers ?? [] {
            guard let window = UInt32(exactly: about.window), wanted[window] == nil else { continue }
            wanted[window] = Wanted(about: about, isCovered: true)
        }
        listen()
    }

    // MARK: cover and uncover

    /// Covers windows. Returns when all have a cover or are not on the screen; at the latest after
    /// `AgentLimits.cover`, or when there can be no cover.
    func cover(_ windows: [CoveredWindow], trace: TraceContext?) async {
        var missing: [UInt32] = []
        for about in windows {
            guard let window = UInt32(exactly: about.window) else { continue }
            if wanted[window]?.about == about, wanted[window]?.isCovered == true { continue }
            missing.append(window)
            let isAsked = wanted[window]?.about == about
            wanted[window, default: Wanted(about: about)].about = about
            wanted[window]?.trace = trace
            if !isAsked { show(window) }
        }
        guard !missing.isEmpty, !isClosed else { return }
        listen()
        await covered(missing)
    }

    private func covered(_ windows: [UInt32]) async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let barrier = Barrier(count: windows.count) { done.resume() }
            for window in windows { wanted[window]?.waiting.append { barrier.arrive() } }
            if starter.problem != nil { barrier.open() }
            EventLoop.main.after(AgentLimits.cover) { [log] in
                if barrier.open() { log.warning("a cover was not shown in time; the app is frozen without it") }
            }
        }
    }

    /// Removes the covers of all windows but these.
    func keep(only windows: Set<UInt32>) {
        uncover(Set(wanted.keys).subtracting(windows))
    }

    func uncover(_ windows: Set<UInt32>) {
        for window in windows.sorted() { uncover(window) }
    }

    private func uncover(_ window: UInt32) {
        guard let one = wanted.removeValue(forKey: window) else { return }
        one.waiting.forEach { $0() }
        guard starter.pid != nil else { return }
        client.send(
            CoverHide.self, CoverHide.Params(window: Int64(window)),
            options: CallOptions(deadline: AgentLimits.answer, trace: one.trace)
        ) { _ in }
    }

    /// Removes all covers.
    func close() {
        isClosed = true
        for one in wanted.values { one.waiting.forEach { $0() } }
        wanted = [:]
        starter.end()
        client.close()
    }

    private func show(_ window: UInt32) {
        guard let one = wanted[window], !isClosed else { return }
        starter.ensure()
        let params = CoverShow.Params(cover: one.about, focus: focused() == window)
        let options = CallOptions(deadline: AgentLimits.coverAnswer, trace: one.trace)
        client.send(CoverShow.self, params, options: options) { [weak self] result in
            self?.shown(window, one.about, result)
        }
    }

    private func shown(
        _ window: UInt32, _ about: CoveredWindow, _ result: Result<CoverShow.Result, ServiceError>
    ) {
        guard let one = wanted[window], one.about == about else { return }
        wanted[window]?.waiting = []
        switch result {
        case .success:
            wanted[window]?.isCovered = true
            starter.works()
        case .failure(let error) where error.name == .notFound: wanted[window] = nil
        case .failure(let error):
            log.warning(
                "a cover was refused", [("app", .text(about.app)), ("reason", .text(error.message))])
            EventLoop.main.after(AgentLimits.pause) { [weak self] in
                if self?.wanted[window]?.isCovered == false { self?.show(window) }
            }
        }
        one.waiting.forEach { $0() }
    }

    // MARK: its process

    private func processEnded() {
        guard !isClosed, !wanted.isEmpty else { return }
        complaints = []
        if starter.problem != nil { release() }
        // What was asked for and not answered, the client asks again.
        for window in wanted.keys.sorted() where wanted[window]?.isCovered == true {
            wanted[window]?.isCovered = false
            show(window)
        }
        starter.ensure()
    }

    /// Nobody waits for covers that cannot be shown.
    private func release() {
        for (window, one) in wanted {
            wanted[window]?.waiting = []
            one.waiting.forEach { $0() }
        }
    }

    /// Waits for presses as long as anything is covered.
    private func listen() {
        guard !isListening, !isClosed, !wanted.isEmpty else { return }
        isListening = true
        askHealth()
        let options = CallOptions(deadline: AgentLimits.presses)
        client.send(CoverPresses.self, CoverPresses.Params(after: lastPress), options: options) {
            [weak self] in self?.heard($0)
        }
    }

    private func heard(_ result: Result<CoverPresses.Result, ServiceError>) {
        isListening = false
        guard case .success(let answer) = result else {
            // Presses are kept until they are read.
            EventLoop.main.after(AgentLimits.pause) { [weak self] in self?.listen() }
            return
        }
        for press in answer.presses where press.number > lastPress {
            lastPress = press.number
            onPress?(press)
        }
        listen()
    }

    private func askHealth() {
        client.send(
            HealthCheck.self, Nothing(), options: CallOptions(deadline: AgentLimits.answer)
        ) { [weak self] result in
            if case .success(let health) = result { self?.complaints = health.degradedBy }
        }
    }
}

/// Opens once: when all have arrived, or before.
@LoopActor private final class Barrier {
    private var missing: Int
    private var whenOpen: (@LoopActor () -> Void)?

    init(count: Int, _ whenOpen: @escaping @LoopActor () -> Void) {
        missing = count
        self.whenOpen = whenOpen
    }

    func arrive() {
        missing -= 1
        if missing == 0 { open() }
    }

    /// Returns whether it was closed.
    @discardableResult func open() -> Bool {
        guard let whenOpen else { return false }
        self.whenOpen = nil
        whenOpen()
        return true
    }
}
