import Bus
import Contract
import Loop
import ServiceKit
import Units

/// The covers of this session: which windows should have one, and which have it. What a process of covers
/// that died had shown, its successor shows.
@LoopActor final class Covers {
    private let starter: CoverStarter
    private let connect: @LoopActor () -> RequestClient?
    private let log: Log
    /// Nil while no process is ready.
    private var client: RequestClient?
    /// By window.
    private var wanted: [UInt32: Wanted] = [:]
    private var requests = 0
    private var isExpected = false
    private var isClosed = false
    /// Called when a process is ready.
    var onBegin: (@LoopActor () -> Void)?
    /// Whether somebody else needs the process.
    var isNeededOtherwise: @LoopActor () -> Bool = { false }
    /// Called with presses that the agent must act on.
    var onPress: (@LoopActor (CoverPress) -> Void)?
    private var lastPress: Int64 = 0
    /// What shield-cover says of itself, a sentence each.
    private var complaints: [String] = []
    /// Whether a question to the process has no answer yet.
    private var isAsking = false
    private var nextQuestion: TimerToken?
    /// Questions without an answer in time since the last answer.
    private var silences = 0
    /// Whether the display answers: if not, the process waits for it as everybody does.
    var isDisplayAnswering: @LoopActor () -> Bool = { true }

    private struct Wanted {
        var about: CoveredWindow
        var trace: TraceContext?
        /// The number of the last request to show it. Answers to earlier ones may be about a window that had
        /// the same id.
        var request = 0
        /// Whether its window is not on the screen, or its first frame is.
        var isCovered = false
        /// Whether its app did not wait for it any longer, or it was refused.
        var isLate = false
        /// Whether shield-cover, which refused it, is asked again later.
        var willRetry = false
        var waiting: [@LoopActor () -> Void] = []
    }

    /// - Parameter connect: makes a connection to shield-cover; nil if that is impossible now.
    init(_ starter: CoverStarter, log: Log, connect: @escaping @LoopActor () -> RequestClient?) {
        self.starter = starter
        self.log = log
        self.connect = connect
        starter.onReady = { [weak self] in self?.begin() }
        starter.onEnd = { [weak self] in self?.processEnded() }
        starter.onLate = { [weak self] in
            if self?.isDisplayAnswering() == true { starter.endHung() }
        }
    }

    /// Whether these covers were asked for.
    func areAsked(_ covers: [CoveredWindow]) -> Bool {
        covers.allSatisfy { about in UInt32(exactly: about.window).flatMap { wanted[$0]?.about } == about }
    }

    /// Whether shield-cover has covered a window that should be.
    func isCovered(_ window: UInt32) -> Bool { wanted[window]?.isCovered == true }

    /// The windows that shield-cover covers; nil if it runs and does not answer.
    func standing() async -> Set<UInt32>? {
        guard let client else { return [] }
        let options = CallOptions(deadline: AgentLimits.pause)
        // What it says in time counts, and silence is reported by whoever asks.
        let answer = try? await client.call(CoverList.self, Nothing(), options: options)
        return answer.map { Set($0.covers.compactMap { UInt32(exactly: $0.window) }) }
    }

    /// Why shielded apps may be seen without a cover, a sentence each.
    var problems: [String] {
        guard !wanted.isEmpty else { return [] }
        if let problem = starter.problem { return ["shielded apps stand still without a cover: \(problem)"] }
        let late = wanted.values.filter { $0.isLate && !$0.isCovered }.count
        let waiting = late == 0 ? [] : ["windows of shielded apps without a cover: \(late)"]
        return (silences == 0 ? [] : ["shield-cover does not answer"]) + waiting + complaints
    }

    // MARK: before

    /// Covers may be needed soon.
    func prepare() {
        guard !isClosed, wanted.isEmpty else { return }
        isExpected = true
        if client != nil { rehearse() } else { starter.ensure() }
    }

    /// Starts the process unless it runs.
    func ensure() { if !isClosed { starter.ensure() } }

