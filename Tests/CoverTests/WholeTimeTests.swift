import Testing
import Units

@testable import CoverCore

@Suite struct WholeTimeTests {
    private static let day: Milliseconds = .hours(24)
    private static let round: Milliseconds = 4_294_967_296

    @Test(arguments: [10_000, UInt32.max - 100])
    func timesKeepTheirDistanceWhereTheClockBeginsAgain(_ first: UInt32) {
        var time = WholeTime(first, local: 5_000)
        let begin = time.whole(first, local: 5_000)
        #expect(begin == Milliseconds(Int64(first)))
        #expect(time.whole(first &+ 1_000, local: 6_000) == begin + 1_000)
        #expect(time.whole(first &+ 300, local: 90_000) == begin + 300, "read late")
    }

    /// A cover that stands for months, with and without anything that happens meanwhile.
    @Test(arguments: [1, 20, 100] as [Int64]) func monthsMakeNoDifference(_ days: Int64) {
        var time = WholeTime(7, local: 0)
        var passed: Milliseconds = 0
        while passed < Self.round * 3 {
            passed = passed + Self.day * days
            let shown = UInt32(truncatingIfNeeded: passed.count + 7)
            #expect(time.whole(shown, local: passed) == passed + 7)
        }
    }
}
