import CPosix
import Glibc
package import Loop
package import Units

/// One run of a program: its output, collected until it ends. Its watches keep it alive until then.
@LoopActor package final class ChildRun {
    /// How it ended.
    package struct Outcome {
        package enum End: Equatable {
            /// It ended by itself.
            case status(Int32)
            /// Its time was over, or nobody waits for it any more.
            case stopped
            /// It printed more than is kept.
            case tooLong
            /// It could not be started.
            case notStarted(code: Int32)
        }
        package var end: End
        package var output: [UInt8] = []
        package var errors: [UInt8] = []
    }

    private let pid: pid_t
    private let outputBytesMax: Int
    /// What it has not read yet of its input.
    private var input: ArraySlice<UInt8>
    private var writing: (descriptor: Int32, token: Reactor.Token)?
    private let exitDescriptor: Int32
    private let pipes: [Int32]
    private var outcome = Outcome(end: .stopped)
    private var isStopped = false
    private var watches: [Reactor.Token] = []
    private var deadline: TimerToken?
    private let end: Once<Outcome>
    private var hasEnded = false

    /// Starts `words[0]`, a path, without a shell, in a group of its own.
    /// - Parameters:
    ///   - input: what it can read; after that its input ends.
    ///   - outputBytesMax: bytes of output and errors together.
    ///   - time: after which it is stopped.
    ///   - end: called once, later.
    /// - Returns: nil if it could not be started; `end` is called in any case.
    package init?(
        _ words: [String], environment: [String: String], input: [UInt8] = [], outputBytesMax: Int,
        time: Milliseconds, end: @escaping @LoopActor (Outcome) -> Void
    ) {
        self.end = Once(end)
        self.outputBytesMax = outputBytesMax
        self.input = input[...]
        var given: [Int32] = [-1, -1]
        var (output, errors): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        let hasPipes = Self.open(&output, 0) && Self.open(&errors, 0) && Self.open(&given, 1)
        let (child, failure) = hasPipes
            ? Self.spawn(words, environment, [given[0], output[1], errors[1]]) : (-1, errno)
        for descriptor in [given[0], output[1], errors[1]] where descriptor >= 0 { close(descriptor) }
        let exit = failure == 0 ? pidfd_open(child, 0) : -1
        let code = failure == 0 ? errno : failure
        pid = child
        exitDescriptor = exit
        pipes = [output[0], errors[0]]
        guard exit >= 0 else {
            if failure == 0 {
                kill(child, SIGKILL)
                waitpid(child, nil, 0)
            }
            for descriptor in pipes + [given[1]] where descriptor >= 0 { close(descriptor) }
            let end = self.end
            EventLoop.main.inNextTurn { end.call(Outcome(end: .notStarted(code: code))) }
            return nil
        }
        watches = pipes.map { descriptor in
            Reactor.shared.watch(descriptor: descriptor) { [self] in read() }
        }
        watches.append(Reactor.shared.watch(descriptor: exit) { [self] in exited() })
        write(to: given[1])
        deadline = EventLoop.main.after(time) { [weak self] in self?.stop() }
    }

    /// Writes what the pipe takes, and the rest when it takes more.
    private func write(to descriptor: Int32) {
        while !input.isEmpty {
            let count = input.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                input = input.dropFirst(count)
            } else if count < 0, errno == EAGAIN {
                guard writing == nil else { return }
                let token = Reactor.shared.watch(descriptor: descriptor, readable: false, writable: true) {
                    [self] in write(to: descriptor)
                }
                writing = (descriptor, token)
                return
            } else {
                // It reads no more, which its end explains.
                break
            }
        }
        if let writing { Reactor.shared.forget(writing.token) }
        writing = nil
        close(descriptor)
    }

    /// Ends it, and what it started.
    package func stop() {
        guard !hasEnded, !isStopped else { return }
        isStopped = true
        // Not reaped before `exited`, so that the id is still the child's, and that of its group.
        kill(-pid, SIGKILL)
    }

    /// A pipe that no other child gets, and of which our end, 0 or 1, does not wait.
    private static func open(_ pipe: inout [Int32], _ ours: Int) -> Bool {
        guard Glibc.pipe(&pipe) == 0 else { return false }
        for descriptor in pipe { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return fcntl(pipe[ours], F_SETFL, O_NONBLOCK) == 0
    }

    private static func spawn(
        _ words: [String], _ environment: [String: String], _ standard: [Int32]
    ) -> (pid: pid_t, failure: Int32) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in standard.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, ignored) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&ignored)
        for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&ignored, signal) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &ignored)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))
        let argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var child: pid_t = 0
        let failure = posix_spawn(&child, words[0], &actions, &attributes, argv, envp)
        return (child, failure)
    }

    private func read() {
        take(pipes[0], &outcome.output)
        take(pipes[1], &outcome.errors)
        guard outcome.output.count + outcome.errors.count > outputBytesMax else { return }
        stop()
        outcome.end = .tooLong
    }

    /// Takes what is there.
    private func take(_ descriptor: Int32, _ bytes: inout [UInt8]) {
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= outputBytesMax {
            let count = Glibc.read(descriptor, &part, part.count)
            guard count > 0 else {
                if count == 0 { forget(descriptor) }
                return
            }
            bytes += part[..<count]
        }
    }

    /// A pipe that was closed would signal that without end.
    private func forget(_ descriptor: Int32) {
        guard let index = pipes.firstIndex(of: descriptor), watches.count > index else { return }
        Reactor.shared.forget(watches[index])
    }

    private func exited() {
        read()
        hasEnded = true
        watches.forEach { Reactor.shared.forget($0) }
        watches = []
        input = []
        if let writing { write(to: writing.descriptor) }
        if let deadline { EventLoop.main.cancel(deadline) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        for descriptor in pipes + [exitDescriptor] { close(descriptor) }
        if !isStopped {
            outcome.end = .status(status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F))
        }
        end.call(outcome)
    }
}
