import CPosix
import Glibc
import Synchronization

/// Counts the bytes of messages that libzmq queues for peers. A message queued for several peers counts once.
final class QueuedBytes: Sendable {
    private let sum = Atomic<Int>(0)
    private let isAwaited = Atomic<Bool>(false)
    private let whole: QueuedBytes?
    private let signal: Signal?
    var count: Int { sum.load(ordering: .relaxed) }

    /// - Parameters:
    ///   - whole: counts the same bytes, and those of others.
    ///   - signal: is signalled when bytes went that somebody awaits.
    init(in whole: QueuedBytes? = nil, signal: Signal? = nil) {
        self.whole = whole
        self.signal = signal
    }

    /// Signals, once, when some of the present bytes have gone. False if there are none.
    func awaitRoom() -> Bool {
        isAwaited.store(true, ordering: .sequentiallyConsistent)
        return sum.load(ordering: .sequentiallyConsistent) > 0
    }

    private func add(_ bytes: Int) {
        sum.wrappingAdd(bytes, ordering: .relaxed)
        whole?.add(bytes)
    }

    private func subtract(_ bytes: Int) {
        sum.wrappingSubtract(bytes, ordering: .sequentiallyConsistent)
        whole?.subtract(bytes)
        if isAwaited.exchange(false, ordering: .sequentiallyConsistent) { signal?.send() }
    }

    /// A descriptor that becomes readable (eventfd(2)), from any thread.
    final class Signal: Sendable {
        let descriptor: Int32

        init() throws(SocketError) {
            descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
            guard descriptor >= 0 else { throw SocketError("open an eventfd", errno: errno) }
        }

        deinit { close(descriptor) }

        func send() {
            // Fails only if it is readable already.
            eventfd_write(descriptor, 1)
        }

        func clear() {
            var count: eventfd_t = 0
            // Fails only if nothing was sent.
            eventfd_read(descriptor, &count)
        }
    }

    /// The bytes of one message at a stable address. libzmq references them until the last peer has been sent
    /// the message.
    final class Copy: Sendable {
        // Written once, before it is shared; freed with the last reference.
        nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer
        private let held: QueuedBytes

        init(_ bytes: [UInt8], in held: QueuedBytes) {
            self.held = held
            memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
            memory.copyBytes(from: bytes)
            held.add(bytes.count)
        }

        deinit {
            let count = memory.count
            memory.deallocate()
            held.subtract(count)
        }
    }
}
