import CPosix
import Glibc
import Time

/// A process forked another one, as the kernel reports it.
package struct ForkEvent: Equatable {
    package let parent: Int32
    package let child: Int32
    /// When, in clock ticks since boot. The report has the time without the machine's sleep, so a sleep
    /// between the fork and its reading makes this a range.
    package let start_ticks: ClosedRange<UInt64>

    package init(parent: Int32, child: Int32, start_ticks: ClosedRange<UInt64>) {
        self.parent = parent
        self.child = child
        self.start_ticks = start_ticks
    }
}

/// Listens to the kernel's reports of forks. They wait in the kernel until somebody asks: nobody has to wake
/// up for a fork. Only when many wait, ``overflowDescriptor`` tells to read them.
///
/// Two sockets receive the same. One keeps the reports. The other one is never read until it overflows, which
/// the kernel signals as an error; its buffer is at most half of the first one's, so nothing is lost by then.
package final class ForkListener {
    /// Bytes of reports that the kernel keeps (it doubles them): some 10,000 forks at 4 MiB.
    package static let receiveBytes: Int32 = 4 << 20
    /// The same of the second socket: it overflows after some 2,500 forks at 1 MiB, so that the waiting
    /// reports take at most 3 MB of the kernel's memory.
    static let signalBytes: Int32 = 1 << 20

    private let reports: ForkSocket
    private let signal: ForkSocket
    /// Time since boot minus time without sleep, at the last reading.
    private var sleep_ns = slept_ns()

    /// - Throws: `ForkListenerError` if the kernel has no connector or denies permission.
    package init(receiveBytes: Int32 = receiveBytes) throws(ForkListenerError) {
        reports = try ForkSocket(receiveBytes: receiveBytes)
        signal = try ForkSocket(receiveBytes: min(Self.signalBytes, reports.halfOfReceiveBytes))
    }

    /// Has an error condition when so many reports wait that they should be read: then call ``drain(_:)``.
    /// Poll it for nothing else, or each report wakes you.
    package var overflowDescriptor: Int32 { signal.fileDescriptor }

    /// Reads all waiting reports. Returns true if earlier ones were lost.
    package func drain(_ take: (ForkEvent) -> Void) -> Bool {
        // In this order: a fork in between counts as waiting although it is read.
        _ = signal.drain { _ in }
        let now_ns = Self.slept_ns()
        defer { sleep_ns = now_ns }
        return reports.drain { message in
            if let event = Self.event(message, slept_ns: min(sleep_ns, now_ns)...max(sleep_ns, now_ns)) {
                take(event)
            }
        }
    }

    /// - Parameter slept_ns: what the machine had slept when it was read before, and has now.
    static func event(_ message: ArraySlice<UInt8>, slept_ns: ClosedRange<UInt64>) -> ForkEvent? {
        guard ForkSocket.isFork(message) else { return nil }
        let sent_ns = message.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: ForkSocket.timestamp, as: UInt64.self)
        }
        let perTick_ns = 1_000_000_000 / ticksPerSecond
        func id(_ offset: Int) -> Int32 { Int32(bitPattern: ForkSocket.number(in: message, at: offset)) }
        let first = (sent_ns + slept_ns.lowerBound) / perTick_ns
        let last = (sent_ns + slept_ns.upperBound) / perTick_ns
        return ForkEvent(
            parent: id(ForkSocket.parent), child: id(ForkSocket.child), start_ticks: first...last)
    }

    private static let ticksPerSecond = UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))

    private static func slept_ns() -> UInt64 {
        UInt64(max(0, KernelClock.readNs(CLOCK_BOOTTIME) - KernelClock.readNs(CLOCK_MONOTONIC)))
    }
}
