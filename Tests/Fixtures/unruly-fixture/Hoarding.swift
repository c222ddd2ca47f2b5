import Glibc

/// Memory and disk that a process can hold without having it mapped, named or open. Each prints how many
/// MiB it holds in the end; within the limits of a lawful program that is little.
enum Hoarding {
    private static let pieceBytes = 16 << 20
    /// 512 MiB: beyond every limit of a bundle of these tests.
    private static let pieces = 32
    private static let piece = [UInt8](repeating: 7, count: 1 << 20)

    private static func report(_ pieces: Int) {
        print("holds", pieces * (pieceBytes >> 20))
    }

    private static func fill(_ file: Int32) -> Bool {
        for _ in 0..<(pieceBytes >> 20) where write(file, piece, piece.count) != piece.count { return false }
        return true
    }

    static func memoryFiles() {
        var held = 0
        for _ in 0..<pieces {
            let file = "held".withCString { HostCalls.call("memfd_create", [Int(bitPattern: $0), 0]) } ?? -1
            guard file >= 0, fill(Int32(file)) else { break }
            held += 1
        }
        report(held)
    }

    /// Of each piece all pages but one are unmapped; they stay as long as that one is.
    static func sharedMemory(_ file: Int32) {
        var held = 0
        for _ in 0..<pieces {
            let flags = file < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED
            let memory = mmap(nil, pieceBytes, PROT_READ | PROT_WRITE, flags, file, 0)
            guard let memory, memory != MAP_FAILED else { break }
            memset(memory, 7, pieceBytes)
            munmap(memory + 4_096, pieceBytes - 4_096)
            held += 1
        }
        report(held)
    }

    /// Files without name and descriptor, kept alive by one mapped page.
    static func mappedFiles(_ directory: String) {
        var held = 0
        for _ in 0..<pieces {
            let file = open(directory + "/mapped", O_RDWR | O_CREAT, 0o600)
            guard file >= 0, fill(file) else { break }
            let page = mmap(nil, 4_096, PROT_READ, MAP_SHARED, file, 0)
            unlink(directory + "/mapped")
            close(file)
            guard page != MAP_FAILED else { break }
            held += 1
        }
        report(held)
    }

    /// Files without a name that are on their way through a socket of its own.
    static func passedFiles(_ directory: String) {
        var ends: [Int32] = [-1, -1]
        var held = 0
        for _ in 0..<pieces {
            if held % 8 == 0, socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) != 0 { break }
            let file = open(directory + "/passed", O_RDWR | O_CREAT, 0o600)
            guard file >= 0, fill(file), send(file, through: ends[0]) else { break }
            unlink(directory + "/passed")
            close(file)
            held += 1
        }
        report(held)
    }

    /// By SCM_RIGHTS: a header of length, level and type, then the descriptor (cmsg(3)).
    private static func send(_ file: Int32, through socket: Int32) -> Bool {
        var control = [UInt8](repeating: 0, count: 24)
        control.withUnsafeMutableBytes {
            $0.storeBytes(of: 20, toByteOffset: 0, as: Int.self)
            $0.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
            $0.storeBytes(of: 1, toByteOffset: 12, as: Int32.self)
            $0.storeBytes(of: file, toByteOffset: 16, as: Int32.self)
        }
        var byte: UInt8 = 1
        return control.withUnsafeMutableBytes { control in
            withUnsafeMutablePointer(to: &byte) { byte in
                var part = iovec(iov_base: byte, iov_len: 1)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    return sendmsg(socket, &message, 0) == 1
                }
            }
        }
    }

    /// FALLOC_FL_KEEP_SIZE: room on the disk beyond the end of a file, which no limit of its length sees.
    static func preallocation(_ directory: String) {
        let file = Int(open(directory + "/preallocated", O_RDWR | O_CREAT, 0o600))
        let result = HostCalls.call("fallocate", [file, 1, 0, pieces * pieceBytes]) ?? -1
        report(result == 0 ? pieces : 0)
    }

    /// F_SETPIPE_SZ, 1 MiB each, and full.
    static func largePipes() {
        var held = 0
        for _ in 0..<100 {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0, (HostCalls.call("fcntl", [Int(ends[1]), 1_031, 1 << 20]) ?? -1) > 0
            else { break }
            _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
            while write(ends[1], piece, 4_096) > 0 {}
            held += 1
        }
        report(held * (1 << 20) / pieceBytes)
    }

    /// Waiting threads with the smallest stack: their kernel stacks count as nobody's memory. More than a
    /// process may have, but not so many that their stacks are too many mappings first (two each).
    static func manyThreads() {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, 16_384)
        var made = 0
        for _ in 0..<1_000 {
            var thread = pthread_t()
            let failure = pthread_create(&thread, &attributes, { _ in while true { pause() } }, nil)
            guard failure == 0 else { break }
            made += 1
        }
        print("threads", made)
    }

    /// 14 MiB of files in TMPDIR, under bubblewrap in memory, and 24 MiB of its own: each alone is allowed.
    static func temporaryMemory(_ directory: String) {
        let file = open(directory + "/held", O_RDWR | O_CREAT, 0o600)
        for _ in 0..<14 { _ = write(file, piece, piece.count) }
        guard let memory = malloc(24 << 20) else { return report(0) }
        memset(memory, 7, 24 << 20)
        report(1)
    }

    /// One file, and many numbers for it, in many epolls: the kernel keeps each watch, and counts them for
    /// all programs of the user together.
    static func manyWatches() {
        let epolls = (0..<40).map { _ in HostCalls.call("epoll_create1", [0]) ?? -1 }
        let file = HostCalls.call("eventfd", [0, 0]) ?? -1
        let add = 1  // EPOLL_CTL_ADD
        var (event, watches) = ([UInt32](repeating: 0, count: 4), 0)
        for _ in 0..<100 {
            let number = Int(dup(Int32(file)))
            for epoll in epolls {
                let result = event.withUnsafeMutableBytes {
                    HostCalls.call("epoll_ctl", [epoll, add, number, Int(bitPattern: $0.baseAddress)])
                }
                if result == 0 { watches += 1 }
            }
        }
        print("watches", watches)
        fflush(nil)
        while true { pause() }
    }

    /// Parts of memory with rights of their own, of which none is ever used.
    static func manyMappings() {
        let (page, pages) = (4_096, 20_000)
        let memory = mmap(nil, pages * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let memory, memory != MAP_FAILED else { return tell("mappings", true) }
        for number in stride(from: 0, to: pages, by: 2) {
            guard mprotect(memory + number * page, page, PROT_READ) == 0 else {
                return tell("mappings", true)
            }
        }
        print("mappings", pages)
        fflush(nil)
        while true { pause() }
    }

    /// Locks of single bytes, far from each other: the kernel keeps each.
    static func manyLocks(_ directory: String) {
        let file = open(directory + "/locked", O_RDWR | O_CREAT, 0o600)
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_len = 1
        for number in 0..<5_000 {
            lock.l_start = off_t(number * 2)
            let result = withUnsafeMutablePointer(to: &lock) {
                HostCalls.call("fcntl", [Int(file), Int(F_SETLK), Int(bitPattern: $0)]) ?? -1
            }
            guard result == 0 else { return tell("lock \(number)", true) }
        }
        print("locks 5000")
        fflush(nil)
        while true { pause() }
    }
}
