import CXcb
import Contract
import Glibc
import Loop
import Testing
import Time
import Units

@testable import CoverCore

/// Keys and clicks on a cover that are not meant for the button with the focus.
@Suite(.serialized, .enabled(if: isX11Here, "xvfb, openbox, xterm or xdotool is not installed"))
@LoopActor struct TypingTests {
    /// A cover that has the focus, and takes keys.
    private func withCover(
        _ body: @LoopActor (CoverStage, _ window: UInt32, _ cover: UInt32) async throws -> Void
    ) async throws {
        try await CoverStage.with { stage in
            stage.shield.response = .none
            let window = try await stage.openTerminal("Alpha")
            let cover = try await stage.coverActive(window)
            try await body(stage, window, cover)
        }
    }

    /// What a cover shows above its buttons.
    private func words(_ stage: CoverStage, _ cover: UInt32) throws -> [UInt32] {
        let place = try #require(stage.display.place(of: cover))
        return stage.pixels(Frame(x: place.x, y: place.y, width: place.width, height: place.height * 2 / 5))
    }

    private func openPage(_ stage: CoverStage, _ cover: UInt32) async throws {
        let before = try words(stage, cover)
        try await stage.xdotool("key", "Tab", "Return")
        try await stage.until("the page") { try words(stage, cover) != before }
    }

    /// Words have spaces, and a space presses a button.
    @Test func whatIsTypedOnThePageIsTheReason() async throws {
        try await withCover { stage, _, cover in
            try await openPage(stage, cover)
            let reason = "I need ten more minutes to save"
            try await stage.xdotool("type", "--delay", "130", reason)
            #expect(stage.auth.created.isEmpty && stage.shield.presses.isEmpty)
            try await stage.xdotool("key", "Tab", "Return")
            try await stage.until("the request") { !stage.auth.created.isEmpty }
            #expect(stage.auth.created.map(\.reason) == [reason])
            #expect(stage.auth.created[0].minutes == 15 && stage.shield.presses.isEmpty)
        }
    }

    /// What was kept of an earlier look at the page is not selected, whatever had the focus meanwhile.
    @Test func whoOpensThePageAgainWritesOn() async throws {
        try await withCover { stage, _, cover in
            try await openPage(stage, cover)
            try await stage.xdotool("type", "ten")
            try await stage.xdotool("key", "Tab", "shift+Tab")
            try await stage.awaitButtons()
            try await stage.turn("Escape")
            try await stage.turn("Return")
            try await stage.xdotool("type", "more")
            try await stage.awaitButtons()
            try await stage.xdotool("key", "Tab", "Return")
            try await stage.until("the request") { !stage.auth.created.isEmpty }
            #expect(stage.auth.created.map(\.reason) == ["tenmore"])
        }
    }

    /// Somebody types on when the request was made, and presses Enter once more.
    @Test func whoWasAnsweredPressesNoButtonByTheNextKey() async throws {
        try await withCover { stage, _, cover in
            try await openPage(stage, cover)
            try await stage.xdotool("type", "minutes")
            try await stage.awaitButtons()
            try await stage.xdotool("key", "Tab", "Return")
            try await stage.until("the request") { !stage.auth.created.isEmpty }
            try await stage.xdotool("type", "--delay", "130", " to save it")
            try await stage.awaitButtons()
            try await stage.xdotool("key", "Return")
            // Whoever wants to, can.
            try await stage.xdotool("key", "Tab", "Return")
            try await stage.until("the press") { !stage.shield.presses.isEmpty }
            try await stage.awaitButtons()
            try await stage.xdotool("key", "Tab", "Return")
            try await stage.until("the minute") { stage.auth.created.count == 2 }
            #expect(stage.shield.presses.map(\.button) == [.primary])
            #expect(stage.auth.created.map(\.oneMoreMinute) == [nil, true])
        }
    }

    /// Somebody writes two lines: Enter goes on to the lengths, and the next space presses none.
    @Test func whoTypesOnAfterEnterAsksForNothing() async throws {
        try await Typist.withoutRest(of: CoverLimits.keyQuiet) { typist in
            try await whoTypesOnAfterEnterAsksForNothing(typist)
        }
    }

