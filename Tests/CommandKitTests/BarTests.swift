import Testing

@testable import CommandKit

struct BarTests {
    @Test(
        arguments: [
            (1.0, "████"), (0.5, "██"), (0.47, "█▉"), (0.001, "▏"), (0, ""), (-1, ""), (7, "████"),
        ] as [(Double, String)]) func aBarIsAsLongAsItsShare(_ share: Double, _ bar: String) {
        #expect(Bar.text(share, columns: 4, hasBlocks: true) == bar)
    }

    @Test func withoutUnicodeItIsWrittenWithSigns() {
        #expect(Bar.text(0.5, columns: 4, hasBlocks: false) == "##")
        #expect(Bar.text(0.001, columns: 4, hasBlocks: false) == "#")
        #expect(Bar.text(0, columns: 4, hasBlocks: false) == "")
    }

    /// Wide letters, too: all bars begin in the same column, and end within the terminal.
    @Test func barsBeginBelowEachOther() throws {
        var table = TextTable(["APP", "TIME"])
        table.add(["한글", "1 h 00 min"], share: 1)
        table.add(["a long name of an app", "5 min 00 s"], share: 0.25)
        table.add(["total", "1 h 05 min"])
        let bars = table.bars(columns: 60, hasBlocks: true)
        #expect(bars.keys.sorted() == [1, 2], "neither the header nor the total has one")
        let starts = try [1, 2].map { try DisplayWidth.of(table.lines[$0]) + #require(bars[$0]).gap }
        #expect(starts == [35, 35])
        #expect(bars[1]?.bar.count == 25 && bars[2]?.bar.count == 7)
        #expect(table.bars(columns: 200)[1].map { DisplayWidth.of($0.bar) } == Bar.columnsMax)
        #expect(table.bars(columns: 40, hasBlocks: true).isEmpty, "no room")
    }
}
