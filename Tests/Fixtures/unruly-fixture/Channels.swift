import Glibc

/// Ways to let another program know something by files that both may only read, and threads that look to the
/// host unlike those of a lawful program.
enum Channels {
    static func signals() {
        let file = Int(open("Info.plist", O_RDONLY))
        var byte: UInt8 = 0
        withUnsafeMutablePointer(to: &byte) { byte in
            var part = iovec(iov_base: byte, iov_len: 1)
            withUnsafeMutablePointer(to: &part) { part in
                let noWait = 8  // RWF_NOWAIT: only what is in the page cache.
                let place = Int(bitPattern: part)
                HostCalls.attempt("read without waiting", "preadv2", file, place, 1, 0, noWait)
                HostCalls.attempt("write without waiting", "pwritev2", file, place, 1, 0, noWait)
            }
        }
        if let page = mmap(nil, 4_096, PROT_READ, MAP_PRIVATE, Int32(file), 0), page != MAP_FAILED {
            var isThere: UInt8 = 0
            withUnsafeMutablePointer(to: &isThere) {
                HostCalls.attempt("mincore", "mincore", Int(bitPattern: page), 4_096, Int(bitPattern: $0))
            }
        }
        var range = [Int](repeating: 0, count: 8)
        range.withUnsafeMutableBytes {
            let place = Int(bitPattern: $0.baseAddress)
            HostCalls.attempt("cachestat", "syscall", 451, file, place, place, 0)
        }
        var lock = flock()
        lock.l_type = Int16(F_RDLCK)
        withUnsafeMutablePointer(to: &lock) {
            // F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW: locks without an owner whom the kernel would name.
            for command in 36...38 {
                HostCalls.attempt("fcntl \(command)", "fcntl", file, command, Int(bitPattern: $0))
            }
        }
        let growsDown = Int32(0x100) | MAP_PRIVATE | MAP_ANONYMOUS
        tell("grows down", mmap(nil, 1 << 20, PROT_WRITE, growsDown, -1, 0) == MAP_FAILED)
    }

    #if arch(x86_64)
        private static let (flockNumber, controlNumber, sendNumber) = (73, 72, 40)
        private static let (spliceNumber, teeNumber) = (275, 276)
    #else
        private static let (flockNumber, controlNumber, sendNumber) = (32, 25, 71)
        private static let (spliceNumber, teeNumber) = (76, 77)
    #endif

    /// Calls in which a thread can block forever with a file that it has unlinked. By their numbers, because
    /// the preloaded library replaces the C library's functions.
    static func waits(_ directory: String) {
        let file = open(directory + "/waits", O_RDWR | O_CREAT, 0o600)
        _ = write(file, "ab", 2)
        let other = open(directory + "/waits-too", O_RDWR | O_CREAT, 0o600)
        var (start, lock) = (0, flock())
        lock.l_type = Int16(F_WRLCK)
        let (source, target) = (Int(file), Int(other))
        HostCalls.attempt("flock", "syscall", flockNumber, source, Int(LOCK_EX))
        withUnsafeMutablePointer(to: &lock) {
            HostCalls.attempt(
                "lock and wait", "syscall", controlNumber, source, Int(F_SETLKW), Int(bitPattern: $0))
        }
        withUnsafeMutablePointer(to: &start) {
            let place = Int(bitPattern: $0)
            HostCalls.attempt("sendfile", "syscall", sendNumber, target, source, place, 1)
            HostCalls.attempt("splice", "syscall", spliceNumber, source, place, target, 0, 1)
        }
        HostCalls.attempt("tee", "syscall", teeNumber, source, target, 0, 0)
        waitsForSeveral()
    }

    /// One thread can wait with as many files as it has descriptors, if it may wait for several at once.
    private static func waitsForSeveral() {
        var several = (0..<3).map { _ in
            pollfd(fd: Int32(HostCalls.call("eventfd", [0, 0]) ?? -1), events: Int16(POLLIN), revents: 0)
        }
        var set = [Int](repeating: 0, count: 16)
        set[0] = several.reduce(0) { $0 | 1 << Int($1.fd) }
        let nfds = Int(several.map(\.fd).max() ?? 0) + 1
        var moment = timespec(tv_sec: 0, tv_nsec: 1_000_000)
        var time = timeval(tv_sec: 0, tv_usec: 1_000)
        several.withUnsafeMutableBytes { several in
            withUnsafeMutablePointer(to: &moment) { moment in
                let (files, moment) = (Int(bitPattern: several.baseAddress), Int(bitPattern: moment))
                HostCalls.attempt("poll", "poll", files, 3, 1)
                HostCalls.attempt("ppoll", "ppoll", files, 3, moment, 0)
                set.withUnsafeMutableBytes {
                    let set = Int(bitPattern: $0.baseAddress)
                    HostCalls.attempt("pselect", "pselect", nfds, set, 0, 0, moment, 0)
                }
            }
        }
        set.withUnsafeMutableBytes { set in
            withUnsafeMutablePointer(to: &time) {
                let set = Int(bitPattern: set.baseAddress)
                HostCalls.attempt("select", "select", nfds, set, 0, 0, Int(bitPattern: $0))
            }
        }
    }

