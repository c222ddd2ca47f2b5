import CPosix
import Glibc
import Time

/// A fork or exit of a process, as the kernel reports it.
package enum ProcessEvent: Equatable {
    case forked(parent: Int32, child: Int32, at: UInt64)
    case exited(Int32)
}

/// Listens to the kernel's process event connector (netlink; linux/cn_proc.h), one small message for each
/// fork and exit. A filter in the kernel drops threads and all other events before they wake this process.
package final class ForkListener {
    /// Bytes that the kernel buffers between two drains: some 5,000 events at 4 MiB.
    package static let receiveBytes: Int32 = 4 << 20
    /// Longest wait for the kernel's confirmation, in milliseconds; without permission the kernel does not
    /// answer.
    static let confirm_ms: Int32 = 500

    // Offsets in a message: nlmsghdr 16 bytes, cn_msg 20 bytes, then proc_event.
    private static let acknowledgement = 28, what = 36, timestamp = 44, payload = 52
    private static let forkEvent: UInt32 = 0x1, exitEvent: UInt32 = 0x8000_0000

    /// Readable when events are waiting; poll it and call ``drain(_:)``.
    package let fileDescriptor: Int32

    /// - Throws: `ForkListenerError` if the kernel has no connector or denies permission.
    package init(receiveBytes: Int32 = receiveBytes) throws(ForkListenerError) {
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        fileDescriptor = socket(AF_NETLINK, kind, NETLINK_CONNECTOR)
        guard fileDescriptor >= 0 else {
            throw ForkListenerError.failed("opening a netlink connector socket", errno)
        }
        do throws(ForkListenerError) { try start(receiveBytes) } catch {
            close(fileDescriptor)
            throw error
        }
    }

    deinit { close(fileDescriptor) }

    /// Reads all waiting events. Returns true if earlier events were lost (ENOBUFS).
    package func drain(_ take: (ProcessEvent) -> Void) -> Bool {
        var lost = false
        let offset_ns = Self.boot_ns() &- Self.monotonic_ns()
        var buffer = [UInt8](repeating: 0, count: 256)
        while true {
            let count = recv(fileDescriptor, &buffer, buffer.count, 0)
            if count < 0, errno == ENOBUFS { lost = true; continue }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return lost }
            if let event = Self.event(buffer[..<count], offset_ns: offset_ns) { take(event) }
        }
    }

    private func start(_ receiveBytes: Int32) throws(ForkListenerError) {
        var bytes = receiveBytes
        let size = socklen_t(MemoryLayout<Int32>.size)
        // A size beyond the system's limit needs a privilege; otherwise the kernel grants less, which is
        // enough.
        if setsockopt(fileDescriptor, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, size) != 0 {
            setsockopt(fileDescriptor, SOL_SOCKET, SO_RCVBUF, &bytes, size)
        }
        attachFilter()
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
        let end_ns = Self.monotonic_ns() + UInt64(Self.confirm_ms) * 1_000_000
        var buffer = [UInt8](repeating: 0, count: 256)
        while true {
            let left_ms = Int64(bitPattern: end_ns &- Self.monotonic_ns()) / 1_000_000
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
        message.withUnsafeBytes { bytes in
            guard bytes.count >= payload + 4 else { return nil }
            func number(_ offset: Int) -> UInt32 { Self.number(in: bytes, at: offset) }
            guard number(what) == 0, number(acknowledgement) == tag &+ 1 else { return nil }
            return Int32(bitPattern: number(payload))
        }
    }

    /// Accepts forks of processes, exits of processes, and the confirmation (0). BPF loads bytes in network
    /// order.
    private func attachFilter() {
        func code(_ parts: Int32...) -> UInt16 { UInt16(parts.reduce(0, |)) }
        let load = code(BPF_LD, BPF_W, BPF_ABS), toX = code(BPF_MISC, BPF_TAX), done = code(BPF_RET, BPF_K)
        let ifEqual = code(BPF_JMP, BPF_JEQ, BPF_K), ifEqualX = code(BPF_JMP, BPF_JEQ, BPF_X)
        let fork = UInt32(Self.payload) + 8, end = UInt32(Self.payload)
        var program = [
            sock_filter(code: load, jt: 0, jf: 0, k: UInt32(Self.what)),
            sock_filter(code: ifEqual, jt: 3, jf: 0, k: Self.forkEvent.bigEndian),
            sock_filter(code: ifEqual, jt: 6, jf: 0, k: Self.exitEvent.bigEndian),
            sock_filter(code: ifEqual, jt: 9, jf: 0, k: 0),
            sock_filter(code: done, jt: 0, jf: 0, k: 0),
            // A fork: the child's thread id is its process id, else it is a thread.
            sock_filter(code: load, jt: 0, jf: 0, k: fork),
            sock_filter(code: toX, jt: 0, jf: 0, k: 0),
            sock_filter(code: load, jt: 0, jf: 0, k: fork + 4),
            sock_filter(code: ifEqualX, jt: 4, jf: 5, k: 0),
            // An end: likewise.
            sock_filter(code: load, jt: 0, jf: 0, k: end),
            sock_filter(code: toX, jt: 0, jf: 0, k: 0),
            sock_filter(code: load, jt: 0, jf: 0, k: end + 4),
            sock_filter(code: ifEqualX, jt: 0, jf: 1, k: 0),
            sock_filter(code: done, jt: 0, jf: 0, k: .max),
            sock_filter(code: done, jt: 0, jf: 0, k: 0),
        ]
        let count = UInt16(program.count)
        program.withUnsafeMutableBufferPointer { buffer in
            var filter = sock_fprog(len: count, filter: buffer.baseAddress)
            // Without the filter all still works, with more wake-ups: `event` drops the same.
            setsockopt(fileDescriptor, SOL_SOCKET, SO_ATTACH_FILTER, &filter,
                socklen_t(MemoryLayout<sock_fprog>.size))
        }
    }

    private static func event(_ message: ArraySlice<UInt8>, offset_ns: UInt64) -> ProcessEvent? {
        message.withUnsafeBytes { bytes in
            guard bytes.count >= payload + 16 else { return nil }
            func number(_ offset: Int) -> UInt32 { Self.number(in: bytes, at: offset) }
            let ids = (0..<4).map { Int32(bitPattern: number(payload + 4 * $0)) }
            switch number(what) {
            case forkEvent where ids[2] == ids[3]:
                let sent_ns = bytes.loadUnaligned(fromByteOffset: timestamp, as: UInt64.self)
                let start_ticks = (sent_ns &+ offset_ns) / (1_000_000_000 / ticksPerSecond)
                return .forked(parent: ids[1], child: ids[3], at: start_ticks)
            case exitEvent where ids[0] == ids[1]: return .exited(ids[1])
            default: return nil
            }
        }
    }

    private static func number(in bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    }

    private static let ticksPerSecond = UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))

    private static func boot_ns() -> UInt64 { UInt64(KernelClock.readNs(CLOCK_BOOTTIME)) }
    private static func monotonic_ns() -> UInt64 { UInt64(KernelClock.readNs(CLOCK_MONOTONIC)) }
}
