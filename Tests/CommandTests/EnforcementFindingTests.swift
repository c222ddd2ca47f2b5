import Contract
import Testing
import Units

@testable import CommandCore

/// What `doctor` says of the checks that agents recorded.
@Suite struct EnforcementFindingTests {
    private static let now: Instant = 1_800_000_000_000

    private func result(_ agent: String, ago: Milliseconds, _ reason: String? = nil) -> EnforcementResult {
        EnforcementResult(
            agent: agent, state: reason == nil ? .enforcing : .notEnforcing, reason: reason,
            checked: Self.now - ago, since: Self.now - ago)
    }

    @Test func eachAgentThatCheckedLatelyHasAFinding() {
        let findings = EnforcementChecks.findings(
            [
                result("a/:1", ago: .minute), result("a/:0", ago: .hours(3), "no cover appeared"),
                result("a/:2", ago: .hours(49), "of rain"),
            ], now: Self.now)
        #expect(findings.map(\.state) == [.ok, .error])
        #expect(findings.last?.message.contains("because no cover appeared (seen on a/:0") == true)
    }

    @Test func whatWasSeenLongAgoIsNoProof() {
        let findings = EnforcementChecks.findings(
            [result("a/:0", ago: .hours(48)), result("a/:1", ago: .hours(90))], now: Self.now)
        #expect(findings.map(\.state) == [.warning])
        #expect(findings.first?.message.contains("was last seen on a/:0") == true)
        #expect(EnforcementChecks.findings([], now: Self.now).isEmpty)
    }

    @Test func withoutAnAgentNothingActs() {
        let frozen = Freeze(app: "chess", processes: [FrozenProcess()])
        let findings = EnforcementChecks.unwatched([result("a/:0", ago: .minute)], [])
        #expect(findings.map(\.state) == [.warning])
        #expect(findings.first?.message.contains("no limit acts while no desktop-agent runs") == true)
        let left = EnforcementChecks.unwatched([], [frozen, Freeze(app: "go")])
        #expect(left.map(\.state) == [.error])
        #expect(left.first?.message.contains("may stand still: chess") == true)
        #expect(left.first?.remedy.contains("--thaw") == true)
    }
}
