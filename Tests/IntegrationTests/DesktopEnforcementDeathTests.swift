import Bus
import Contract
import Foundation
import Loop
import ScreenTimeTesting
import Testing

/// shield-service dies during the check of whether limits act.
@Suite(.enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"))
struct DesktopEnforcementServiceDeathTests {
    /// It dies at the write of the limit, which it has stored or not.
    @Test(arguments: ["before-commit", "after-commit"])
    func aServiceThatDiesInTheMiddleIsNamedAndTidiedUpAfter(point: String) async throws {
        try await World.withDesktop(["shield-service", "notifier"]) { world in
            try await world.agentFollowsShields()
            try world.arm(point, of: .shield)
            let result = try await world.checkEnforcement()
            #expect(result.state == .notEnforcing && !result.recorded, "\(result)")
            #expect(result.steps.first { $0.problem != nil }?.step == .limit, "\(result)")
            #expect(result.reason?.hasPrefix("the limit could not be stored: ") == true, "\(result)")
            #expect(world.canaries.isEmpty)
            try await world.start("shield-service")
            try await world.eventually("recorded") {
                try await world.enforcementResult()?.state == .notEnforcing
            }
            try await world.eventually("the limit is removed") { try await world.canaryStore() == nil }
            #expect(try await world.isToldThatLimitsDoNotAct)
            try await world.expectNoCanary()
            #expect(try await world.checkEnforcement().state == .enforcing)
            #expect(try await !world.isToldThatLimitsDoNotAct)
        }
    }
}

extension World {
    fileprivate var isToldThatLimitsDoNotAct: Bool {
        get async throws {
            try await call(NotificationList.self, NotificationList.Params(pending: true)).notifications
                .contains { $0.identifier == "enforcement" }
        }
    }
}

/// The agent dies during the check of whether limits act.
@Suite(.enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"))
struct DesktopEnforcementAgentDeathTests {
    /// The process of covers is held, so that the check is in its middle.
    @Test(arguments: [false, true])
    func anAgentThatIsKilledInTheMiddleLeavesNothing(isFrozen: Bool) async throws {
        try await World.withDesktop(["shield-service"]) { world in
            try await world.agentFollowsShields()
            let asking = try await world.holdCheck()
            if isFrozen {
                // Without a cover it is frozen after a while, and the check ends.
                try await world.eventually("frozen") {
                    try await world.call(ShieldFrozen.self, ShieldFrozen.Params()).freezes.contains {
                        $0.app == CanaryApp.id
                    }
                }
            }
            try await world.process("desktop-agent").destroy()
            // Or the next agent is asked, too.
            asking.close()
            try await world.eventually("the program ends with its agent") { world.canaries.isEmpty }
            // The agent may have ended it, since it did not answer.
            if let pid = world.coverPid { kill(pid, SIGCONT) }
            try await world.start("desktop-agent")
            try await world.eventually("the limit is removed") { try await world.canaryStore() == nil }
            try await world.eventually("no cover stays") { try await world.covers().isEmpty }
            try await world.expectNoCanary()
            try await world.agentFollowsShields()
            #expect(try await world.checkEnforcement().state == .enforcing)
        }
    }
}
