import Bus
import CommandKit
import Contract
import Loop
import Units

/// What it means that no desktop-agent runs. `status` and `doctor` judge by this one rule: where an agent
/// checked lately, or left apps standing still, limits fail without one. A machine that has no desktop, or
/// had none lately, needs none. The agent's lock tells nothing: also one that finds no display takes it.
struct AbsentAgent {
    /// Apps that an agent recorded as stopped, sorted; they may stand still.
    var stopped: [String] = []
    /// When an agent last recorded a check here; nil: never, as far as is known.
    var lastCheck: Instant?

    /// An agent checks once a day. What was seen before says nothing of today.
    static let isRecent: Milliseconds = .hours(48)

    /// Why this is a failure, in words; nil: no agent is expected.
    func failure(now: Instant) -> String? {
        let apps = stopped.map { VisibleText.escaped($0) }.joined(separator: ", ")
        guard stopped.isEmpty else { return "it is not running, and these apps may stand still: \(apps)" }
        guard let lastCheck, now - lastCheck < Self.isRecent else { return nil }
        return "it is not running, so no limit acts here; one last checked at \(LocalTime.text(lastCheck))"
    }

    /// What to do about the failure.
    var remedy: String {
        let start = "Start it in the desktop session with scripts/run-all.sh."
        return stopped.isEmpty ? start : "\(start) To let them run without it: desktop-agent --thaw"
    }

    /// What shield-service has recorded. One that does not answer is a failure of its own.
    @LoopActor static func found(_ session: Session) async -> AbsentAgent {
        guard session.somebodyListens(at: .shield) else { return AbsentAgent() }
        do throws(ServiceError) {
            let frozen = try await session.call(ShieldFrozen.self, ShieldFrozen.Params(), deadline: answer)
            let checks = try await session.call(
                EnforcementList.self, EnforcementList.Params(), deadline: answer)
            return AbsentAgent(
                stopped: Set(frozen.freezes.filter { !$0.processes.isEmpty }.map(\.app)).sorted(),
                lastCheck: checks.results.map(\.checked).max())
        } catch {
            return AbsentAgent()
        }
    }

    /// Milliseconds that shield-service may take.
    private static let answer: Milliseconds = 900
}
