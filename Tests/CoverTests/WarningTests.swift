import Contract
import Loop
import ServiceKit
import Testing
import Units

@testable import CoverCore

/// Warnings before a shield: what they show, how long, and where.
@Suite(.serialized) @LoopActor struct WarningTests {
    @LoopActor private final class View: WarningView {
        var onDismiss: (@LoopActor () -> Void)?
        private(set) var faces: [WarningFace] = []
        private(set) var frame: Frame?
        private(set) var isClosed = false
        func set(_ face: WarningFace) { faces.append(face) }
        func size(atMost width: Int) -> (width: Int, height: Int) {
            faces.last?.form == .banner ? (min(300, width), 100) : (90, 30)
        }
        func show(at frame: Frame) { self.frame = frame }
        private(set) var raises = 0
        func raise() { raises += 1 }
        func close() { isClosed = true }
    }

    @LoopActor private final class Desktop: WarningDesktop {
        var monitors = [
            Frame(x: 0, y: 0, width: 1_000, height: 700), Frame(x: 1_000, y: 0, width: 800, height: 600),
        ]
        var windows: [UInt32: Frame] = [:]
        var pointer: (place: Frame, window: Frame?) = (Frame(x: 500, y: 300, width: 1, height: 1), nil)
        let scale = 1
        func frame(of window: UInt32) -> Frame? { windows[window] }
    }

    @LoopActor private final class Stage {
        let desktop = Desktop()
        var views: [View] = []
        var now: Milliseconds = 1_000
        let lines = Lines()
        private(set) lazy var keeper = WarningKeeper(
            desktop,
            WarningKeeper.Ports(
                makeView: { [unowned self] in
                    views.append(View())
                    return views[views.count - 1]
                },
                appearance: { .light }, now: { [unowned self] in now }),
            words: .english, log: Log(name: "test", level: .info, to: lines))

        func show(
            _ key: String = "a", _ seconds: Int64 = 300, counting: Bool = true, focus: Int64? = nil
        ) throws -> Bool {
            try keeper.show(
                WarningShow.Params(
                    key: key, title: "Games end soon", body: "Tea", secondsLeft: seconds, counting: counting,
                    focusWindow: focus))
        }
    }

    // MARK: what it shows

