import Units
import Dispatch
import Loop
import Synchronization
import Testing

@testable import Hosting

/// When the files of a process are counted, and what it may write until a count is done.
@Suite @LoopActor struct FileWatchTests {
    /// A process that writes, with file counts that take a given time.
    private final class Process: Sendable {
        struct State {
            var (now, writtenBytes, roomBytes): (Milliseconds, Int64, Int64) = (0, 0, 0)
            var (took, counts): (Milliseconds, Int) = (0, 0)
            var excess: Excess?
            /// A count waits for it.
            var gate: DispatchSemaphore?
        }
        let state = Mutex(State())

        var sources: FileWatch.Sources {
            FileWatch.Sources(
                writtenBytes: { self.state.withLock(\.writtenBytes) }, count: count,
                now: { self.state.withLock(\.now) })
        }

        private func count() -> FileCount {
            state.withLock(\.gate)?.wait()
            return state.withLock { state in
                state.now += state.took
                state.counts += 1
                return FileCount(excess: state.excess, roomBytes: state.roomBytes)
            }
        }

        func set(_ change: (inout sending State) -> Void) { state.withLock { change(&$0) } }
        var counts: Int { state.withLock(\.counts) }
    }

    @Test func aCountThatTakesLongDoesNotHideWhatIsWritten() {
        let process = Process()
        var told: [Excess] = []
        let watch = FileWatch(process.sources) { told.append($0) }
        process.set { ($0.took, $0.roomBytes) = (20, 1_000) }
        watch.look(processorNs: 1)
        #expect(process.counts == 1)
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        process.set { ($0.now, $0.gate) = (1_000, gate) }
        // Begins a count that is not done until the end of this test, and does not wait for it.
        watch.look(processorNs: 2)
        let most = 1_000 + HostingLimits.uncountedBytesMax
        process.set { $0.writtenBytes = most }
        watch.look(processorNs: 3)
        #expect(told.isEmpty && process.counts == 1)
        process.set { $0.writtenBytes = most + 1 }
        watch.look(processorNs: 4)
        #expect(told.map(\.what) == [.disk] && told.first?.measured == most + 1)
        watch.look(processorNs: 5)
        #expect(told.count == 1)
    }

    /// Writing the same repeatedly takes no more room, and a process that used its room is counted before the
    /// pause ends.
    @Test func whatIsWrittenIsCountedBeforeItIsTooMuch() {
        let process = Process()
        var told: [Excess] = []
        let watch = FileWatch(process.sources) { told.append($0) }
        process.set { ($0.took, $0.roomBytes) = (5, 1_000) }
        watch.look(processorNs: 1)
        for look in 2...9 {
            process.set { $0.writtenBytes += 1_000 }
            watch.look(processorNs: Int64(look * 2))
            #expect(process.counts == look - 1)
            process.set { $0.writtenBytes += 1 << 40 }
            watch.look(processorNs: Int64(look * 2 + 1))
            #expect(process.counts == look && told.isEmpty)
        }
    }

    @Test func aCountIsNotRepeatedSoonNorWithoutWork() {
        let process = Process()
        let watch = FileWatch(process.sources) { _ in }
        process.set { ($0.took, $0.roomBytes) = (2, 1_000) }
        watch.look(processorNs: 1)
        // It ended at 2, and the pause lasts 20.
        process.set { $0.now = 21 }
        watch.look(processorNs: 2)
        #expect(process.counts == 1)
        process.set { $0.now = 22 }
        watch.look(processorNs: 1)
        #expect(process.counts == 1)
        watch.look(processorNs: 2)
        #expect(process.counts == 2)
    }
}
