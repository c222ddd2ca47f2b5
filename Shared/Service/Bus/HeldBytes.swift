import Synchronization

/// Bytes of messages that libzmq holds for peers that have not read them yet. A message that waits for
/// several peers is there once.
final class HeldBytes: Sendable {
    private let sum = Atomic<Int>(0)
    var count: Int { sum.load(ordering: .relaxed) }

    /// The bytes of one message, at an address that stays: libzmq has it until the last peer was sent it.
    final class Copy: Sendable {
        // Written once, before anybody else knows of it; freed with the last reference.
        nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer
        private let held: HeldBytes

        init(_ bytes: [UInt8], in held: HeldBytes) {
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
