import Bus
import Contract
import Loop
import ServiceKit
import Units

/// Checks whether limits act on this desktop: when somebody asks, and by itself, at a moment that disturbs
/// nobody. Tells shield-service, and the person if they ceased to act.
@LoopActor final class Enforcement {
    private let stage: any CanaryStage
    private let owner: any EnforcementOwner
    private let log: Log
    private let pace: Pace
    /// Whether nobody is there, and nothing is shielded.
    private let isUndisturbed: @LoopActor () -> Bool
    private lazy var timer = BootTimer()
    private var isDue = false
    private var isClosed = false
    private var running: Task<EnforcementCheck.Result, Never>?
    /// What the last check showed; nil if that is not known, or there was none.
    private(set) var latest: (state: EnforcementState, reason: String?)?
    /// What the services do not know yet.
    private var unsettled = Unsettled()
    private var isSettling = false

    private struct Unsettled {
        /// The limit of a check may be stored.
        var limit = false
        /// A result is not recorded.
        var result: (state: EnforcementState, reason: String?)?
        /// The person was not notified of why limits do not act, or that is not withdrawn (some nil).
        var notice: String??

        /// Counts the checks.
        var number = 0

        var isEmpty: Bool { !limit && result == nil && notice == nil }
    }

    /// When checks happen by themselves.
    struct Pace {
        /// Nil: never.
        var interval: Milliseconds?
        /// From the start until the first one.
        var first = AgentLimits.firstCheck
        /// Until the next attempt, when one is due at a bad moment.
        var again = AgentLimits.dueCheck
        /// Until a service is asked again.
        var pause = AgentLimits.pause

        /// - Parameter age: of the last result; nil if there is none.
        func delay(age: Milliseconds?) -> Milliseconds? {
            guard let interval else { return nil }
            // A clock that was set back makes an age that means nothing.
            guard let age, age >= 0, age < interval else { return min(first, interval) }
            return max(min(first, interval), interval - age)
        }
    }

    init(
        _ stage: any CanaryStage, _ owner: any EnforcementOwner, log: Log, pace: Pace,
        isUndisturbed: @escaping @LoopActor () -> Bool
    ) {
        self.stage = stage
        self.owner = owner
        self.log = log
        self.pace = pace
        self.isUndisturbed = isUndisturbed
    }

    /// Removes what an earlier agent left, and learns what its last check showed.
    /// - Parameter now: the time of results.
    func start(now: @escaping @LoopActor () -> Instant) {
        Task { @LoopActor [self] in
            while !isClosed {
                do throws(ServiceError) {
                    try await owner.removeLimit()
                    let result = try await owner.last()
                    if latest == nil { latest = result.map { ($0.state, $0.reason) } }
                    return arm(pace.delay(age: result.map { now() - $0.checked }))
                } catch {
                    await EventLoop.main.sleep(pace.pause)
                }
            }
        }
    }

    /// Why limits do not act here, a sentence; nil if they do, or nobody knows. What hinders them now counts
    /// more than what the last check showed.
    var problem: String? {
        if let hindrance = stage.hindrance { return Self.sentence(hindrance.rawValue) }
        guard let latest, latest.state == .notEnforcing, !isAboutHindrance else { return nil }
        return Self.sentence(latest.reason ?? "of an unknown reason")
    }

    private static func sentence(_ reason: String) -> String {
        "limits do not act on this desktop, because \(reason)"
    }

    /// Whether the last check showed only what can be seen at any time.
    private var isAboutHindrance: Bool { latest?.reason.flatMap { Hindrance(rawValue: $0) } != nil }

    /// Call when something else may hinder limits on this desktop, or nothing. If nothing does, a last result
    /// that says so is out of date.
    func desktopChanged() {
        stage.desktopChanged()
        guard pace.interval != nil, isAboutHindrance, stage.hindrance == nil else { return }
        isDue = true
        checkIfDue()
    }

    // MARK: by itself

    private func arm(_ delay: Milliseconds?) {
        guard let delay, !isClosed else { return }
        timer.set(milliseconds: max(1, delay)) { [weak self] in
            self?.isDue = true
            self?.checkIfDue()
        }
    }

    /// Call when the person goes away.
    func checkIfDue() {
        guard isDue, !isClosed, running == nil else { return }
        guard isUndisturbed() else { return arm(pace.interval.map { min($0, pace.again) }) }
        Task { @LoopActor in _ = await self.check(trace: nil) }
    }

    // MARK: checking

    /// Joins a check that runs already.
    func check(trace: TraceContext?) async -> EnforcementCheck.Result {
        if let running { return await running.value }
        isDue = false
        timer.cancel()
        let task = Task { @LoopActor in await self.checkOnce(trace ?? .root()) }
        running = task
        let result = await task.value
        running = nil
        // Only now: a timer that ends while a check runs would start none.
        arm(pace.interval)
        checkIfDue()
        return result
    }

    private func checkOnce(_ trace: TraceContext) async -> EnforcementCheck.Result {
        stage.trace = trace
        let run = CanaryRun(stage)
        await run.run()
        let reason = run.reason.map {
            VisibleText.shortened(VisibleText.escaped($0), bytesMax: Self.reasonBytesMax)
        }
        let state = reason == nil ? EnforcementState.enforcing : .notEnforcing
        note(state, reason, isLimitLeft: run.isLimitLeft)
        let isRecorded = run.isUnanswered ? false : await settle()
        if !unsettled.isEmpty { settleLater() }
        return EnforcementCheck.Result(steps: run.steps, state: state, reason: reason, recorded: isRecorded)
    }

    /// Bytes of a reason that shield-service keeps.
    private static let reasonBytesMax = 900

    private func note(_ state: EnforcementState, _ reason: String?, isLimitLeft: Bool) {
        unsettled.number += 1
        if isLimitLeft { unsettled.limit = true }
        unsettled.result = (state, reason)
        if latest?.state != state, state == .notEnforcing || latest != nil {
            unsettled.notice = .some(reason)
        }
        latest = (state, reason)
        if let reason {
            log.error("limits do not act", [("reason", .text(reason))])
        } else {
            log.info("limits act")
        }
    }

    /// Returns whether the result is recorded. What a service does not accept now is tried again.
    private func settle() async -> Bool {
        if unsettled.limit { await attempt({ $0.limit = false }, { try await self.owner.removeLimit() }) }
        // First: what is recorded would not be notified of again.
        if let notice = unsettled.notice {
            await attempt({ $0.notice = nil }, { try await self.owner.notify(notice) })
        }
        if let result = unsettled.result {
            await attempt(
                { $0.result = nil }, { try await self.owner.record(result.state, result.reason) })
        }
        return unsettled.result == nil
    }

    /// - Parameter done: applied if it succeeds and no other check ended meanwhile.
    private func attempt(
        _ done: (inout Unsettled) -> Void, _ body: @LoopActor () async throws -> Void
    ) async {
        let number = unsettled.number
        do {
            try await body()
            if unsettled.number == number { done(&unsettled) }
        } catch {
            log.warnOnce(
                "enforcement", "a service does not accept the result of a check",
                [("error", .text(ServiceError(anything: error).name.rawValue))])
        }
    }

    private func settleLater() {
        guard !isSettling else { return }
        isSettling = true
        Task { @LoopActor [self] in
            while !unsettled.isEmpty, !isClosed {
                await EventLoop.main.sleep(pace.pause)
                if running == nil { _ = await settle() }
            }
            isSettling = false
        }
    }

    // MARK: stopping

    /// Ends the program. The next agent removes the limit.
    func close() {
        isClosed = true
        timer.cancel()
        stage.end()
    }
}
