/// Identifies a pending timer.
package struct TimerToken: Equatable, Sendable { fileprivate var id: UInt64 }

/// Pending timers ordered by due time on one clock, as a binary heap. A cancelled timer stays until it
/// reaches the top.
@LoopActor package struct TimerHeap<Due: Comparable> {
    private struct Entry {
        var due: Due
        var id: UInt64
    }
    private var heap: [Entry] = []
    private var bodies: [UInt64: @LoopActor () -> Void] = [:]
    private var nextID: UInt64 = 1

    /// Without timers.
    package init() {}

    /// Adds a timer.
    package mutating func insert(due: Due, _ body: @escaping @LoopActor () -> Void) -> TimerToken {
        defer { nextID += 1 }
        bodies[nextID] = body
        heap.append(Entry(due: due, id: nextID))
        siftUp(heap.count - 1)
        return TimerToken(id: nextID)
    }

    /// Cancels a timer; does nothing if it has fired.
    package mutating func cancel(_ token: TimerToken) {
        bodies[token.id] = nil
        if bodies.isEmpty { heap.removeAll() }
    }

    /// Due time of the earliest timer; nil if there is none.
    package var nextDue: Due? {
        mutating get {
            dropCancelled()
            return heap.first?.due
        }
    }

    /// The timers that are there now. What they add waits for the next round, so that a timer which arms
    /// itself in the past does not keep its process from everything else.
    package struct Round { fileprivate var nextID: UInt64 }

    /// Begins to call what is due.
    package var round: Round { Round(nextID: nextID) }

    /// Removes the earliest timer if it is due at `now` and part of the round, and returns its closure.
    package mutating func popDue(_ now: Due, in round: Round) -> (@LoopActor () -> Void)? {
        dropCancelled()
        guard let first = heap.first, first.due <= now, first.id < round.nextID else { return nil }
        removeFirst()
        return bodies.removeValue(forKey: first.id)
    }

    private mutating func dropCancelled() {
        while let first = heap.first, bodies[first.id] == nil { removeFirst() }
    }

    private func precedes(_ left: Entry, _ right: Entry) -> Bool {
        (left.due, left.id) < (right.due, right.id)
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0, precedes(heap[index], heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var index = 0
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < heap.count }
            guard let least = children.min(by: { precedes(heap[$0], heap[$1]) }),
                precedes(heap[least], heap[index])
            else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
