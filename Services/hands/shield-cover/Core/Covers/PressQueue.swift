import Bus
import Contract
import Loop
import Units

/// Presses that somebody must act on. Each is kept until its number was acknowledged or its cover removed, so
/// that neither side loses one when the other restarts.
@LoopActor final class PressQueue {
    private var presses: [CoverPress] = []
    private var last: Int64
    private var waiting: [(after: Int64, answer: @LoopActor ([CoverPress]) -> Void)] = []

    /// - Parameter now: of the monotonic clock. Numbers start there, so that those of a later process are
    ///   greater.
    init(now: Milliseconds) { last = now.count }

    /// Adds a press and gives it its number.
    func add(_ press: CoverPress) {
        last += 1
        var press = press
        press.number = last
        presses.append(press)
        if presses.count > CoverLimits.pressesMax { presses.removeFirst() }
        let ready = waiting
        waiting = []
        for one in ready { wait(after: one.after, one.answer) }
    }

    /// Calls `answer` with the presses after that number, now or when there is one.
    func wait(after: Int64, _ answer: @escaping @LoopActor ([CoverPress]) -> Void) {
        presses.removeAll { $0.number <= after }
        guard presses.isEmpty else { return answer(presses) }
        waiting.append((after, answer))
        // The oldest caller has given up, or asks again at its deadline.
        if waiting.count > CoverLimits.pressesMax { waiting.removeFirst() }
    }

    /// Forgets the presses of a cover that is gone.
    func forget(window: Int64) { presses.removeAll { $0.cover.window == window } }
}
