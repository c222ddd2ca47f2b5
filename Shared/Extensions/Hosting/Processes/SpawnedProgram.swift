import Contract
internal import CPosix
import Glibc

/// A started extension process with the host's ends of its connections. The process is the outermost one
/// (bubblewrap, if used); it dies with the host (PR_SET_PDEATHSIG).
struct SpawnedProgram {
    let pid: Int32
    /// The host's end of the wire, non-blocking.
    let socket: Int32
    /// The host's end of the launcher's report, non-blocking, with the sender's process id.
    let report: Int32
    /// The program's output, non-blocking.
    let printed: Int32
    /// Readable when the process has ended (pidfd_open(2)).
    let exitDescriptor: Int32
    let isInBubblewrap: Bool

    /// - Parameter journal: remains the caller's; the program gets a copy.
    /// - Throws: `unavailable` with what was tried.
    init(_ order: LaunchOrder, journal: Int32?) throws(ServiceError) {
        var theirs: [Int32] = []
        var ours: [Int32] = []
        defer { theirs.forEach { close($0) } }
        func failed(_ what: String) -> ServiceError {
            let error = Self.failed(what)
            ours.forEach { close($0) }
            return error
        }
        guard let wire = Self.pair(SOCK_STREAM) else { throw failed("making a socket pair") }
        ours.append(wire.ours)
        theirs.append(wire.theirs)
        guard let report = Self.pair(SOCK_SEQPACKET) else { throw failed("making a socket pair") }
        ours.append(report.ours)
        theirs.append(report.theirs)
        var yes: Int32 = 1
        let length = socklen_t(MemoryLayout<Int32>.size)
        guard setsockopt(report.ours, SOL_SOCKET, SO_PASSCRED, &yes, length) == 0 else {
            throw failed("asking for the sender of a report")
        }
        guard let printed = Self.pipe() else { throw failed("making a pipe") }
        ours.append(printed.ours)
        theirs.append(printed.theirs)
        var inherited = [
            (wire.theirs, LaunchOrder.socketNumber), (report.theirs, LaunchOrder.reportNumber),
            (printed.theirs, 1), (printed.theirs, 2),
        ]
        if let journal {
            let copy = fcntl(journal, F_DUPFD_CLOEXEC, 10)
            guard copy >= 0 else { throw failed("copying a descriptor") }
            theirs.append(copy)
            inherited.append((copy, LaunchOrder.journalNumber))
        }
        guard let pid = Self.spawn(order.words, inherited) else { throw failed("starting \(order.words[0])") }
        // The child is not reaped, so only a lack of descriptors can cause a failure.
        let exitDescriptor = pidfd_open(pid, 0)
        guard exitDescriptor >= 0 else {
            let error = failed("watching a process")
            kill(-pid, SIGKILL)
            waitpid(pid, nil, 0)
            throw error
        }
        for descriptor in ours { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
        self.pid = pid
        socket = wire.ours
        self.report = report.ours
        self.printed = printed.ours
        self.exitDescriptor = exitDescriptor
        isInBubblewrap = order.isInBubblewrap
    }

    /// Nil on failure, with errno set.
    private static func spawn(_ words: [String], _ inherited: [(Int32, Int32)]) -> Int32? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (descriptor, number) in inherited {
            posix_spawn_file_actions_adddup2(&actions, descriptor, number)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var defaults = sigset_t()
        sigemptyset(&defaults)
        // Signals that services ignore.
        for number in [SIGPIPE, SIGXFSZ] { sigaddset(&defaults, number) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        // A separate session: no terminal to write to, and one number to kill the whole group. (glibc
        // declares POSIX_SPAWN_SETSID only with _GNU_SOURCE, which Swift's importer does not define.)
        let newSession: Int32 = 0x80
        posix_spawnattr_setflags(
            &attributes, Int16(Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | newSession))
        let argv = words.map { strdup($0) } + [nil]
        let envp = [strdup("PATH=/usr/bin:/bin"), nil]
        defer { (argv + envp).forEach { free($0) } }
        var child: pid_t = 0
        let failure = posix_spawn(&child, words[0], &actions, &attributes, argv, envp)
        errno = failure
        return failure == 0 ? child : nil
    }

    // MARK: descriptors

    /// Nil on failure, with errno set.
    private static func pair(_ kind: __socket_type) -> (ours: Int32, theirs: Int32)? {
        var ends: [Int32] = [-1, -1]
        let type = Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        return moved(ends[0], ends[1])
    }

    private static func pipe() -> (ours: Int32, theirs: Int32)? {
        guard let ends = pipeEnds() else { return nil }
        return moved(ends[0], ends[1])
    }

    private static func moved(_ ours: Int32, _ theirs: Int32) -> (ours: Int32, theirs: Int32)? {
        let high = high(theirs)
        guard high >= 0 else {
            let reason = errno
            close(ours)
            errno = reason
            return nil
        }
        return (ours, high)
    }

    /// The descriptor, moved above those of the program, so that none overwrites another.
    private static func high(_ descriptor: Int32) -> Int32 {
        guard descriptor >= 0 else { return -1 }
        let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
        let reason = errno
        close(descriptor)
        errno = reason
        return moved
    }

    private static func failed(_ what: String) -> ServiceError {
        ServiceError(
            .unavailable, "\(what) failed: \(String(cString: strerror(errno)))",
            remedy: "See the service's log and `screentime extension show`.")
    }
}
