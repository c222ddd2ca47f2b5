import Glibc

/// Calls that change the host or other processes, each tried on what the kernel's own rules let this user
/// change. Found in the C library by their names: Swift does not import what has variable arguments, and the
/// preloaded library would answer for some of them.
enum HostCalls {
    private typealias Function = @convention(c) (Int, Int, Int, Int, Int, Int) -> Int
    private static func function(_ name: String) -> UnsafeMutableRawPointer? {
        dlsym(dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD), name)
    }

    /// What it returned; nil: the C library has no such function.
    static func call(_ name: String, _ values: [Int]) -> Int? {
        guard let symbol = function(name) else { return nil }
        let six = values + [Int](repeating: 0, count: 6 - values.count)
        errno = 0
        let result = unsafeBitCast(symbol, to: Function.self)(six[0], six[1], six[2], six[3], six[4], six[5])
        return Int(Int32(truncatingIfNeeded: result))
    }

    static func attempt(_ what: String, _ name: String, _ values: Int...) {
        guard let result = call(name, values) else { return print(what, "absent") }
        tell(what, result < 0)
    }

    private static func withPaths(_ body: (_ name: String, _ path: Int, _ descriptor: Int) -> Void) {
        let home = String(cString: getenv("HOME"))
        close(open(home + "/mine", O_WRONLY | O_CREAT, 0o600))
        // Its own file and directory, its bundle, and the service's state beside it.
        let paths = [("file", home + "/mine"), ("home", home), ("bundle", "."), ("state", home + "/../..")]
        for (name, path) in paths {
            let descriptor = open(path, O_RDONLY)
            path.withCString { body(name, Int(bitPattern: $0), Int(descriptor)) }
            if descriptor >= 0 { close(descriptor) }
        }
    }

    static func modes() {
        withPaths { name, path, descriptor in
            attempt("chmod \(name)", "chmod", path, 0o777)
            attempt("fchmodat \(name)", "fchmodat", Int(AT_FDCWD), path, 0o777, 0)
            attempt("fchmod \(name)", "fchmod", descriptor, 0o777)
            // By its number: libraries of this machine may be older than the kernel.
            attempt("fchmodat2 \(name)", "syscall", 452, Int(AT_FDCWD), path, 0o777, 0)
        }
    }

    static func owners() {
        let (user, group) = (Int(getuid()), Int(getgid()))
        withPaths { name, path, descriptor in
            attempt("chown \(name)", "chown", path, user, group)
            attempt("lchown \(name)", "lchown", path, user, group)
            attempt("fchownat \(name)", "fchownat", Int(AT_FDCWD), path, user, group, 0)
            attempt("fchown \(name)", "fchown", descriptor, user, group)
        }
    }

    static func times() {
        withPaths { name, path, descriptor in
            attempt("utimensat \(name)", "utimensat", Int(AT_FDCWD), path, 0, 0)
            attempt("futimens \(name)", "futimens", descriptor, 0)
            attempt("utimes \(name)", "utimes", path, 0)
            attempt("utime \(name)", "utime", path, 0)
        }
    }

    static func attributes() {
        withPaths { name, path, descriptor in
            "user.unruly".withCString { key in
                let key = Int(bitPattern: key)
                attempt("setxattr \(name)", "setxattr", path, key, key, 4, 0)
                attempt("lsetxattr \(name)", "lsetxattr", path, key, key, 4, 0)
                attempt("fsetxattr \(name)", "fsetxattr", descriptor, key, key, 4, 0)
                attempt("removexattr \(name)", "removexattr", path, key)
                attempt("removexattrat \(name)", "syscall", 466, Int(AT_FDCWD), path, 0, key)
            }
            // FS_IOC_SETFLAGS with FS_NODUMP_FL.
            var flags: Int = 0x40
            withUnsafeMutablePointer(to: &flags) {
                attempt("flags \(name)", "ioctl", descriptor, 0x4008_6602, Int(bitPattern: $0))
            }
        }
    }

    /// Cuts off what it may only read.
    static func truncation() {
        "Info.plist".withCString { path in
            attempt("truncate", "truncate", Int(bitPattern: path), 0)
            attempt("open to truncate", "open", Int(bitPattern: path), Int(O_RDONLY | O_TRUNC), 0)
        }
    }

    /// Another process of the same user: the one that started it.
    static func neighbours() {
        let parent = Int(getppid())
        var limit = rlimit(rlim_cur: 1, rlim_max: 1)
        withUnsafeMutablePointer(to: &limit) {
            attempt("prlimit", "prlimit", parent, 7, Int(bitPattern: $0), 0)
        }
        attempt("priority of a process", "setpriority", 0, parent, 19)
        attempt("priority of a group", "setpriority", 1, 0, 19)
        attempt("priority of a user", "setpriority", 2, 0, 19)
        var processors = [Int](repeating: ~0, count: 16)
        processors.withUnsafeMutableBytes {
            attempt("affinity", "sched_setaffinity", parent, 128, Int(bitPattern: $0.baseAddress))
        }
        var parameter = sched_param()
        withUnsafeMutablePointer(to: &parameter) {
            attempt("scheduler", "sched_setscheduler", parent, 3, Int(bitPattern: $0))
        }
        attempt("owner of a descriptor", "fcntl", 3, 8, parent)
        attempt("death of the parent", "prctl", 1, 0)
        attempt("adoption", "prctl", 36, 1)
    }

    static func messages() {
        var ends: [Int32] = [-1, -1]
        ends.withUnsafeMutableBytes { ends in
            let place = Int(bitPattern: ends.baseAddress)
            attempt("datagram pair", "socketpair", Int(AF_UNIX), 2, 0, place)
            attempt("sequenced pair", "socketpair", Int(AF_UNIX), 5, 0, place)
            attempt("stream pair", "socketpair", Int(AF_UNIX), 1, 0, place)
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let size = MemoryLayout<sockaddr_un>.size
        withUnsafeMutablePointer(to: &address) { address in
            let place = Int(bitPattern: address)
            attempt("connect", "connect", Int(ends[0]), place, size)
            attempt("bind", "bind", Int(ends[0]), place, size)
            attempt("send to a path", "sendto", Int(ends[0]), place, 1, 0, place, size)
        }
        attempt("shared memory", "shmget", 0, 4_096, 0o1600)
        attempt("semaphores", "semget", 0, 1, 0o1600)
        attempt("message queue", "msgget", 0, 0o1600)
        "/unruly".withCString {
            attempt("named queue", "mq_open", Int(bitPattern: $0), Int(O_RDWR | O_CREAT), 0o600, 0)
        }
        attempt("watch", "inotify_init1", 0)
    }

    /// Who it is, and what it may.
    static func rights() {
        print("user", getuid(), geteuid(), getgid(), getegid(), getgroups(0, nil))
        for path in ["/proc/self/status", "/proc/self/limits"] {
            var bytes = [UInt8](repeating: 0, count: 8_192)
            let file = open(path, O_RDONLY)
            let count = max(0, read(file, &bytes, bytes.count))
            close(file)
            for line in String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
            where ["Cap", "NoNew", "Max"].contains(where: line.hasPrefix) {
                print(line.split { $0 == "\t" || $0 == " " }.joined(separator: " "))
            }
        }
    }

    /// The state of another thread of its own, as libdispatch reads it.
    static func threads() {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                let own = HostCalls.call("gettid", []) ?? 0
                tell("own thread", open("/proc/\(own)/stat", O_RDONLY) < 0)
                return nil
            }, nil)
        pthread_join(thread, nil)
        tell("own process", open("/proc/\(getpid())/stat", O_RDONLY) < 0)
        state(ofOneThat: "waits", "S") { number in
            HostCalls.tellNumber(number)
            while true { pause() }
        }
        state(ofOneThat: "runs", "R") { number in
            HostCalls.tellNumber(number)
            // Until it was seen: processor time counts until the return is on the disk.
            while number?.load(as: Int.self) != 0 { sched_yield() }
            return nil
        }
    }

    private static func tellNumber(_ place: UnsafeMutableRawPointer?) {
        place?.storeBytes(of: call("gettid", []) ?? 0, as: Int.self)
    }

    /// Looks at a thread until its state is the one that is awaited.
    private static func state(
        ofOneThat does: String, _ awaited: Character,
        _ body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    ) {
        let place = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
        place.storeBytes(of: 0, as: Int.self)
        var thread = pthread_t()
        pthread_create(&thread, nil, body, place)
        while place.load(as: Int.self) == 0 { sched_yield() }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while true {
            let file = open("/proc/\(place.load(as: Int.self))/stat", O_RDONLY)
            guard file >= 0 else { return tell("one that \(does)", true) }
            let count = max(0, read(file, &bytes, bytes.count))
            close(file)
            let state = String(decoding: bytes[..<count].prefix { $0 != 0 }, as: UTF8.self).last
            if state == awaited {
                place.storeBytes(of: 0, as: Int.self)
                return tell("one that \(does)", false)
            }
        }
    }
}
