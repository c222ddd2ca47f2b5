import Glibc
import Units

struct TestFailure: Error, CustomStringConvertible { let description: String }

/// One program that a test started, ended with it. Its words go to a file in the test's directory.
final class Child {
    let pid: pid_t
    private var isOver = false

    /// `write` is handed over as the child's descriptor 3.
    init(_ words: [String], environment: [String], log: String, output: Int32? = nil, write: Int32? = nil)
        throws
    {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, output ?? 2, 1)
        if let write { posix_spawn_file_actions_adddup2(&actions, write, 3) }
        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var pid: pid_t = 0
        let result = posix_spawnp(&pid, words[0], &actions, nil, &arguments, &variables)
        guard result == 0 else { throw TestFailure(description: "cannot start \(words[0]): errno \(result)") }
        self.pid = pid
    }

    func signal(_ number: Int32) { if !isOver { kill(pid, number) } }

    /// Ends it whatever state it is in, and returns when it is gone.
    func end() {
        guard !isOver else { return }
        isOver = true
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }

    /// The exit status, once it ended by itself.
    func wait() -> Int32 {
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        isOver = true
        return status
    }

    deinit { end() }
}

/// A pair of sockets used as a pipe: closed on exec from birth, so that no other test's child keeps an end
/// open.
final class Pipe {
    private var ends: [Int32] = [-1, -1]
    var reading: Int32 { ends[0] }
    var writing: Int32 { ends[1] }

    init() {
        let type = CInt(bitPattern: SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        precondition(socketpair(AF_UNIX, type, 0, &ends) == 0, "no descriptors left for a test")
    }

    func closeWriting() {
        close(ends[1])
        ends[1] = -1
    }

    /// All text up to and without the first line end, or to the end of file if `toEnd`.
    func read(toEnd: Bool = false, deadline: Milliseconds = 20_000) throws -> String {
        var bytes: [UInt8] = []
        let until = now() + deadline
        while true {
            var interest = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            guard poll(&interest, 1, Int32(max(0, until - now()).count)) > 0 else {
                throw TestFailure(description: "nothing came through the pipe; so far: \(bytes)")
            }
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = Glibc.read(reading, &chunk, chunk.count)
            if count > 0 { bytes += chunk[..<count] }
            if count <= 0 || (!toEnd && bytes.contains(10)) { break }
        }
        let line = toEnd ? bytes[...] : bytes.prefix { $0 != 10 }
        return String(decoding: line, as: UTF8.self)
    }

    deinit { for end in ends where end >= 0 { close(end) } }
}

func now() -> Milliseconds {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return .seconds(Int64(now.tv_sec)) + Milliseconds(now.tv_nsec / 1_000_000)
}

func environmentValue(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// True when every program is found in PATH.
func areInstalled(_ programs: String...) -> Bool {
    let folders = (environmentValue("PATH") ?? "").split(separator: ":")
    return programs.allSatisfy { name in folders.contains { access("\($0)/\(name)", X_OK) == 0 } }
}
