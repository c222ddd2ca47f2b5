import CommandKit
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

    @Test func withoutAnAgentNothingActsWhereOneWasLately() {
        func finding(_ agent: AbsentAgent) -> Finding {
            ServiceChecks.absent("desktop-agent", agent, now: Self.now)
        }
        #expect(finding(AbsentAgent()).state == .warning)
        #expect(finding(AbsentAgent(checks: [Self.now - .hours(48)])).state == .warning)
        let missed = finding(AbsentAgent(checks: [Self.now - .hours(48) + 1]))
        #expect(missed.state == .error && missed.message.contains("no limit acts here"))
        let left = finding(AbsentAgent(stopped: ["chess", "go"]))
        #expect(left.state == .error && left.message.contains("may stand still: chess, go"))
        #expect(left.remedy.contains("--thaw"))
    }

    /// The clock was ahead when it was dated.
    @Test func aCheckOfTheFutureIsNoRecentOne() {
        let ahead = Self.now + .hours(240)
        #expect(AbsentAgent(checks: [ahead]).failure(now: Self.now) == nil)
        let known = AbsentAgent(checks: [Self.now - .hour, ahead]).failure(now: Self.now)
        #expect(known?.hasSuffix(LocalTime.text(Self.now - .hour)) == true, "\(known ?? "")")
        let findings = EnforcementChecks.findings([result("a/:0", ago: .hours(-240))], now: Self.now)
        #expect(findings.map(\.state) == [.warning])
    }
}
