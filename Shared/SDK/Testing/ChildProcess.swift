internal import CPosix
import Glibc
package import Loop
package import Units

/// A program that a test started. Its standard output and error go to files and are watched for lines.
@LoopActor package final class ChildProcess {
    package let name: String
    package let pid: Int32
    /// Lines of standard output so far.
    package private(set) var lines: [String] = []
    /// Exit status as in a shell (128 + signal); nil while it runs.
    package private(set) var status: Int32?

    private let output: Int32
    private let exitDescriptor: Int32
    private var outputToken: Reactor.Token?
    private var exitToken: Reactor.Token?
    private var rest: [UInt8] = []
    private var watchers: [@LoopActor (ChildProcess) -> Void] = []

    /// Starts `arguments[0]`, a path. The kernel ends it when the test process dies (PR_SET_PDEATHSIG).
    /// - Parameter errorPath: where standard error goes.
    package init(
        _ name: String, _ arguments: [String], environment: [String: String], errorPath: String
    ) throws {
        self.name = name
        var pipe: [Int32] = [0, 0]
        guard Glibc.pipe(&pipe) == 0 else { throw Overdue("pipe: errno \(errno)") }
        pipe.forEach { _ = fcntl($0, F_SETFD, FD_CLOEXEC) }
        output = pipe[0]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, pipe[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, errorPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let words = ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--"] + arguments
        let argv = words.map { strdup($0) } + [nil]
        let envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var child: pid_t = 0
        let failure = posix_spawn(&child, words[0], &actions, &attributes, argv, envp)
        close(pipe[1])
        guard failure == 0 else { throw Overdue("starting \(arguments[0]): errno \(failure)") }
        pid = child
        exitDescriptor = pidfd_open(child, 0)
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
        outputToken = Reactor.shared.watch(descriptor: output) { [weak self] in self?.takeOutput() }
        exitToken = Reactor.shared.watch(descriptor: exitDescriptor) { [weak self] in self?.takeExit() }
    }

    private func takeOutput() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(output, &buffer, buffer.count)
        if count <= 0 {
            if count == 0, let token = outputToken {
                Reactor.shared.forget(token)
                outputToken = nil
                close(output)
                if !rest.isEmpty { lines.append(String(decoding: rest, as: UTF8.self)) }
                rest = []
            }
        } else {
            rest += buffer[..<count]
            while let end = rest.firstIndex(of: 10) {
                lines.append(String(decoding: rest[..<end], as: UTF8.self))
                rest.removeSubrange(...end)
            }
        }
        notify()
    }

    private func takeExit() {
        var raw: Int32 = 0
        guard waitpid(pid, &raw, WNOHANG) == pid else { return }
        if let exitToken { Reactor.shared.forget(exitToken) }
        close(exitDescriptor)
        while outputToken != nil {
            let before = lines.count + rest.count
            takeOutput()
            if before == lines.count + rest.count { break }
        }
        status = raw & 0x7f == 0 ? (raw >> 8) & 0xff : 128 + (raw & 0x7f)
        notify()
    }

    private func notify() {
        let watchers = watchers
        self.watchers = []
        watchers.forEach { $0(self) }
    }

    /// Suspends until `condition` returns a value; it is evaluated at each line and at the end of the
    /// process.
    package func wait<Value: Sendable>(
        for what: String, deadline: Milliseconds = 180_000,
        _ condition: @escaping @LoopActor (ChildProcess) -> Value?
    ) async throws -> Value {
        let expectation = Expectation<Value>(
            "\(self.name): \(what); lines: \(self.lines.suffix(5)), "
                + "status: \(self.status.map(String.init) ?? "runs")"
        )
        @LoopActor func judge(_ process: ChildProcess) {
            if let value = condition(process) { return expectation.fulfil(value) }
            if let status = process.status {
                return expectation.fail(Overdue("\(process.name) ended with \(status) before: \(what)"))
            }
            process.watchers.append(judge)
        }
        judge(self)
        return try await expectation.wait(deadline: deadline)
    }

    package func line(_ prefix: String, deadline: Milliseconds = 180_000) async throws -> String {
        try await wait(for: "a line '\(prefix)'", deadline: deadline) { process in
            process.lines.first { $0.hasPrefix(prefix) }
        }
    }

    package func exit(deadline: Milliseconds = 180_000) async throws -> Int32 {
        try await wait(for: "the end", deadline: deadline) { $0.status }
    }

    package func signal(_ number: Int32) { if status == nil { kill(pid, number) } }

    /// Stops it with SIGTERM and waits for its end.
    @discardableResult
    package func stop() async throws -> Int32 {
        signal(SIGCONT)
        signal(SIGTERM)
        return try await exit()
    }

    /// Kills it with SIGKILL and waits for its end.
    package func destroy() async throws {
        signal(SIGKILL)
        _ = try await exit()
    }
}