    private func whoTypesOnAfterEnterAsksForNothing(_ typist: Typist) async throws {
        try await withCover { stage, _, cover in
            try await openPage(stage, cover)
            try await stage.xdotool("type", "ten minutes")
            try await stage.awaitButtons()
            for key in ["Return", "t", "o", "space", "s", "Return"] { try await typist.press(key, stage) }
            if typist.restAtMost() >= CoverLimits.keyQuiet { return }
            try await stage.awaitButtons()
            #expect(stage.auth.created.isEmpty && stage.shield.presses.isEmpty)
            try await stage.xdotool("key", "Tab", "Return")
            try await stage.until("the request") { !stage.auth.created.isEmpty }
            #expect(stage.auth.created[0].reason == "ten minutes")
            #expect(stage.auth.created[0].minutes == 60)
        }
    }

    /// The down arrow would go on to a length.
    @Test func whoPressesAnArrowWhileTypingStaysInTheReason() async throws {
        try await withCover { stage, _, cover in
            try await openPage(stage, cover)
            try await stage.awaitButtons()
            try await stage.xdotool("type", "--delay", "50", "please")
            try await stage.xdotool("key", "Down", "Up")
            try await stage.xdotool("type", "--delay", "50", " let me")
            try await stage.xdotool("key", "Tab", "Return")
            try await stage.until("the request") { !stage.auth.created.isEmpty }
            #expect(stage.auth.created.map(\.reason) == ["please let me"])
        }
    }

    /// The button of more time gives a minute then, which there is once a day.
    @Test func aButtonThatDoesSomethingElseWaits() async throws {
        try await withCover { stage, _, cover in
            var sentence = try #require(stage.display.place(of: cover))
            sentence = Frame(
                x: sentence.x, y: sentence.y + sentence.height * 2 / 5, width: sentence.width,
                height: sentence.height / 6)
            let shown = stage.pixels(sentence), before = try await stage.turns()
            try stage.auth.ask(RequestCreate.Params(kind: .app, subject: "alpha", minutes: 15))
            try await stage.until("what was asked") { stage.pixels(sentence) != shown }
            #expect(try await stage.turns() > before)
        }
    }

    /// GTK clicks when the button of the pointer is released.
    @Test func whoHoldsAButtonThatDoesSomethingElseMeanwhilePressesNothing() async throws {
        try await withCover { stage, _, cover in
            let button = try stage.lowestButton(of: cover)
            try await stage.xdotool("mousemove", "\(button.x)", "\(button.y)", "mousedown", "1")
            let before = try await stage.turns()
            try stage.auth.ask(RequestCreate.Params(kind: .app, subject: "alpha", minutes: 15))
            try await stage.awaitTurn("the minute", since: before)
            try await stage.xdotool("mouseup", "1")
            try await stage.awaitButtons()
            #expect(stage.auth.created.isEmpty && stage.shield.presses.isEmpty)
            try await stage.xdotool("click", "1")
            try await stage.until("the minute") { !stage.auth.created.isEmpty }
            #expect(stage.auth.created.map(\.oneMoreMinute) == [true])
        }
    }

    /// The text that has the focus after asking has no room in a small window: no button gets the focus.
    @Test func whoWasAnsweredPressesNoButtonOfAWindowThatShrinks() async throws {
        try await withCover { stage, window, cover in
            try await openPage(stage, cover)
            try await stage.awaitButtons()
            try await stage.turn("what became of it") {
                try await stage.xdotool("key", "Tab", "Return")
                try await stage.until("the request") { !stage.auth.created.isEmpty }
            }
            try await stage.xdotool("windowsize", "\(window)", "170", "70")
            try await stage.until("the small cover") {
                stage.display.place(of: cover).map { $0.height < 150 } ?? false
            }
            try await stage.awaitFit(cover, over: window, "small")
            try await stage.until("its focus") { stage.active == cover }
            try await stage.awaitButtons()
            try await stage.xdotool("key", "space", "Return")
            try await stage.xdotool("key", "Tab", "Tab", "Return")
            try await stage.until("the minute") { stage.auth.created.count == 2 }
            #expect(stage.shield.presses.isEmpty)
        }
    }

    /// The server repeats a key that is held for 0.66 s, 25 times a second.
    @Test func aKeyThatIsHeldOpensThePageOnly() async throws {
        try await withCover { stage, _, cover in
            let before = try words(stage, cover)
            try await stage.xdotool("key", "Tab", "keydown", "Return", "sleep", "3", "keyup", "Return")
            try await stage.until("the page") { try words(stage, cover) != before }
            try await stage.awaitButtons()
            try await stage.xdotool("type", "ok")
            try await stage.xdotool("key", "Tab", "Return")
            try await stage.until("the request") { !stage.auth.created.isEmpty }
            #expect(stage.auth.created.map(\.reason) == ["ok"] && stage.shield.presses.isEmpty)
        }
    }

