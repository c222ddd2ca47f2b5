import os
import Testing

@Suite struct UnfairLockTests {
    @Test func manyThreadsCountTogether() async {
        let count = OSAllocatedUnfairLock(initialState: 0)
        await concurrently(4) { _ in for _ in 0..<1_000 { count.withLock { $0 += 1 } } }
        #expect(count.withLock { $0 } == 4_000)
    }

    @Test func aHeldLockIsNotAvailable() async {
        let lock = OSAllocatedUnfairLock()
        lock.lock()
        lock.precondition(.owner)
        await concurrently(1) { _ in #expect(!lock.lockIfAvailable()) }
        lock.unlock()
        #expect(lock.lockIfAvailable())
        lock.unlock()
        #expect(lock.withLock { 5 } == 5)
    }
}