    /// The same by the C library: they do what they are for.
    static func lawfulWaits(_ directory: String) {
        let file = open(directory + "/lawful", O_RDWR | O_CREAT, 0o600)
        let other = open(directory + "/copy", O_RDWR | O_CREAT, 0o600)
        _ = write(file, "ab", 2)
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        withUnsafeMutablePointer(to: &lock) { lock in
            for name in ["fcntl", "fcntl64"] {
                // Both are int fcntl(int, int, ...) with a pointer here.
                let call = unsafeBitCast(
                    dlsym(nil, name), to: (@convention(c) (Int32, Int32, Int) -> Int32).self)
                tell(name, call(file, F_SETLKW, Int(bitPattern: lock)) != 0)
            }
        }
        tell("locked", flock(file, LOCK_EX) != 0)
        let again = open(directory + "/lawful", O_RDWR)
        tell("locked for another", flock(again, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        // Whoever waits gets it when it is free.
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                close(Int32(Int(bitPattern: argument)))
                return nil
            }, UnsafeMutableRawPointer(bitPattern: Int(file)))
        tell("locked after another", flock(again, LOCK_EX) != 0)
        var start = off_t(0)
        tell("sent", sendfile(other, again, &start, 100) != 2 || start != 2)
        var bytes: [UInt8] = [0, 0, 0]
        tell("arrived", pread(other, &bytes, 3, 0) != 2 || bytes != [97, 98, 0])
        lawfulPolls(other)
    }

    private static var firstThreadWaits: Bool {
        var bytes = [UInt8](repeating: 0, count: 64)
        let file = open("/proc/self/stat", O_RDONLY)
        defer { close(file) }
        let text = String(decoding: bytes[..<max(0, read(file, &bytes, bytes.count))], as: UTF8.self)
        return text.contains(") S ")
    }

    /// poll and select for more descriptors than the kernel lets it wait for.
    private static func lawfulPolls(_ file: Int32) {
        func counter() -> Int32 { Int32(HostCalls.call("eventfd", [0, 0]) ?? -1) }
        let counters = (0..<20).map { _ in counter() }
        var polled = counters.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        tell("nothing within the time", poll(&polled, 20, 5) != 0)
        // A file that is always ready but is not asked for it, one that is not there, and none.
        polled += [pollfd(fd: file, events: 0, revents: 0), pollfd(fd: -1, events: 1, revents: 7)]
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                while !Channels.firstThreadWaits { sched_yield() }
                var one: UInt64 = 1
                write(Int32(Int(bitPattern: argument)), &one, 8)
                return nil
            }, UnsafeMutableRawPointer(bitPattern: Int(counters[7])))
        tell("one of many", poll(&polled, 22, -1) != 1)
        tell("which", polled.filter { $0.revents != 0 }.map(\.fd) != [counters[7]])
        pthread_join(thread, nil)
        // The same descriptor twice, and one that is closed.
        polled = [7, 7, 8].map { pollfd(fd: counters[$0], events: Int16(POLLIN), revents: 0) }
        polled[1].events = Int16(POLLOUT)
        polled.append(pollfd(fd: 250, events: Int16(POLLIN), revents: 0))
        tell("twice and closed", poll(&polled, 4, 1_000) != 3)
        tell("closed", polled.map { Int32($0.revents) } != [POLLIN, POLLOUT, 0, POLLNVAL])
        var (set, time) = (fd_set(), timeval(tv_sec: 1, tv_usec: 0))
        let words = MemoryLayout<fd_set>.size / 8
        withUnsafeMutableBytes(of: &set) { set in
            let bits = set.bindMemory(to: UInt64.self)
            for descriptor in counters { bits[Int(descriptor) / 64] |= 1 << (UInt64(descriptor) % 64) }
        }
        tell("selected", select((counters.max() ?? 0) + 1, &set, nil, nil, &time) != 1)
        let selected = withUnsafeBytes(of: &set) { set in
            (0..<words * 64).filter { set.bindMemory(to: UInt64.self)[$0 / 64] >> ($0 % 64) & 1 == 1 }
        }
        tell("it alone", selected != [Int(counters[7])] || time.tv_sec != 0)
    }

    /// Threads that share less than those of the C library: each lacks one of memory, directories,
    /// descriptors, handlers of signals and semaphores.
    static func threadsOfTheirOwn() {
        let body: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { _ in while true { pause() } }
        let shared = 0x5_0f00  // CLONE_VM, FS, FILES, SIGHAND, THREAD, SYSVSEM
        let stack = mmap(nil, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        for missing in [0x100, 0x200, 0x400, 0x800, 0x1_0000, 0x4_0000] {
            let function = Int(bitPattern: unsafeBitCast(body, to: UnsafeRawPointer.self))
            HostCalls.attempt(
                "thread without \(missing)", "clone", function, Int(bitPattern: stack) + (1 << 20),
                shared & ~missing, 0)
        }
        // CLONE_FILES, CLONE_FS
        for what in [0x400, 0x200] { HostCalls.attempt("unshare \(what)", "unshare", what) }
    }

    /// The first thread exits alone; the kernel then reports nothing about the process.
    static func endLeader() {
        var thread = pthread_t()
        pthread_create(&thread, nil, { _ in while true { pause() } }, nil)
        guard HostCalls.call("gettid", []) == Int(getpid()) else { return print("not the first thread") }
        #if arch(x86_64)
            let exitThread = 60
        #else
            let exitThread = 93
        #endif
        _ = HostCalls.call("syscall", [exitThread, 0])
    }
}