    /// Asks the process for something, if it is ready.
    func send<M: Call>(
        _ method: M.Type, _ params: M.Params, deadline: Milliseconds = AgentLimits.answer,
        completion: @escaping @LoopActor (Result<M.Result, ServiceError>) -> Void = { _ in }
    ) {
        client?.send(method, params, options: CallOptions(deadline: deadline), completion: completion)
    }

    private func rehearse() {
        guard isExpected else { return }
        isExpected = false
        send(CoverPrepare.self, Nothing())
    }

    /// Takes over the covers that an earlier agent left; those that are not wanted are removed by
    /// ``keep(only:)``.
    func adopt() async {
        guard starter.adopt(), let client else { return }
        // Without an answer they are covered again, if their apps still are shielded.
        let answer = try? await client.call(
            CoverList.self, Nothing(), options: CallOptions(deadline: AgentLimits.recovery))
        for about in answer?.covers ?? [] {
            guard let window = UInt32(exactly: about.window), wanted[window] == nil else { continue }
            wanted[window] = Wanted(about: about, isCovered: true)
        }
    }

    // MARK: cover and uncover

    /// Covers windows. Returns when all have a cover or are not on the screen, as ``CoverWait`` says, or when
    /// there can be no cover.
    func cover(_ windows: [CoveredWindow], trace: TraceContext?) async {
        var missing: [UInt32] = []
        for about in windows {
            guard let window = UInt32(exactly: about.window), !isClosed else { continue }
            let isAsked = wanted[window]?.about == about
            if isAsked, wanted[window]?.isCovered == true { continue }
            missing.append(window)
            guard !isAsked else { continue }
            wanted[window, default: Wanted(about: about)].about = about
            wanted[window]?.trace = trace
            show(window)
        }
        guard !missing.isEmpty else { return }
        starter.ensure()
        await covered(missing)
    }

