import Bus
import Contract
import CPosix
import Glibc
import ServiceKit
import Time

/// The agent's second process. It has its own program name, so that killing all agents by name leaves it
/// running. It knows what is frozen, and thaws everything if the agent dies without dismissing it: a killed
/// agent must leave nothing frozen. Then it starts the agent again. It blocks in one read and owns nothing
/// else.
///
/// It reads lines: `hold PID START`, `free PID START`, `bye`. The end of the pipe without `bye` means that
/// the agent died. Only that, or SIGKILL, ends it.
package enum GuardProcess {
    /// Name of the program, which is installed beside the agent's.
    package static let program = ProgramName.desktopGuard

    /// Runs until the pipe on standard input ends. Whoever starts it by hand is told so, with exit code
    /// 78: the end of that input would be noted as the death of an agent.
    package static func run() -> Never {
        guard isInputOfAgent else {
            ServiceMain.fail(
                program,
                ServiceError(
                    .invalidArgument, "only desktop-agent starts it", remedy: "Start desktop-agent instead."))
        }
        // Ending a session or a unit signals all its processes; the guard must outlive the agent.
        SignalDescriptor.block([SIGTERM, SIGINT, SIGHUP, SIGQUIT])
        // The environment is the agent's, which validated it.
        let configuration = try? Configuration(environment: Configuration.processEnvironment)
        // Each guard holds it shared until it exits, so that `--stop` can wait for all of them.
        let path = configuration?.keptLockPath(of: program)
        let lock = path.map { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        if let lock, lock >= 0 { flock(lock, LOCK_SH) }
        let began = MonotonicClock.now
        var state = GuardState()
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            state.receive(buffer[..<count])
        }
        if !state.isDismissed {
            // If the agent used a virtual clock, its death has a time on that clock. A clock that cannot be
            // read any more is replaced by the machine's.
            if let configuration { WallTime.follow(clockOf: configuration.stateDirectory) }
            let note = DeathRecord.now().text
            Thawing.release(state.held)
            if let configuration { write(note, to: notePath(in: configuration.runtime)) }
            AgentRestart.run(lived: MonotonicClock.now - began)
        }
        exit(0)
    }

    /// The agent gives a pipe, also when it dies at that moment.
    private static var isInputOfAgent: Bool {
        var input = stat()
        return fstat(STDIN_FILENO, &input) == 0 && input.st_mode & S_IFMT == S_IFIFO
    }

    /// The file in which the time of the agent's death is recorded for its successor.
    static func notePath(in runtime: RuntimeDirectory) -> String {
        "\(runtime.path)/\(AgentName.desktopAgent).died"
    }

    private static func write(_ text: String, to path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        // The note is optional: without it the use ends a little later.
        guard descriptor >= 0 else { return }
        _ = Glibc.write(descriptor, text, text.utf8.count)
        close(descriptor)
    }
}

/// The guard's state, from the lines it received.
struct GuardState {
    private(set) var held: [ProcessIdentity] = []
    private(set) var isDismissed = false
    private var rest: [UInt8] = []

    /// Handles bytes as they arrive; lines may be split anywhere.
    mutating func receive(_ bytes: some Sequence<UInt8>) {
        rest += bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            receiveLine(String(decoding: rest[..<end], as: UTF8.self))
            rest.removeSubrange(...end)
        }
    }

    private mutating func receiveLine(_ line: String) {
        let words = line.split(separator: " ")
        if words.first == "bye" { isDismissed = true }
        guard words.count == 3, let pid = Int32(words[1]), let start = UInt64(words[2]) else { return }
        let identity = ProcessIdentity(pid: pid, startTime_ticks: start)
        held.removeAll { $0 == identity }
        if words[0] == "hold" { held.append(identity) }
    }

    static func line(_ word: String, _ identity: ProcessIdentity) -> String {
        "\(word) \(identity.pid) \(identity.startTime_ticks)\n"
    }
}

/// Thaws processes that were recorded, without a freeze outcome.
enum Thawing {
    struct Outcome: Equatable {
        /// Processes that still existed and continue.
        var thawed: [ProcessIdentity] = []
        /// Processes that the kernel refused to continue: another user's, or in a group that is not ours.
        var refused: [ProcessIdentity] = []
    }

    /// Continues all processes, the last stopped first, and thaws their app scopes.
    @discardableResult
    static func release(_ held: [ProcessIdentity], in cgroups: CgroupTree = CgroupTree()) -> Outcome {
        var outcome = Outcome()
        var groups: [String: [ProcessIdentity]] = [:]
        for identity in held.reversed() {
            switch ProcessHandle.send(SIGCONT, to: identity) {
            case .delivered: outcome.thawed.append(identity)
            case .gone: continue
            case .refused: outcome.refused.append(identity)
            }
            if let group = cgroups.group(of: identity.pid), CgroupTree.isAppScope(group) {
                groups[group, default: []].append(identity)
            }
        }
        for (group, inside) in groups where cgroups.isFrozen(group) {
            guard !cgroups.setFrozen(false, group, within: Freezer.settle) else { continue }
            outcome.thawed.removeAll(where: inside.contains)
            outcome.refused += inside.filter { !outcome.refused.contains($0) }
        }
        return outcome
    }
}
