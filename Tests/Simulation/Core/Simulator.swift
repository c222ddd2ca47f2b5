import Contract
package import Loop
package import Units

/// Virtual time, and what happens when. Each step runs one thing that is due; everything takes no time, and
/// time jumps to the next thing. Nothing here knows what the things are.
@LoopActor package final class Simulator {
    private struct Entry {
        var due: Int64
        var number: UInt64
        var body: @LoopActor () -> Void
    }
    private var heap: [Entry] = []
    private var lastNumber: UInt64 = 0

    /// Nanoseconds since the start; the monotonic clock of all simulated processes.
    package private(set) var nowNs: Int64 = 0
    /// Wall-clock time of the start.
    package let start: Instant
    /// Called with each new millisecond, before anything else of it.
    package var onTime: (@LoopActor (Instant) -> Void)?
    /// Steps so far.
    package private(set) var steps = 0
    /// Decides everything that is random in the world: delays, losses, faults.
    package var random: SeededRandom
    /// Called with everything that happens, for a trace.
    package var onNote: (@LoopActor (String) -> Void)?
    /// What was done, for comparing two runs.
    package private(set) var digest = Digest()

    package init(seed: UInt64, start: Instant) {
        random = SeededRandom(seed: seed)
        self.start = start
    }

    /// The machine's wall clock; it only runs, nobody sets it.
    package var now: Instant { start + Milliseconds(nowNs / 1_000_000) }

    /// Calls `body` after `delay` nanoseconds; what is due at one instant is called in order of these calls.
    package func after(_ delay: Int64, _ body: @escaping @LoopActor () -> Void) {
        at(nowNs + max(0, delay), body)
    }

    /// Calls `body` at an instant of `nowNs`.
    package func at(_ due: Int64, _ body: @escaping @LoopActor () -> Void) {
        lastNumber += 1
        heap.append(Entry(due: max(due, nowNs), number: lastNumber, body: body))
        siftUp(heap.count - 1)
    }

    /// Calls `body` at an instant of the wall clock.
    package func at(_ due: Instant, _ body: @escaping @LoopActor () -> Void) {
        at((due - start).count * 1_000_000, body)
    }

    /// Runs the next thing.
    /// - Returns: false if there is none.
    package func step() -> Bool {
        guard let next = heap.first else { return false }
        removeFirst()
        let before = now
        nowNs = next.due
        if now != before { onTime?(now) }
        steps += 1
        next.body()
        return true
    }

    /// Forgets everything that is due.
    package func clear() { heap = [] }

    /// When the next thing is due; nil if there is none.
    package var nextDue: Int64? { heap.first?.due }

    /// Adds something that happened to the digest.
    package func note(_ kind: StaticString, _ number: Int, _ bytes: [UInt8] = []) {
        onNote?("\(UTCTime.text(now)) \(kind) \(number) \(String(decoding: bytes, as: UTF8.self))")
        kind.withUTF8Buffer { digest.add($0) }
        withUnsafeBytes(of: (Int64(number), nowNs)) { digest.add($0) }
        bytes.withUnsafeBytes { digest.add($0) }
    }

    /// FNV-1a of 64 bits, by words.
    package struct Digest: Equatable, Sendable {
        package private(set) var value: UInt64 = 14_695_981_039_346_656_037

        mutating func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { value = (value ^ UInt64(byte)) &* 1_099_511_628_211 }
        }
    }

    private func precedes(_ one: Entry, _ other: Entry) -> Bool {
        (one.due, one.number) < (other.due, other.number)
    }

    private func siftUp(_ start: Int) {
        var index = start
        while index > 0, precedes(heap[index], heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && precedes(heap[child], heap[least]) { least = child }
            guard least != index else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
