import Loop
import Testing

@testable import DesktopCore

/// What changes while it is read is read once more.
@Suite @LoopActor struct LatestReadingTests {
    /// Answers a reading with the value of when it began, when it is told.
    @LoopActor private final class Source {
        var present = 1
        private(set) var pending: [@LoopActor () -> Void] = []
        var taken: [Int] = []

        func begin(_ end: @escaping @LoopActor (Int) -> Void) {
            let value = present
            pending.append { end(value) }
        }

        func answer() {
            let all = pending
            pending = []
            for end in all { end() }
        }
    }

    private static func make() -> (Source, LatestReading<Int>) {
        let source = Source()
        return (source, LatestReading({ source.begin($0) }, take: { source.taken.append($0) }))
    }

    @Test func aChangeDuringAReadingIsReadAfterIt() {
        let (source, reading) = Self.make()
        reading.read()
        source.present = 2
        reading.read()
        reading.read()
        #expect(source.pending.count == 1, "one at a time")
        source.answer()
        #expect(source.pending.count == 1, "once more")
        source.answer()
        #expect(source.pending.isEmpty && source.taken == [1, 2])
        reading.read()
        source.answer()
        #expect(source.pending.isEmpty && source.taken == [1, 2, 2])
    }

    @Test func whatIsKnownIsReadAgainOnlyDuringAReading() {
        let (source, reading) = Self.make()
        reading.changed()
        #expect(source.pending.isEmpty)
        reading.read()
        source.present = 3
        reading.changed()
        source.answer()
        #expect(source.taken.isEmpty, "3 is known already")
        source.answer()
        #expect(source.pending.isEmpty && source.taken == [3])
    }
}
