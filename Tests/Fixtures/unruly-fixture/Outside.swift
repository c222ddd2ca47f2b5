import Glibc

/// What is no business of an extension.
enum Outside {
    static func fork(times: Int) {
        typealias Call = @convention(c) () -> Int32
        var made = 0
        // Swift does not import it, for good reasons.
        guard let symbol = dlsym(nil, "fork") else { return print("fork absent") }
        let call = unsafeBitCast(symbol, to: Call.self)
        for _ in 0..<times {
            let pid = call()
            if pid == 0 { while true { pause() } }
            if pid > 0 { made += 1 }
        }
        tell("fork", made == 0)
        var pid: pid_t = 0
        let failure = posix_spawn(&pid, "/bin/true", nil, nil, [nil], [nil])
        errno = failure
        tell("spawn", failure != 0)
    }

    static func network() {
        let kinds = [("tcp", SOCK_STREAM), ("udp", SOCK_DGRAM)]
        for (name, kind) in kinds {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(9).bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            let descriptor = socket(AF_INET, Int32(kind.rawValue), 0)
            let sent = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    descriptor < 0
                        ? -1 : sendto(descriptor, "x", 1, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            tell(name, sent < 0)
        }
        tell("local", socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) < 0)
    }

    /// Reads and writes beyond its own: the paths are beside its HOME.
    static func files() {
        let state = String(cString: getenv("HOME")) + "/../.."
        let database = state + "/monitor-runner/monitor-runner.sqlite3"
        let secrets = ["/etc/passwd", "/var/lib/dpkg/status", database]
        for path in secrets {
            tell("read \(path.split(separator: "/").last ?? "")", open(path, O_RDONLY) < 0)
        }
        for path in [state + "/written", "./written"] {
            tell("write \(path)", open(path, O_WRONLY | O_CREAT, 0o600) < 0)
        }
        let own = open(String(cString: getenv("HOME")) + "/own", O_WRONLY | O_CREAT, 0o600)
        tell("write own", own < 0)
        let temporary = open(
            String(cString: getenv("TMPDIR")) + "/unruly-temporary", O_WRONLY | O_CREAT, 0o600)
        tell("write temporary", temporary < 0)
    }

    static func signals() {
        for pid in [getppid(), 1, -1] as [pid_t] { tell("signal", kill(pid, SIGCONT) != 0) }
    }

    static func processes() {
        guard let handle = opendir("/proc") else { return tell("processes", true) }
        var others = 0
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let pid = Int32(name), pid != getpid() else { continue }
            let line = open("/proc/\(pid)/environ", O_RDONLY)
            if line >= 0 { others += 1 }
        }
        print("processes readable", others)
    }

    static func descriptors() {
        var found: [Int32] = []
        for number in 0..<256 as Range<Int32> where fcntl(number, F_GETFD) >= 0 { found.append(number) }
        print("descriptors", found.map(String.init).joined(separator: " "))
    }
}