    @Test func aKeyThatIsHeldPressesAButtonOnce() async throws {
        try await withCover { stage, _, _ in
            stage.shield.look = ShieldLook(secondaryButtonLabel: ShieldLabel(text: "More"))
            try await stage.turn("the look") { try stage.shield.change("alpha", to: stage.shield.look) }
            try await stage.xdotool("keydown", "Return", "sleep", "3", "keyup", "Return")
            try await stage.until("the press") { !stage.shield.presses.isEmpty }
            try await stage.awaitButtons()
            try await stage.xdotool("key", "Tab", "Return")
            try await stage.until("the other press") { stage.shield.presses.last?.button == .secondary }
            #expect(stage.shield.presses.map(\.button) == [.primary, .secondary])
        }
    }

    /// What makes a cover wait, and what is done meanwhile.
    enum Moment: CaseIterable { case keyAtFirst, clickAtFirst, keyWhenTheAppStayed }

    /// The process of covers gets no processor meanwhile, and reads it late.
    @Test(arguments: Moment.allCases)
    func whatWasPressedTooEarlyIsDropped(_ moment: Moment) async throws {
        for _ in 1...20 { if try await isTooEarly(moment) { return } }
        Issue.record("no attempt pressed its keys in time")
    }

    /// - Returns: whether everything was pressed before the buttons could be.
    private func isTooEarly(_ moment: Moment) async throws -> Bool {
        var isEarly = false
        try await CoverStage.with { stage in
            stage.shield.response = .none
            stage.shield.look = ShieldLook(secondaryButtonLabel: ShieldLabel(text: "More"))
            let window = try await stage.openPlain(width: 640, height: 420)
            stage.activate(window)
            try await stage.until("the focus") { stage.active == window }
            // The process starts, and has its first window.
            _ = try await stage.call(CoverPrepare.self, Nothing())
            var begin = MonotonicClock.now
            let cover = try await stage.cover(window).id
            try await stage.until("the look") { stage.shield.asked > 0 }
            if moment != .clickAtFirst { try await stage.until("the focus") { stage.active == cover } }
            if moment == .keyWhenTheAppStayed {
                try await stage.awaitButtons()
                var about = CoveredWindow(
                    window: Int64(window), app: "alpha", name: "Marble Game", subject: "alpha")
                about.closing = .stayed
                begin = MonotonicClock.now
                _ = try await stage.call(CoverShow.self, CoverShow.Params(cover: about))
            }
            // What it has read by now it has handled.
            _ = try await stage.call(CoverList.self, Nothing())
            let button = try stage.lowestButton(of: cover)
            let isClick = moment == .clickAtFirst
            let early = isClick
                ? ["mousemove", String(button.x), String(button.y), "click", "1"]
                : ["key", "d", "e", "a", "r", "Return"]
            try stage.process.signal(SIGSTOP)
            try await stage.xdotool(early)
            isEarly = MonotonicClock.now - begin < (isClick ? CoverLimits.pointerQuiet : CoverLimits.keyQuiet)
            try await stage.xdotool("sleep", "1.5")
            try stage.process.signal(SIGCONT)
            try await stage.awaitButtons()
            // The primary button has the focus. The other one than before:
            try await stage.xdotool(["key"] + (isClick ? [] : ["Tab"]) + ["Return"])
            let pressed: ShieldButton = isClick ? .primary : .secondary
            try await stage.until("the press") { stage.shield.presses.last?.button == pressed }
            if isEarly { #expect(stage.shield.presses.map(\.button) == [pressed]) }
        }
        return isEarly
    }

    /// Another program may destroy the window of the clock.
    @Test func theClockOfTheServerGoesOn() async throws {
        try await CoverStage.with { stage in
            let clock = try ServerClock(display: stage.world.environment["DISPLAY"] ?? "")
            var last = clock.now
            for _ in 0..<3 {
                for child in children(stage.display) { xcb_destroy_window(stage.display.raw, child) }
                _ = stage.display.place(of: stage.display.root)
                let now = clock.now
                #expect(now >= last && now - last < 60_000)
                last = now
            }
        }
    }

    /// Windows of one pixel.
    private func children(_ display: XDisplay) -> [xcb_window_t] {
        guard let tree = xcb_query_tree_reply(display.raw, xcb_query_tree(display.raw, display.root), nil)
        else { return [] }
        defer { free(tree) }
        let windows = UnsafeBufferPointer(
            start: xcb_query_tree_children(tree), count: Int(xcb_query_tree_children_length(tree)))
        return windows.filter { display.place(of: $0).map { $0.width * $0.height == 1 } ?? false }
    }
}