    private func covered(_ windows: [UInt32]) async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let wait = CoverWait(count: windows.count, after: { EventLoop.main.after($0, $1) }) {
                [weak self, log] isLate in
                if isLate {
                    for window in windows { self?.wanted[window]?.isLate = true }
                    log.warning("a cover was not shown in time; the app is frozen without it")
                }
                done.resume()
            }
            for window in windows {
                if wanted[window] == nil { wait.arrive() }
                wanted[window]?.waiting.append { wait.arrive() }
            }
            if starter.problem != nil { wait.giveUp() }
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
        client?.send(
            CoverHide.self, CoverHide.Params(window: Int64(window)),
            options: CallOptions(deadline: AgentLimits.answer, trace: one.trace)
        ) { _ in }
    }

    /// Removes all covers.
    func close() {
        isClosed = true
        release()
        wanted = [:]
        starter.end()
        disconnect()
    }

    /// The answers to open requests do not matter any more.
    private func disconnect() {
        if let nextQuestion { EventLoop.main.cancel(nextQuestion) }
        nextQuestion = nil
        isAsking = false
        let old = client
        client = nil
        old?.close()
    }

    /// As soon as a process is ready.
    private func show(_ window: UInt32) {
        guard let one = wanted[window], let client else { return }
        let params = CoverShow.Params(cover: one.about)
        let options = CallOptions(deadline: AgentLimits.coverAnswer, trace: one.trace)
        requests += 1
        let request = requests
        wanted[window]?.request = request
        client.send(CoverShow.self, params, options: options) { [weak self] result in
            guard let self, self.client === client else { return }
            shown(window, request, result)
        }
        askHealth()
    }

    private func shown(
        _ window: UInt32, _ request: Int, _ result: Result<CoverShow.Result, ServiceError>
    ) {
        guard let one = wanted[window], one.request == request else { return }
        wanted[window]?.waiting = []
        switch result {
        case .success:
            wanted[window]?.isCovered = true
            wanted[window]?.isLate = false
            starter.works()
        case .failure(let error) where error.name == .notFound: wanted[window] = nil
        case .failure(let error):
            log.warnOnce(
                "\(one.about.app) \(error.message)", "a cover was refused",
                [("app", .text(one.about.app)), ("reason", .text(error.message))])
            wanted[window]?.isLate = true
            showLater(window)
        }
        one.waiting.forEach { $0() }
    }

    private func showLater(_ window: UInt32) {
        guard wanted[window]?.willRetry == false else { return }
        wanted[window]?.willRetry = true
        EventLoop.main.after(AgentLimits.pause) { [weak self] in
            guard let self, wanted[window] != nil else { return }
            wanted[window]?.willRetry = false
            if wanted[window]?.isCovered == false { show(window) }
        }
    }

    // MARK: its process

    private func begin() {
        guard !isClosed, client == nil, starter.isRunning else { return }
        guard let fresh = connect() else {
            EventLoop.main.after(AgentLimits.pause) { [weak self] in self?.begin() }
            return
        }
        client = fresh
        rehearse()
        for window in wanted.keys.sorted() { show(window) }
        onBegin?()
        listen()
    }

    private func processEnded() {
        disconnect()
        complaints = []
        for window in wanted.keys { wanted[window]?.isCovered = false }
        if starter.problem != nil { release() }
        if !wanted.isEmpty || isNeededOtherwise() { ensure() }
    }

    /// Ends all waiting for covers: there will be none.
    private func release() {
        for (window, one) in wanted {
            wanted[window]?.waiting = []
            one.waiting.forEach { $0() }
        }
    }

    /// Waits for presses.
    private func listen() {
        guard let client else { return }
        askHealth()
        let options = CallOptions(deadline: AgentLimits.presses)
        client.send(CoverPresses.self, CoverPresses.Params(after: lastPress), options: options) {
            [weak self] result in
            self?.heard(result, client)
        }
    }

    private func heard(_ result: Result<CoverPresses.Result, ServiceError>, _ client: RequestClient) {
        guard self.client === client else { return }
        guard case .success(let answer) = result else {
            // Presses are kept until they are read.
            EventLoop.main.after(AgentLimits.pause) { [weak self] in
                if let self, self.client === client { listen() }
            }
            return
        }
        for press in answer.presses where press.number > lastPress {
            lastPress = press.number
            onPress?(press)
        }
        listen()
    }

    // MARK: whether it answers

    /// Asks the process how it is, and again as long as it is needed: one that hangs shows nothing, and would
    /// leave apps frozen without a cover.
    private func askHealth() {
        guard let client, !isAsking else { return }
        isAsking = true
        if let nextQuestion { EventLoop.main.cancel(nextQuestion) }
        let used_ticks = starter.processorTime_ticks
        client.send(HealthCheck.self, Nothing(), options: CallOptions(deadline: AgentLimits.coverSilence)) {
            [weak self] result in
            guard let self, self.client === client else { return }
            isAsking = false
            switch result {
            case .success(let health):
                complaints = health.degradedBy
                silences = 0
            case .failure(let error) where error.name == .deadlineExceeded: silent(since: used_ticks)
            // It is ending, or refuses this; the next question tells.
            case .failure: break
            }
            guard !wanted.isEmpty || isNeededOtherwise() else { return }
            let isAwaited = silences > 0 || wanted.values.contains { !$0.isCovered }
            let pause = isAwaited ? AgentLimits.coverPulse : AgentLimits.coverRest
            nextQuestion = EventLoop.main.after(pause) { [weak self] in self?.askHealth() }
        }
    }

    /// One that computes gets more time than one that stands still.
    /// - Parameter used_ticks: the processor time that it had used when it was asked.
    private func silent(since used_ticks: UInt64) {
        guard isDisplayAnswering() else { return }
        silences += 1
        let isBusy = starter.processorTime_ticks >= used_ticks + AgentLimits.coverBusy_ticks
        if !isBusy || silences >= AgentLimits.coverSilencesMax { starter.endHung() }
    }
}
