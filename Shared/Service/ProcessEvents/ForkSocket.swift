import CPosix
import Glibc
import Time

/// One socket of the kernel's process event connector (netlink; linux/cn_proc.h). A filter in the kernel
/// leaves only forks of processes, one small message each: no threads, no exits, nothing else.
struct ForkSocket: ~Copyable {
    /// Longest wait for the kernel's confirmation, in milliseconds; without permission the kernel does not
    /// answer.
    static let confirm_ms: Int32 = 500

    // Offsets in a message: nlmsghdr 16 bytes, cn_msg 20 bytes, then proc_event.
    private static let acknowledgement = 28, what = 36, payload = 52
    static let timestamp = 44, parent = payload + 4, childThread = payload + 8, child = payload + 12
    private static let forkEvent: UInt32 = 0x1
    /// Bytes of the longest message that is read.
    private static let messageBytes = 256

    let fileDescriptor: Int32

    /// - Parameters:
    ///   - receiveBytes: what the kernel is asked to buffer. Beyond the system's limit that needs a
    ///     privilege; otherwise the kernel grants less.
    /// - Throws: `ForkListenerError` if the kernel has no connector or denies permission.
    init(receiveBytes: Int32) throws(ForkListenerError) {
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        fileDescriptor = socket(AF_NETLINK, kind, NETLINK_CONNECTOR)
        guard fileDescriptor >= 0 else {
            throw ForkListenerError.failed("opening a netlink connector socket", errno)
        }
        var bytes = receiveBytes
        let size = socklen_t(MemoryLayout<Int32>.size)
        if setsockopt(fileDescriptor, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, size) != 0 {
            setsockopt(fileDescriptor, SOL_SOCKET, SO_RCVBUF, &bytes, size)
        }
        try attachFilter()
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = UInt32(CN_IDX_PROC)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(fileDescriptor, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
            }
        }
        guard bound == 0 else { throw ForkListenerError.failed("joining the group of process events", errno) }
        try listen()
    }

    deinit { if fileDescriptor >= 0 { close(fileDescriptor) } }

    /// What `receiveBytes` must be for a socket that is full when this one is half full: the kernel doubles
    /// the number that it is given, and reports the doubled one.
    var halfOfReceiveBytes: Int32 {
        var granted: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(fileDescriptor, SOL_SOCKET, SO_RCVBUF, &granted, &size)
        return granted / 4
    }

    /// Reads all waiting messages. Returns true if some were lost before (ENOBUFS).
    func drain(_ take: (ArraySlice<UInt8>) -> Void) -> Bool {
        var lost = false
        var buffer = [UInt8](repeating: 0, count: Self.messageBytes)
        while true {
            let count = recv(fileDescriptor, &buffer, buffer.count, 0)
            if count < 0, errno == ENOBUFS { lost = true; continue }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return lost }
            take(buffer[..<count])
        }
    }

    /// Requests events and waits until the kernel confirms.
    private func listen() throws(ForkListenerError) {
        let tag = UInt32.random(in: 1..<(.max))
        // nlmsghdr (length, type, flags, sequence, port), cn_msg (index, value, sequence, acknowledgement,
        // length), operation.
        var request: [UInt32] = [40, UInt32(NLMSG_DONE), 0, 0, UInt32(CN_IDX_PROC), UInt32(CN_VAL_PROC)]
        request += [0, tag, 4, PROC_CN_MCAST_LISTEN.rawValue]
        func ask() throws(ForkListenerError) {
            guard send(fileDescriptor, request, 40, 0) == 40 else {
                throw ForkListenerError.failed("asking for process events", errno)
            }
        }
        try ask()
        let end_ns = KernelClock.readNs(CLOCK_MONOTONIC) + Int64(Self.confirm_ms) * 1_000_000
        var buffer = [UInt8](repeating: 0, count: Self.messageBytes)
        while true {
            let left_ms = (end_ns - KernelClock.readNs(CLOCK_MONOTONIC)) / 1_000_000
            var entry = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&entry, 1, Int32(max(0, left_ms)))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0, left_ms > 0 else { throw ForkListenerError.unconfirmed }
            // Earlier events are older than the scan of /proc that follows.
            let count = recv(fileDescriptor, &buffer, buffer.count, 0)
            // The confirmation may be among the lost messages.
            if count < 0, errno == ENOBUFS { try ask() }
            guard count > 0, let code = Self.answer(to: tag, buffer[..<count]) else { continue }
            guard code == 0 else { throw ForkListenerError.failed("asking for process events", code) }
            return
        }
    }

    /// The kernel's answer to the request with `tag`: 0 or an errno. Nil if the message is another one.
    /// Events also arrive unrequested while another process listens, even in a container, with the host's
    /// pids. The answer has the request's acknowledgement number plus one (cn_proc_ack in
    /// drivers/connector/cn_proc.c).
    static func answer(to tag: UInt32, _ message: ArraySlice<UInt8>) -> Int32? {
        guard message.count >= payload + 4, number(in: message, at: what) == 0,
            number(in: message, at: acknowledgement) == tag &+ 1
        else { return nil }
        return Int32(bitPattern: number(in: message, at: payload))
    }

    /// Whether a message reports the fork of a process; a confirmation is none.
    static func isFork(_ message: ArraySlice<UInt8>) -> Bool {
        message.count >= child + 4 && number(in: message, at: what) == forkEvent
    }

    /// Accepts forks of processes and the confirmation (0). BPF loads bytes in network order.
    private func attachFilter() throws(ForkListenerError) {
        func code(_ parts: Int32...) -> UInt16 { UInt16(parts.reduce(0, |)) }
        let load = code(BPF_LD, BPF_W, BPF_ABS), toX = code(BPF_MISC, BPF_TAX), done = code(BPF_RET, BPF_K)
        let ifEqual = code(BPF_JMP, BPF_JEQ, BPF_K), ifEqualX = code(BPF_JMP, BPF_JEQ, BPF_X)
        var program = [
            sock_filter(code: load, jt: 0, jf: 0, k: UInt32(Self.what)),
            sock_filter(code: ifEqual, jt: 1, jf: 0, k: Self.forkEvent.bigEndian),
            sock_filter(code: ifEqual, jt: 4, jf: 5, k: 0),
            // The child's thread id is its process id, else it is a thread.
            sock_filter(code: load, jt: 0, jf: 0, k: UInt32(Self.childThread)),
            sock_filter(code: toX, jt: 0, jf: 0, k: 0),
            sock_filter(code: load, jt: 0, jf: 0, k: UInt32(Self.child)),
            sock_filter(code: ifEqualX, jt: 0, jf: 1, k: 0),
            sock_filter(code: done, jt: 0, jf: 0, k: .max),
            sock_filter(code: done, jt: 0, jf: 0, k: 0),
        ]
        let count = UInt16(program.count)
        let result = program.withUnsafeMutableBufferPointer { buffer in
            var filter = sock_fprog(len: count, filter: buffer.baseAddress)
            return setsockopt(
                fileDescriptor, SOL_SOCKET, SO_ATTACH_FILTER, &filter,
                socklen_t(MemoryLayout<sock_fprog>.size))
        }
        guard result == 0 else { throw ForkListenerError.failed("filtering process events", errno) }
    }

    static func number(in message: ArraySlice<UInt8>, at offset: Int) -> UInt32 {
        message.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }
}
