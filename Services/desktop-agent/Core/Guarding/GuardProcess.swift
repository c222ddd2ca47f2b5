import Bus
import Glibc
import ServiceKit

/// The agent's second process. It knows what is frozen, and when the agent dies without a word it thaws all
/// of it: a killed agent must leave nobody standing still. It sleeps in one read and owns nothing else.
///
/// It reads lines: `hold PID START`, `free PID START`, `bye`. The end of the pipe without `bye` is the
/// agent's death.
package enum GuardProcess {
    package static let option = "--guard"

    /// Runs until the pipe on standard input ends.
    /// - Parameter notePath: where the agent's death is written down for its successor.
    package static func run(notePath: String) -> Never {
        var state = GuardState()
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            state.take(buffer[..<count])
        }
        if !state.isDismissed {
            lookAtTheClock()
            let note = DeathNote.now().text
            Thawing.release(state.held)
            write(note, to: notePath)
        }
        exit(0)
    }

    /// Where the agent lived by a virtual clock, it died by it, too. The environment is the agent's own,
    /// which it has checked; a clock that cannot be read any more leaves the machine's.
    private static func lookAtTheClock() {
        guard let configuration = try? Configuration(environment: Configuration.processEnvironment)
        else { return }
        WallTime.follow(clockOf: configuration.stateDirectory)
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
    /// Lets all go on, the last stopped first, and thaws the app scopes they are in.
    /// - Returns: those that were still there.
    @discardableResult
    static func release(_ held: [ProcessIdentity]) -> [ProcessIdentity] {
        let cgroups = CgroupTree()
        var released: [ProcessIdentity] = []
        var groups: Set<String> = []
        for identity in held.reversed() where ProcessHandle.send(SIGCONT, to: identity) == .delivered {
            released.append(identity)
            if let group = cgroups.group(of: identity.pid), CgroupTree.isAppScope(group) {
                groups.insert(group)
            }
        }
        for group in groups where cgroups.mayFreeze(group) {
            _ = cgroups.setFrozen(false, group, within: Freezer.settle_ms)
        }
        return released
    }
}
