import Bus
import CommandKit
import Contract
import Loop
import ServiceKit
import Units

/// What it means that no desktop-agent runs. `status` and `doctor` judge by this one rule: where an agent
/// checked lately, or left apps standing still, limits fail without one. A machine that has no desktop, or
/// had none lately, needs none. The agent's lock tells nothing: also one that finds no display takes it.
struct AbsentAgent {
    /// Apps that an agent recorded as stopped, sorted; they may stand still.
    var stopped: [String] = []
    /// When agents last recorded a check here.
    var checks: [Instant] = []

    /// An agent checks once a day. What was seen before says nothing of today, nor does what a clock that was
    /// ahead has dated.
    static func isRecent(_ check: Instant, now: Instant) -> Bool {
        let age: Milliseconds = now - check
        return age >= 0 && age < .hours(48)
    }

    /// Why this is a failure, in words; nil: no agent is expected.
    func failure(now: Instant) -> String? {
        let apps = stopped.map { VisibleText.escaped($0) }.joined(separator: ", ")
        guard stopped.isEmpty else { return "it is not running, and these apps may stand still: \(apps)" }
        guard let last = checks.filter({ Self.isRecent($0, now: now) }).max() else { return nil }
        return "it is not running, so no limit acts here; one last checked at \(LocalTime.text(last))"
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
            return AbsentAgent(stopped: stopped(frozen.freezes), checks: checks.results.map(\.checked))
        } catch {
            return AbsentAgent()
        }
    }

    /// The apps of which a recorded process still lives, sorted. Whose record it is does not matter: the host
    /// may have been renamed.
    static func stopped(_ freezes: [Freeze]) -> [String] {
        let bootID = MachineClock.readBootID()
        return Set(
            freezes.filter { freeze in
                // Processes of another boot are gone; their pids may be reused.
                freeze.processes.contains { $0.bootID == bootID && isAlive($0) }
            }.map(\.app)
        ).sorted()
    }

    /// Whether the pid is still that of the recorded process, by proc(5), `/proc/PID/stat`.
    private static func isAlive(_ process: FrozenProcess) -> Bool {
        // A process that has ended has no such file.
        let stat = (try? Screentime.readFile("/proc/\(process.pid)/stat", bytesMax: 4_096)) ?? []
        // Its name, in parentheses, may have blanks and parentheses.
        guard let name = stat.lastIndex(of: UInt8(ascii: ")")) else { return false }
        let fields = stat[(name + 1)...].split(separator: UInt8(ascii: " ")).map {
            String(decoding: $0, as: UTF8.self)
        }
        let (state, threads, start) = (0, 17, 19)
        guard fields.count > start, fields[start] == String(process.startTime) else { return false }
        // One whose first thread has ended looks like a zombie, and runs.
        return fields[state] != "X" && (fields[state] != "Z" || Int(fields[threads]) ?? 0 > 1)
    }

    /// Milliseconds that shield-service may take.
    private static let answer: Milliseconds = 900
}