    @Test func timesAreRoundedUp() {
        #expect(WarningFace.clock(299) == "4:59" && WarningFace.clock(3_899) == "1:04:59")
        let words = WarningWords.english
        #expect([300, 299, 241, 240, 61, 60, 59, 1].map { words.left($0) } == [
            "5 min left", "5 min left", "5 min left", "4 min left", "2 min left", "60 s left", "59 s left",
            "1 s left",
        ])
        #expect(words.spoken(60) == "1 minute left" && words.spoken(61) == "2 minutes left")
        #expect(words.spoken(1) == "1 second left" && words.spoken(2) == "2 seconds left")
        #expect(WarningWords.korean.left(300) == "5분 남음" && WarningWords.korean.spoken(1) == "1초 남았습니다")
        for (left, next) in [(300_000, 1_000), (299_500, 500), (1, 1)] as [(Int64, Int64)] {
            #expect(WarningFace.nextChange(.banner, left: Milliseconds(left)).count == next)
        }
        for (left, next) in [(300_000, 60_000), (250_000, 10_000), (60_001, 1), (60_000, 1_000)]
            as [(Int64, Int64)]
        {
            #expect(WarningFace.nextChange(.chip, left: Milliseconds(left)).count == next, "\(left)")
        }
    }

    @Test func textsAreLiteralAndCut() {
        let face = WarningFace(
            .banner, title: "a\u{202E}b\nc" + String(repeating: "x", count: 9_000), body: "\u{200B}", left: 5,
            isPaused: true, words: .english, appearance: .dark)
        #expect(face.title.hasPrefix("ab cx") && face.title.utf8.count <= CoverLimits.titleBytesMax)
        #expect(face.body == nil && face.time == "0:05 · paused")
        let empty = WarningFace(
            .chip, title: "", body: nil, left: 5, isPaused: false, words: .english, appearance: .dark)
        #expect(empty.title == "Time is almost up" && empty.time == "5 s left")
    }

    // MARK: how long

    @Test func aBannerBecomesAChipAndEnds() async throws {
        let stage = Stage()
        #expect(try stage.show() && stage.keeper.isNeeded)
        let view = stage.views[0]
        #expect(view.faces.last?.form == .banner && view.faces.last?.time == "5:00")
        stage.now += CoverLimits.banner
        stage.keeper.paintAll()
        #expect(view.faces.last?.form == .chip && view.faces.last?.time == "5 min left")
        stage.now += 289_999
        stage.keeper.paintAll()
        #expect(view.faces.last?.time == "1 s left" && !view.isClosed)
        stage.now += 1
        // The last second ends by its own timer.
        await EventLoop.main.pause(30)
        #expect(view.isClosed && !stage.keeper.isNeeded)
        #expect(stage.keeper.shownCount == 0)
    }

    @Test func itCountsBySecondsByItself() async throws {
        let stage = Stage()
        stage.now = 0
        _ = try stage.show("a", 300)
        stage.now = 300_000 - 2_001
        stage.keeper.paintAll()
        let count = stage.views[0].faces.count
        stage.now += 1
        await EventLoop.main.pause(30)
        #expect(stage.views[0].faces.count == count + 1 && stage.views[0].faces.last?.time == "2 s left")
    }

    @Test func aPausedOneStandsStill() throws {
        let stage = Stage()
        _ = try stage.show()
        stage.now += 60_000
        _ = try stage.show("a", 240, counting: false)
        stage.now += 500_000
        stage.keeper.paintAll()
        #expect(stage.views.count == 1 && stage.views[0].faces.last?.time == "4 min left · paused")
        _ = try stage.show("a", 240)
        stage.now += 1_000
        stage.keeper.paintAll()
        #expect(stage.views[0].faces.last?.time == "4 min left")
        #expect(try !stage.show("a", 0) && stage.views[0].isClosed)
    }

    @Test func whatWasDismissedStaysAway() throws {
        let stage = Stage()
        _ = try stage.show()
        stage.views[0].onDismiss?()
        #expect(stage.views[0].isClosed && stage.keeper.shownCount == 0)
        #expect(try !stage.show("a", 200) && stage.views.count == 1)
        #expect(stage.keeper.isNeeded, "it must be remembered until its time is over")
        _ = try stage.show("a", 200, counting: false)
        #expect(!stage.keeper.isNeeded, "which may be never")
        #expect(!stage.keeper.hide("a") && !stage.keeper.hide("b"))
        #expect(try stage.show() && stage.keeper.hide("a"))
    }

    @Test func theListIsToldWhenItChanges() throws {
        let stage = Stage()
        var lists: [WarningList.Result] = []
        stage.keeper.list(after: 0) { lists.append($0) }
        #expect(lists.count == 1 && lists[0].warnings.isEmpty)
        stage.keeper.list(after: lists[0].number) { lists.append($0) }
        #expect(lists.count == 1, "nothing changed")
        _ = try stage.show("a", 300)
        #expect(lists.count == 2 && lists[1].warnings.map(\.warning.key) == ["a"])
        #expect(lists[1].number > lists[0].number && !lists[1].warnings[0].dismissed)
        stage.keeper.list(after: lists[1].number) { lists.append($0) }
        stage.now += 1_500
        _ = try stage.show("a", 299)
        #expect(lists.count == 2, "the same warning")
        stage.now += 1_500
        stage.views[0].onDismiss?()
        #expect(lists.count == 3 && lists[2].warnings[0].dismissed)
        #expect(lists[2].warnings[0].warning.secondsLeft == 298, "now, rounded up")
        stage.keeper.list(after: 0) { lists.append($0) }
        #expect(lists.count == 4, "whoever knows none is answered at once")
        stage.keeper.list(after: lists[3].number) { lists.append($0) }
        stage.keeper.hide("a")
        #expect(lists.count == 5 && lists[4].warnings.isEmpty)
    }

    @Test func allAreRaisedTogether() throws {
        let stage = Stage()
        for key in ["a", "b"] { _ = try stage.show(key) }
        stage.views[0].onDismiss?()
        stage.keeper.raiseAll()
        #expect(stage.views.map(\.raises) == [0, 1])
    }

    @Test func thereAreLimits() throws {
        let stage = Stage()
        for number in 1...CoverLimits.warningsMax { #expect(try stage.show("\(number)")) }
        #expect(throws: ServiceError.self) { try stage.show("one more") }
        #expect(try stage.show("1", 5))
        #expect(throws: ServiceError.self) { try stage.show("") }
        #expect(throws: ServiceError.self) { try stage.show("a\u{202E}") }
    }

    // MARK: where

    @Test func itIsOnTheMonitorInUse() throws {
        let stage = Stage()
        stage.desktop.windows = [7: Frame(x: 1_100, y: 50, width: 500, height: 400)]
        _ = try stage.show("a", focus: 7)
        #expect(stage.views[0].frame == Frame(x: 1_012, y: 488, width: 300, height: 100))
        _ = try stage.show("b")
        #expect(stage.views[1].frame == Frame(x: 12, y: 588, width: 300, height: 100))
        _ = try stage.show("c")
        #expect(stage.views[2].frame?.y == 476, "above the other one")
        stage.keeper.hide("b")
        #expect(stage.views[2].frame?.y == 588)
        stage.desktop.windows = [:]
        _ = try stage.show("d", focus: 7)
        #expect(stage.views[3].frame?.x == 12, "its window is gone: where the pointer is")
    }

    @Test func itCoversNoWindowInUseWholly() throws {
        let stage = Stage()
        stage.desktop.pointer.window = Frame(x: 100, y: 620, width: 60, height: 40)
        _ = try stage.show()
        #expect(stage.views[0].frame?.x == 12 && stage.views[0].frame?.y == 12)
        stage.desktop.pointer.window = nil
        stage.keeper.paintAll()
        #expect(stage.views[0].frame?.x == 12, "it does not jump")
        stage.keeper.hide("a")
        stage.desktop.pointer.window = Frame(x: 0, y: 500, width: 400, height: 200)
        _ = try stage.show()
        #expect(stage.views[1].frame?.y == 588, "a part may be covered")
    }
}
