internal import Bus
internal import Contract
package import Loop
internal import Store
package import Units

/// The trusted time (docs/time.md, section 8) in a service that follows activity-center, by its judgement.
/// A step of the machine's clock that activity-center has not judged yet is not believed: time continues by
/// CLOCK_BOOTTIME.
///
/// The service's own clock is not corrected: other things of it have the machine's time. A timer of the
/// trusted time is set to its due instant + ``ahead``, and set again by ``onChange``.
@LoopActor package final class TrustedClock: ClockKeeper {
    private let service: Service
    /// Nil in tests that have their own clock.
    private let system: SystemClock?
    private let bootID = MachineClock.readBootID()
    private let told: HeldTime
    /// The present boot and CLOCK_BOOTTIME; nil under a virtual clock, which is always trusted.
    package lazy var boot: @LoopActor () -> (id: String, elapsed: Milliseconds)? = { [weak self] in
        guard let self, let system, !system.isVirtual else { return nil }
        return (bootID, MachineClock.elapsed)
    }
    /// Called when the machine's clock was set or is judged otherwise.
    package var onChange: @LoopActor () -> Void = {}
    /// How far the machine's clock is ahead of the trusted time; negative if behind.
    package private(set) var ahead: Milliseconds
    /// The machine's clock minus CLOCK_BOOTTIME at the last reading.
    private var offset: Instant?
    private var wasJudged = false
    private var isAsking = false
    /// Whether the judgement changed after the open question was sent.
    private var isStale = false
    private var timer: TimerToken?
    private static let degraded = "clock"

    /// A larger change between two readings is a step; a smaller one is a correction by time
    /// synchronisation. Also by how much the clock may differ between a judgement and its arrival.
    private static let stepMin: Milliseconds = 1_000
    /// Milliseconds until a question without an answer is repeated.
    private static let retryPause: Milliseconds = 1_000

    package init(_ service: Service) throws {
        self.service = service
        system = service.clock as? SystemClock
        told = try HeldTime(service)
        ahead = told.held
        told.onChange = { [weak self] in self?.ask() }
        system?.keeper = self
    }

    // MARK: reading

    /// The trusted time.
    package var now: Instant {
        let wall = service.clock.now
        guard let boot = boot() else { return wall }
        note(wall - boot.elapsed)
        return wall - ahead
    }

    /// Whether activity-center has judged the clock since the start. Before that, a clock that was set while
    /// this service did not run is believed.
    package var isJudged: Bool { wasJudged || boot() == nil }

    /// When a timer of the service's clock is due for an instant of the trusted time.
    package func due(_ instant: Instant) -> Instant { boot() == nil ? instant : instant + ahead }

    private func note(_ read: Instant) {
        let step = read - (offset ?? read)
        offset = read
        guard abs(step) > Self.stepMin else { return }
        ahead = ahead + step
        ask()
    }

    // MARK: ClockKeeper

    package var held: Milliseconds { 0 }

    package func clockWasSet() {
        _ = now
        onChange()
    }

    // MARK: the judgement

    /// Applies the events; call it for whoever follows activity-center, after its own handlers.
    package func follow(_ following: Following) {
        told.follow(following)
        let live = following.live
        following.live = { [weak self] in
            live?()
            // The report of the connection may come later.
            self?.ask(isThere: true)
        }
    }

    /// Call before the copy is rebuilt from a snapshot, which has the event only if the clocks differ.
    package func reset(_ transaction: Transaction) throws { try told.reset(transaction) }

    /// Reports it in `status` if activity-center does not judge the clock soon. Call it at the start.
    /// - Parameter consequence: what does not happen meanwhile; a clause.
    package func reportSilence(_ consequence: String, after pause: Milliseconds = 10_000) {
        guard !isJudged else { return }
        timer = service.loop.after(pause) { [weak self] in
            guard let self else { return }
            timer = nil
            guard !isJudged else { return }
            service.setDegraded(
                Self.degraded,
                "\(consequence), because activity-center has not judged the machine's clock since this start "
                    + "(see `screentime status`)")
        }
    }

    /// An event can be older than the last step; the answer to a question is not.
    /// - Parameter isThere: whether activity-center answers; if it does not, its next connection asks.
    private func ask(isThere: Bool = false) {
        guard boot() != nil, !service.stopping, isThere || service.isConnected(.activity) else { return }
        guard !isAsking else { return isStale = true }
        isAsking = true
        isStale = false
        Task { @LoopActor [weak self] in await self?.requestJudgement() }
    }

    private func requestJudgement() async {
        var answer: TimeStatus.Result?
        do {
            answer = try await service.call(
                TimeStatus.self, Nothing(), options: CallOptions(deadline: Limits.requestDeadlineMax))
        } catch { service.log.debug("the judgement of the clock was not received") }
        let isPresent = answer.map(isOfPresentClock) ?? false
        isAsking = false
        guard !service.stopping else { return }
        guard !isStale else { return ask() }
        guard let answer, isPresent else {
            service.loop.after(Self.retryPause) { [weak self] in self?.ask() }
            return
        }
        let isNew = !wasJudged || ahead != answer.held
        (wasJudged, ahead) = (true, answer.held)
        service.setDegraded(Self.degraded, nil)
        if isNew { onChange() }
    }

    /// Whether activity-center judged the clock as it is now, and not before it was set again.
    private func isOfPresentClock(_ answer: TimeStatus.Result) -> Bool {
        _ = now
        return abs(service.clock.now - (answer.now + answer.held)) <= Self.stepMin
    }

    package func close() {
        if let timer { service.loop.cancel(timer) }
        timer = nil
    }
}
