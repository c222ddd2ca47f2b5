import Bus
import CommandKit
import Contract
import Loop
import Time
import Units

/// Whether a limit acts on this desktop.
enum EnforcementChecks {
    private static let check = "enforcement"
    /// Milliseconds that all steps may take together.
    private static let deadline: Milliseconds = 120_000
    /// How long the agent may take to say anything.
    private static let answer: Milliseconds = 2_000

    /// What the last check showed. None where shield-service is down or no agent runs: that is a finding
    /// already.
    @LoopActor static func last(_ session: Session) async -> [Finding] {
        guard session.somebodyListens(at: .shield), session.somebodyListens(at: AgentName.desktopAgent)
        else { return [] }
        do throws(ServiceError) {
            let results = try await session.call(
                EnforcementList.self, EnforcementList.Params(), deadline: 1_000
            ).results
            return findings(results, now: WallTime.now)
        } catch {
            return [.warning(check, "whether limits act is not known: \(error.message)", error.remedy)]
        }
    }

    /// Of each agent that checked lately; if none did, when one did last.
    static func findings(_ results: [EnforcementResult], now: Instant) -> [Finding] {
        let recent = results.filter { AbsentAgent.isRecent($0.checked, now: now) }
        guard recent.isEmpty, let last = results.first else { return recent.map(finding) }
        return [
            .warning(
                check, "whether limits act was last seen on \(last.agent) at \(LocalTime.text(last.checked))",
                "Say `screentime doctor --enforcement` in the desktop session.")
        ]
    }

    private static func finding(_ result: EnforcementResult) -> Finding {
        let when = "seen on \(result.agent) at \(LocalTime.text(result.checked))"
        guard result.state == .notEnforcing else { return .ok(check, "limits act (\(when))") }
        return .error(
            check, "limits do not act, because \(result.reason ?? "of an unknown reason") (\(when))",
            "Repair that, then say `screentime doctor --enforcement`.")
    }

    /// Checks now, and reports each step.
    @LoopActor static func run(_ session: Session) async -> [Finding] {
        guard session.somebodyListens(at: AgentName.desktopAgent) else { return [nobody()] }
        do throws(ServiceError) {
            // One that is stopped would say nothing for as long as all steps may take.
            _ = try await session.client(named: AgentName.desktopAgent).call(
                HealthCheck.self, Nothing(), options: CallOptions(deadline: answer))
        } catch {
            return [
                .error(
                    check, "not enforcing, because the desktop-agent does not answer",
                    "It may be stopped or busy; see `screentime status`.")
            ]
        }
        do throws(ServiceError) {
            let result = try await session.client(named: AgentName.desktopAgent).call(
                EnforcementCheck.self, Nothing(), options: CallOptions(deadline: deadline))
            var findings = result.steps.map(finding)
            if !result.recorded {
                findings.append(
                    .error(
                        check, "shield-service does not have the result yet",
                        "Nothing to do: the desktop-agent sends it when shield-service answers."))
            }
            return findings
        } catch {
            return [.error(check, "not enforcing, because \(error.message)", error.remedy)]
        }
    }

    private static func finding(_ report: EnforcementStepReport) -> Finding {
        let name = "\(check), \(report.step.rawValue)"
        guard let problem = report.problem else {
            return .ok(name, "\(meaning(of: report.step)) (\(report.took.count) ms)")
        }
        return .error(name, "not enforcing, because \(problem)", "See `screentime logs desktop-agent`.")
    }

    private static func meaning(of step: EnforcementStep) -> String {
        switch step {
        case .desktop: "shields can act on this desktop"
        case .window: "a program of screentime's own has opened a window that nobody sees"
        case .limit: "a limit for it is stored"
        case .cover: "its window is covered"
        case .freeze: "its process stands still"
        case .removal: "the limit is removed"
        case .thaw: "its process runs again"
        case .uncover: "its window is not covered any more"
        case .end: "it has ended"
        }
    }

    private static func nobody() -> Finding {
        let isWayland = MachineChecks.value("WAYLAND_DISPLAY") != nil && MachineChecks.value("DISPLAY") == nil
        let why =
            isWayland
            ? "this is a Wayland session, where apps are not shielded yet" : "the desktop-agent does not run"
        return .error(
            check, "not enforcing, because \(why)",
            isWayland ? "Use an X11 session." : "Start it in the desktop session with scripts/run-all.sh.")
    }
}
