import Contract
import CPosix
import Glibc
import Synchronization

/// A new connection to a host.
package struct LinkSocket: Sendable {
    /// What the end of the stream causes.
    package enum Lifetime: Sendable {
        /// The host has closed the stream: this process exits.
        case ofProcess
        /// The helper program with this pid ended: the next call starts another one.
        case ofCommand(Int32)
        /// The test handles it.
        case ofTest
    }

    /// The connected socket; the owner of this value closes it.
    package var descriptor: Int32
    /// Descriptor of the journal of callbacks that returned; -1 if there is none.
    package var journal: Int32
    /// What the end of the stream causes.
    package var lifetime: Lifetime

    package init(descriptor: Int32, journal: Int32 = -1, lifetime: Lifetime) {
        self.descriptor = descriptor
        self.journal = journal
        self.lifetime = lifetime
    }

    /// Whether a host started this program.
    package static var isInherited: Bool { number(Wire.descriptorKey) != nil }

    /// The inherited socket, or else a new `app-link`.
    static func standard() throws(ServiceError) -> LinkSocket {
        guard let descriptor = number(Wire.descriptorKey) else { return try AppLinkProgram.start() }
        guard closeOnExec(descriptor) else {
            throw ServiceError(
                .unavailable, "descriptor \(descriptor) of \(Wire.descriptorKey) is not open",
                remedy: "Start the program without this key, or by its host.")
        }
        let journal = number(Wire.journalKey) ?? -1
        return LinkSocket(
            descriptor: descriptor, journal: journal >= 0 && closeOnExec(journal) ? journal : -1,
            lifetime: .ofProcess)
    }

    private static func number(_ key: String) -> Int32? { getenv(key).flatMap { Int32(String(cString: $0)) } }

    /// Prevents processes that the program starts from inheriting the connection. False if the descriptor is
    /// not open.
    private static func closeOnExec(_ descriptor: Int32) -> Bool {
        fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    }
}

/// The helper executable that connects an app to the bus.
enum AppLinkProgram {
    static let name = "app-link"
    /// Descriptor of the socket in it.
    static let socketNumber: Int32 = 3
    /// Environment variable with the directory of the system's executables, if they are not where they were
    /// installed.
    static let directoryKey = "SCREENTIME_BIN_DIR"

    /// Bundle id that the program set; app-link has other ways to determine one.
    static let identity = Mutex<String?>(nil)

    /// Starts `app-link`.
    /// - Throws: `unavailable` with all directories that were searched.
    static func start() throws(ServiceError) -> LinkSocket {
        let path = try find()
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw failed("making a socket pair", errno) }
        defer { close(pair[1]) }
        do throws(ServiceError) {
            return LinkSocket(
                descriptor: pair[0], lifetime: .ofCommand(try spawn(path, pair[1])))
        } catch {
            close(pair[0])
            throw error
        }
    }

    private static func find() throws(ServiceError) -> String {
        var places: [String] = []
        if let directory = getenv(directoryKey) { places.append(String(cString: directory)) }
        var link = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &link, link.count)
        let program = String(
            decoding: link.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
        places += [folder, folder + "/../lib/screentime"]
        places += getenv("PATH").map { String(cString: $0).split(separator: ":").map(String.init) } ?? []
        if let found = places.first(where: { access("\($0)/\(name)", X_OK) == 0 }) {
            return "\(found)/\(name)"
        }
        throw ServiceError(
            .unavailable, "\(name) is in none of \(places.joined(separator: ", "))",
            remedy: "Set \(directoryKey) to the directory of the system's executables.")
    }

    private static func spawn(_ path: String, _ socket: Int32) throws(ServiceError) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Duplicating a descriptor onto itself would keep the close-on-exec flag in older systems. That
        // happens only if the program closed its standard descriptors.
        posix_spawn_file_actions_adddup2(&actions, socket, socketNumber)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // A separate process group: signals of a terminal to the app do not end it before the app has ended.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        var words = [path, "--socket", "\(socketNumber)"]
        if let client = identity.withLock({ $0 }) { words += ["--client", client] }
        let argv = words.map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        var pid: pid_t = 0
        let failure = posix_spawn(&pid, path, &actions, &attributes, argv, environ)
        guard failure == 0 else { throw failed("starting '\(path)'", failure) }
        return pid
    }

    private static func failed(_ what: String, _ code: Int32) -> ServiceError {
        ServiceError(
            .unavailable, "\(what) failed: \(String(cString: strerror(code)))",
            remedy: "See `screentime doctor`.")
    }
}

extension Link {
    /// Sets the bundle id of a program without an Info.plist beside it; call it before the first call.
    package static func identify(_ client: String) { AppLinkProgram.identity.withLock { $0 = client } }
}
