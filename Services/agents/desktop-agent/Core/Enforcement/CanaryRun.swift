import Contract
import Loop
import Units

/// One check: the steps of ``EnforcementStep``, up to the first that fails. Then it tidies up.
@LoopActor final class CanaryRun {
    private let stage: any CanaryStage
    private(set) var steps: [EnforcementStepReport] = []
    /// Whether the limit may be stored still.
    private(set) var isLimitLeft = false
    /// Whether shield-service did not answer a step. To ask it again now would take until the next deadline.
    private(set) var isUnanswered = false

    init(_ stage: any CanaryStage) { self.stage = stage }

    /// Why limits do not act; nil if they do.
    var reason: String? { steps.lazy.compactMap(\.problem).first }

    private struct Failure: Error {
        let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    /// Returns when the program has ended.
    func run() async {
        let isProven = await prove()
        if isLimitLeft, !isProven, !isUnanswered, steps.last?.step != .removal {
            await step(.removal) { try await self.remove() }
        }
        stage.end()
    }

    private func prove() async -> Bool {
        let steps: [(EnforcementStep, @LoopActor () async throws -> Void)] = [
            (.desktop, { try self.look() }), (.window, { try await self.open() }),
            (.limit, { try await self.shield() }), (.cover, { try await self.cover() }),
            (.freeze, { try await self.freeze() }), (.removal, { try await self.remove() }),
            (.thaw, { try await self.thaw() }), (.uncover, { try await self.uncover() }),
            (.end, { try await self.dismiss() }),
        ]
        for (name, body) in steps {
            guard await step(name, body) else { return false }
        }
        return true
    }

    /// Returns whether it succeeded.
    @discardableResult
    private func step(_ name: EnforcementStep, _ body: @LoopActor () async throws -> Void) async -> Bool {
        let start = stage.now
        var problem: String?
        do { try await body() } catch {
            problem = (error as? Failure)?.reason ?? ServiceError(anything: error).message
        }
        steps.append(EnforcementStepReport(step: name, took: stage.now - start, problem: problem))
        return problem == nil
    }

    // MARK: steps

    private func look() throws {
        if let hindrance = stage.hindrance { throw Failure(hindrance.rawValue) }
    }

    private func open() async throws {
        try stage.start()
        let limit = AgentLimits.canaryWindow
        _ = await stage.comes(within: limit) { stage.hasWindow || stage.hasEnded }
        if stage.hasEnded { throw Failure("\(Self.program) ended before it had a window") }
        guard stage.hasWindow else {
            throw Failure("the window manager has no window of \(Self.program) after \(Self.seconds(limit))")
        }
    }

    private func shield() async throws {
        isLimitLeft = true
        do throws(ServiceError) { try await setShielded(true) } catch {
            throw Failure("the limit could not be stored: \(error.message)")
        }
    }

    private func setShielded(_ isShielded: Bool) async throws(ServiceError) {
        do throws(ServiceError) { try await stage.setShielded(isShielded) } catch {
            isUnanswered = error.name == .deadlineExceeded || error.name == .unavailable
            throw error
        }
    }

    private func cover() async throws {
        let limit = AgentLimits.canaryCover
        let isDone = await stage.comes(within: limit) { stage.isCovered || stage.isStopped || stage.hasEnded }
        guard !stage.isCovered else { return }
        let complaint = stage.complaint
        if stage.hasEnded { throw Failure("\(Self.program) ended before it was covered") }
        if isDone { throw Failure("it was frozen without a cover" + Self.detail(complaint)) }
        guard stage.isWanted else {
            throw Failure("the limit did not reach the desktop-agent within \(Self.seconds(limit))")
        }
        throw Failure("no cover was on the screen within \(Self.seconds(limit))" + Self.detail(complaint))
    }

    private func freeze() async throws {
        let limit = AgentLimits.canaryFreeze
        if await stage.comes(within: limit, { stage.isStopped }) { return }
        throw Failure(
            "it still ran \(Self.seconds(limit)) after it was covered" + Self.detail(stage.complaint))
    }

    private func remove() async throws {
        do throws(ServiceError) { try await setShielded(false) } catch {
            throw Failure("the limit could not be removed: \(error.message)")
        }
        isLimitLeft = false
    }

    private func thaw() async throws {
        let limit = AgentLimits.canaryProcess
        if await stage.comes(within: limit, { !stage.isStopped }) { return }
        throw Failure("it stood still \(Self.seconds(limit)) after its limit was removed")
    }

    private func uncover() async throws {
        let limit = AgentLimits.canaryProcess
        if await stage.comes(within: limit, { await stage.isUncovered() }) { return }
        throw Failure("its cover stayed for \(Self.seconds(limit)) after its limit was removed")
    }

    private func dismiss() async throws {
        stage.dismiss()
        let limit = AgentLimits.canaryEnd
        if await stage.comes(within: limit, { stage.hasEnded }) { return }
        throw Failure("\(Self.program) did not react for \(Self.seconds(limit)) after it was thawed")
    }

    private static let program = ProgramName.desktopCanary
    private static func seconds(_ limit: Milliseconds) -> String { "\(limit / .second) s" }
    private static func detail(_ complaint: String?) -> String { complaint.map { ": \($0)" } ?? "" }
}
