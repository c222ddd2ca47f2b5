import Synchronization

/// Counts the bytes of messages that libzmq queues for peers. A message queued for several peers counts once.
final class QueuedBytes: Sendable {
    private let sum = Atomic<Int>(0)
    var count: Int { sum.load(ordering: .relaxed) }

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
            held.sum.wrappingAdd(bytes.count, ordering: .relaxed)
        }

        deinit {
            held.sum.wrappingSubtract(memory.count, ordering: .relaxed)
            memory.deallocate()
        }
    }
}
