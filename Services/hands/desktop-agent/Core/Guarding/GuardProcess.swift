import Bus
import Contract
import CPosix
import Glibc
import ServiceKit
import Time

/// The agent's second process, a program of its own name, so that ending all agents leaves it. It knows what
/// is frozen, and when the agent dies without a word it thaws all of it: a killed agent must leave nobody
/// standing still. It sleeps in one read and owns nothing else.
///
/// It reads lines: `hold PID START`, `free PID START`, `bye`. The end of the pipe without `bye` is the
/// agent's death. Only that, or SIGKILL, ends it.
package enum GuardProcess {
    /// The name of the program, beside the agent's.
    package static let program = ProgramName.desktopGuard

    /// Runs until the pipe on standard input ends.
    package static func run() -> Never {
        // Whoever ends a session or a unit signals all of its processes; the guard must outlive the agent.
        SignalDescriptor.block([SIGTERM, SIGINT, SIGHUP, SIGQUIT])
        // The environment is the agent's own, which it has checked.
        let configuration = try? Configuration(environment: Configuration.processEnvironment)
        // Each guard holds it with others until its end, so that `--stop` can wait for all of them.
        let path = configuration?.keptLockPath(of: program)
        let lock = path.map { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        if let lock, lock >= 0 { flock(lock, LOCK_SH) }
        var state = GuardState()
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            state.take(buffer[..<count])
        }
        if !state.isDismissed {
            // Where the agent lived by a virtual clock, it died by it, too; a clock that cannot be read any
            // more leaves the machine's.
            if let configuration { WallTime.follow(clockOf: configuration.stateDirectory) }
            let note = DeathNote.now().text
            Thawing.release(state.held)
            if let configuration { write(note, to: notePath(in: configuration.runtime)) }
        }
        exit(0)
    }

    /// Where the agent's death is written down for its successor.
    static func notePath(in runtime: RuntimeDirectory) -> String {
        "\(runtime.path)/\(Hand.desktopAgent).died"
    }

    private static func write(_ text: String, to path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        // The note is a courtesy: without it the use ends a little later.
        guard descriptor >= 0 else { return }
        _ = Glibc.write(descriptor, text, text.utf8.count)
        close(descriptor)
    }
}

/// What the guard has been told.
struct GuardState {
    private(set) var held: [ProcessIdentity] = []
    private(set) var isDismissed = false
    private var rest: [UInt8] = []

    /// Takes bytes as they come; lines may be cut anywhere.
    mutating func take(_ bytes: some Sequence<UInt8>) {
        rest += bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            takeLine(String(decoding: rest[..<end], as: UTF8.self))
            rest.removeSubrange(...end)
        }
    }

    private mutating func takeLine(_ line: String) {
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

/// Thawing without a plan: what somebody recorded.
enum Thawing {
    struct Outcome: Equatable {
        /// They were still there, and go on.
        var thawed: [ProcessIdentity] = []
        /// The kernel does not let us: another user's by now, or in a group that is not ours.
        var refused: [ProcessIdentity] = []
    }

    /// Lets all go on, the last stopped first, and thaws the app scopes they are in.
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
