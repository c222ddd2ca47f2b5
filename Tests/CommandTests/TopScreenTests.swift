import CommandKit
import Contract
import Testing
import Units

@testable import CommandCore

struct TopScreenTests {
    private func state(apps: Int, shields: Int = 0) -> TopState {
        var state = TopState()
        state.now = Instant(1_772_450_000_000)
        state.total = 5_400_000
        state.apps = (0..<apps).map { .init(name: "App \($0)", time: Milliseconds(3_600_000 / ($0 + 1))) }
        state.shields = (0..<shields).map { .init(name: "game \($0)", why: "org.screentime.limits daily") }
        return state
    }

    private func text(_ state: TopState, columns: Int = 60, rows: Int = 24, isLive: Bool = true) -> [String] {
        TopScreen.lines(state, columns: columns, rows: rows, isLive: isLive).map(\.written)
    }

    @Test func theLongestIsFirstAndEachHasItsBar() throws {
        var one = state(apps: 2)
        one.current = ("App 1", Instant(1_772_450_000_000 - 120_000))
        let lines = text(one)
        #expect(lines[0].hasPrefix("Today ") && DisplayWidth.of(lines[0]) == 60)
        #expect(lines[1].hasPrefix("Now App 1, for "))
        let first = try #require(lines.firstIndex { $0.hasPrefix("App 0") })
        let bars = lines[first...(first + 1)].map { $0.filter { "█#".contains($0) }.count }
        #expect(bars[0] == 2 * bars[1] && bars[1] > 0, "\(lines)")
    }

    @Test(arguments: [1, 4, 8, 12, 24, 60], [0, 3, 40])
    func thereAreNeverMoreLinesThanRows(_ rows: Int, _ shields: Int) {
        let lines = text(state(apps: 30, shields: shields), rows: rows)
        #expect(lines.count <= rows, "\(lines)")
        if rows >= 12 { #expect(lines.contains { $0.hasPrefix("App 0") } && lines.last == "q quits") }
    }

    @Test func whatDoesNotFitIsCounted() {
        let lines = text(state(apps: 30), rows: 12)
        let shown = lines.filter { $0.hasPrefix("App ") }.count
        #expect(lines.contains("and \(30 - shown) more") && shown > 3, "\(lines)")
    }

    @Test func longNamesAreCut() {
        var one = state(apps: 1)
        one.apps[0].name = String(repeating: "긴 이름 ", count: 30)
        let lines = text(one, columns: 50)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 50 }, "\(lines)")
        #expect(lines.contains { $0.contains("…") }, "\(lines)")
    }

    @Test func aCategoryOfAppsAndSitesIsNamedOnce() {
        var one = state(apps: 1, shields: 2)
        one.shields.append(one.shields[0])
        #expect(text(one).count { $0.hasPrefix("game 0") } == 1, "\(text(one))")
        #expect(text(one).contains { $0.hasPrefix("game 1") }, "\(text(one))")
    }

    @Test func whatIsShieldedAndOpenIsNamed() {
        var one = state(apps: 1, shields: 1)
        one.exceptions = [.init(name: "chess", why: "until 14:00")]
        let lines = text(one, columns: 40, isLive: false)
        #expect(lines.contains("game 0    org.screentime.limits daily"), "\(lines)")
        #expect(lines.contains("chess  until 14:00"), "\(lines)")
        #expect(!lines.contains("q quits"))
        let narrow = text(one, columns: 24, isLive: false)
        #expect(narrow.contains("game 0    org.screentim…"), "\(narrow)")
    }
}
