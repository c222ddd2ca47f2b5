internal import CPosix
import Contract
import ExtensionLink
import Glibc

/// Starts an extension's program: a clean environment, its own process group, its own log, the two
/// descriptors of ``Wire`` and nothing else of ours. It dies with us (PR_SET_PDEATHSIG, set by setpriv(1) of
/// util-linux) and gains no privileges. Confinement of files and network is not there yet.
struct SpawnedProgram {
    let pid: Int32
    /// Our end of the socket, non-blocking.
    let socket: Int32
    /// Readable when the process ended (pidfd_open(2)).
    let exitDescriptor: Int32

    private static let launcher = "/usr/bin/setpriv"
    /// Where the two descriptors are in the program.
    private static let (socketNumber, journalNumber): (Int32, Int32) = (3, 4)

    /// - Parameter clock: entries of the environment that give it another clock than the machine's.
    /// - Throws: `unavailable` with what was tried.
    init(
        _ program: ExtensionRecord, journal: String, log: String, clock: [String]
    ) throws(ServiceError) {
        guard access(Self.launcher, X_OK) == 0 else {
            throw ServiceError(
                .unavailable, "\(Self.launcher) is missing", remedy: "Install the package util-linux.")
        }
        let journalDescriptor = try Self.high(
            open(journal, O_RDWR | O_CREAT | O_CLOEXEC, 0o600), "opening '\(journal)'")
        defer { close(journalDescriptor) }
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw Self.failed("making a socket pair") }
        let theirs: Int32
        do { theirs = try Self.high(pair[1], "moving a descriptor") } catch {
            close(pair[0])
            throw error
        }
        defer { close(theirs) }
        do {
            pid = try Self.spawn(program, theirs, journalDescriptor, log, Self.environment + clock)
        } catch {
            close(pair[0])
            throw error
        }
        socket = pair[0]
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        exitDescriptor = pidfd_open(pid, 0)
        // The child is ours and not reaped, so only a lack of descriptors can prevent it.
        guard exitDescriptor >= 0 else {
            let error = Self.failed("watching a process")
            kill(-pid, SIGKILL)
            waitpid(pid, nil, 0)
            close(socket)
            throw error
        }
    }

    private static func spawn(
        _ program: ExtensionRecord, _ socket: Int32, _ journal: Int32, _ log: String,
        _ environment: [String]
    ) throws(ServiceError) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        posix_spawn_file_actions_adddup2(&actions, socket, socketNumber)
        posix_spawn_file_actions_adddup2(&actions, journal, journalNumber)
        posix_spawn_file_actions_addchdir_np(&actions, program.path)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        let words = [launcher, "--pdeathsig", "KILL", "--no-new-privs", "--", program.executable]
        let argv = words.map { strdup($0) } + [nil]
        let envp = environment.map { strdup($0) } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var child: pid_t = 0
        let failure = posix_spawn(&child, launcher, &actions, &attributes, argv, envp)
        guard failure == 0 else {
            errno = failure
            throw failed("starting '\(program.executable)'")
        }
        return child
    }

    private static var environment: [String] {
        var entries = [
            "PATH=/usr/local/bin:/usr/bin:/bin", "\(Wire.descriptorKey)=\(socketNumber)",
            "\(Wire.journalKey)=\(journalNumber)",
        ]
        for key in ["TZ", "LANG", "LC_ALL"] {
            if let value = getenv(key) { entries.append("\(key)=\(String(cString: value))") }
        }
        return entries
    }

    /// The descriptor, moved above those that the program gets, so that one cannot overwrite the other.
    private static func high(_ descriptor: Int32, _ what: String) throws(ServiceError) -> Int32 {
        guard descriptor >= 0 else { throw failed(what) }
        let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
        let error = failed(what)
        close(descriptor)
        guard moved >= 0 else { throw error }
        return moved
    }

    private static func failed(_ what: String) -> ServiceError {
        ServiceError(
            .unavailable, "\(what) failed: \(String(cString: strerror(errno)))",
            remedy: "See monitor-runner's log and `extension.list`.")
    }
}
