import CXcb
import Contract
import Loop
import Testing
import Time
import Units

@testable import CoverCore

extension CoverStage {
    /// The app of a window asks something in another one.
    fileprivate func ask(
        _ question: UInt32, over window: UInt32, name: String = "Marble Game"
    ) async throws {
        var about = CoveredWindow(window: Int64(window), app: "alpha", name: name, subject: "alpha")
        (about.closing, about.question) = (.asking, Int64(question))
        _ = try await call(CoverShow.self, CoverShow.Params(cover: about))
    }
}

/// Asking for more time in a real session, by keyboard.
@Suite(.serialized, .enabled(if: isX11Here, "xvfb, openbox, xterm or xdotool is not installed"))
@LoopActor struct AskDesktopTests {
    /// A cover that has the focus, with the page open.
    private func withPage(
        category: String? = nil, _ body: @LoopActor (CoverStage, UInt32) async throws -> Void
    ) async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openTerminal("Alpha")
            let cover = try await stage.cover(window, category: category).id
            try await stage.until("the requests") { stage.auth.read > 0 && stage.shield.asked > 0 }
            try await stage.until("the focus") { stage.active == cover }
            try await stage.awaitButtons()
            try await stage.turn("Tab", "Return")
            try await body(stage, window)
        }
    }

    /// A cover that has the focus, and another window of its app, which
    /// ``CoverStage/ask(_:over:name:)`` makes a question.
    private func withQuestion(
        _ manager: String,
        _ body: @LoopActor (
            _ stage: CoverStage, _ question: UInt32, _ window: UInt32, _ cover: UInt32
        ) async throws -> Void
    ) async throws {
        try await CoverStage.with(manager: manager) { stage in
            let question = try await stage.openTerminal("Question", at: "30x5+560+420")
            let window = try await stage.openTerminal("Alpha")
            stage.activate(window)
            let cover = try await stage.cover(window).id
            try await stage.until("the look") { stage.auth.read > 0 && stage.shield.asked > 0 }
            try await stage.until("the focus") { stage.active == cover }
            try await body(stage, question, window, cover)
        }
    }

    @Test func byKeyboardAlone() async throws {
        try await withPage { stage, window in
            // The page opens on the reason; Enter goes on to 15 minutes.
            try await stage.xdotool("type", "homework")
            try await stage.turn("Return")
            try await stage.xdotool("key", "Tab", "Return")
            try await stage.until("the request") { !stage.auth.created.isEmpty }
            let asked = stage.auth.created[0]
            #expect(asked.minutes == 60 && asked.reason == "homework" && asked.subject == "alpha")
            #expect(asked.kind == .app && asked.oneMoreMinute == nil && asked.member == nil)
            let trace = try #require(stage.auth.traces.first)
            let names = try await stage.spans(trace) { $0.isSuperset(of: ["ask", "request.create"]) }
            #expect(names.contains("ask"), "one trace from the button on")
            #expect(stage.shield.presses.isEmpty)
            let typed = stage.typed("Alpha")
            #expect(typed == "", "nothing that was typed reached the window")
        }
    }

    @Test func escapeLeavesThePageOnly() async throws {
        try await withPage { stage, window in
            try await stage.turn("Escape")
            // The page is closed, and the button that opened it has the focus.
            try await stage.xdotool("key", "Escape", "shift+Tab", "Return")
            try await stage.until("the press") { !stage.shield.presses.isEmpty }
            #expect(stage.auth.created.isEmpty && stage.shield.presses[0].button == .primary)
            #expect(stage.coverID(of: window) != nil)
        }
    }

    @Test func aCategoryCanBeChosen() async throws {
        try await withPage(category: "games") { stage, _ in
            try await stage.xdotool("key", "shift+Tab", "space")
            try await stage.xdotool("key", "Tab", "Tab", "Return")
            try await stage.until("the request") { !stage.auth.created.isEmpty }
            #expect(stage.auth.created[0].kind == .category && stage.auth.created[0].subject == "games")
        }
    }

    /// From the reason on to the first length, for the app.
    private func askForHomework(_ stage: CoverStage) async throws {
        try await stage.turn("Return")
        try await stage.xdotool("key", "Return")
        try await stage.until("the request") { !stage.auth.created.isEmpty }
        #expect(stage.auth.created.map(\.reason) == ["homework"])
        #expect(stage.auth.created[0].kind == .app && stage.shield.presses.isEmpty)
    }

    /// A shield of the app itself comes: more time for the category is not asked for any more.
    @Test func whatWasChosenDoesNotBecomeSomethingElse() async throws {
        try await withPage(category: "games") { stage, window in
            try await stage.xdotool("type", "homework")
            try await stage.xdotool("key", "shift+Tab", "Right", "space")
            // In the reason, from where it goes on to the lengths: now it was chosen.
            try await stage.turn("Tab", "Return")
            try await stage.turn("the buttons of the cover") { try await stage.cover(window) }
            try await stage.xdotool("key", "space", "Return")
            // The page comes back with what was typed.
            try await stage.turn("Tab", "Tab", "Return")
            try await askForHomework(stage)
        }
    }

    /// The focus is among the choices, which go: it comes to the reason, of which nothing is lost.
    @Test func whatIsTypedStaysWhereThereIsNothingToChoose() async throws {
        try await withPage(category: "games") { stage, window in
            try await stage.xdotool("type", "home")
            try await stage.xdotool("key", "shift+Tab", "shift+Tab")
            try await stage.turn("the page without choices") { try await stage.cover(window) }
            try await stage.xdotool("type", "work")
            try await askForHomework(stage)
        }
    }

    /// The shield of the app ends while that of its category stays: the choices come above the buttons.
    @Test func whoWritesGoesOnWhenThereIsMoreToChoose() async throws {
        try await withPage { stage, window in
            try await stage.xdotool("type", "home")
            try await stage.turn("the choices") { try await stage.cover(window, category: "games") }
            try await stage.xdotool("type", "work")
            try await askForHomework(stage)
        }
    }

    /// The app may take its time to ask, and what is typed would press the buttons of its question.
    @Test(arguments: CoverStage.managers, [true, false])
    func whoWritesIsNotLedToAQuestion(_ manager: String, _ isNew: Bool) async throws {
        try await CoverStage.with(manager: manager) { stage in
            let early = isNew ? nil : try await stage.openTerminal("Question", at: "30x5+560+420")
            let window = try await stage.openTerminal("Alpha")
            let cover = try await stage.coverActive(window)
            try await stage.turn("Tab", "Return")
            try await stage.xdotool("type", "be")
            let question: UInt32 = if let early { early } else {
                try await stage.openTerminal("Question", at: "30x5+560+420")
            }
            try await stage.ask(question, over: window)
            try await stage.until("the focus is on the cover") { stage.active == cover }
            try await stage.xdotool("type", "cause")
            try await stage.xdotool("key", "Tab", "Return")
            try await stage.until("the request") { !stage.auth.created.isEmpty }
            #expect(stage.auth.created[0].reason == "because" && stage.typed("Question") == "")
            // The page closed; nobody writes any more.
            try await stage.until("the focus is on the question") { stage.active == question }
        }
    }

    /// As a person who asks for more time while the app waits for an answer.
    @Test(arguments: CoverStage.managers)
    func thePageCanBeUsedWhileTheAppAsks(_ manager: String) async throws {
        try await withQuestion(manager) { stage, question, window, cover in
            try await stage.ask(question, over: window)
            try await stage.until("the person is led there") { stage.active == question }
            stage.display.focus(cover, at: 0)
            try await stage.until("the focus") { stage.active == cover }
            // Something else about the cover changes: it is the same question.
            try await stage.ask(question, over: window, name: "Marbles")
            try await stage.awaitButtons()
            try await stage.turn("Tab", "Return")
            try await stage.xdotool("type", "because")
            try await stage.xdotool("key", "Tab", "Return")
            try await stage.until("the request") { !stage.auth.created.isEmpty }
            #expect(stage.auth.created[0].reason == "because" && stage.typed("Question") == "")
        }
    }

    /// xfwm4 raises a new cover with its window; while the order is put back, each window that is raised gets
    /// the focus.
    @Test(arguments: CoverStage.managers)
    func aQuestionLeadsAlsoWhileTheOrderIsPutBack(_ manager: String) async throws {
        try await CoverStage.with(manager: manager) { stage in
            let question = try await stage.openTerminal("Question", at: "30x5+560+420")
            let window = try await stage.openTerminal("Alpha")
            _ = try await stage.openTerminal("Other", at: "30x5+560+40")
            stage.activate(window)
            try await stage.until("the focus") { stage.active == window }
            let cover = try await stage.cover(window).id
            try await stage.ask(question, over: window)
            try await stage.awaitButtons()
            try await stage.until("the person is led there") { stage.active == question }
            stage.display.focus(cover, at: 0)
            try await stage.until("the focus is on the cover") { stage.active == cover }
            try await stage.awaitButtons()
            #expect(stage.active == cover, "once")
        }
    }

    /// The app asks while the person writes elsewhere: nobody is interrupted, and whoever comes to the cover
    /// is led to the question, once.
    @Test(arguments: CoverStage.managers)
    func whoComesToTheCoverLaterIsLedToTheQuestion(_ manager: String) async throws {
        try await CoverStage.with(manager: manager) { stage in
            let question = try await stage.openTerminal("Question", at: "30x5+560+420")
            let window = try await stage.openTerminal("Alpha")
            let cover = try await stage.cover(window).id
            let other = try await stage.openTerminal("Other", at: "30x5+560+40")
            // By then xfwm4's order is put back, and the focus with it.
            try await stage.awaitButtons()
            stage.activate(other)
            try await stage.until("the focus is elsewhere") { stage.active == other }
            try await stage.ask(question, over: window)
            try await stage.xdotool("type", "on")
            try await stage.until("what is typed") { stage.typed("Other") == "on" }
            #expect(stage.typed("Question") == "")
            stage.activate(window)
            try await stage.until("the person is led there") { stage.active == question }
            stage.display.focus(cover, at: 0)
            try await stage.until("the focus is on the cover") { stage.active == cover }
            try await stage.awaitButtons()
            #expect(stage.active == cover)
        }
    }

    /// As programs do that present their main window first.
    @Test(arguments: CoverStage.managers)
    func aQuestionThatComesAfterItsWindowDoesNotKeepTheFocus(_ manager: String) async throws {
        try await withQuestion(manager) { stage, question, window, cover in
            try await stage.awaitButtons()
            try await stage.turn("Tab", "Return")
            try await stage.xdotool("type", "be")
            try await stage.ask(question, over: window)
            var returned = 0, attempts = 0
            while returned < 5 {
                attempts += 1
                try #require(attempts < 50, "no key is pressed in time")
                let begin = MonotonicClock.now
                try await stage.xdotool("key", "Shift_L")
                stage.display.focus(window, at: 0)
                stage.display.focus(question, at: 0)
                try await stage.awaitManager()
                // Whoever rests may want to be there.
                if MonotonicClock.now - begin < CoverLimits.typing {
                    returned += 1
                } else {
                    stage.display.focus(cover, at: 0)
                }
                try await stage.until("the focus is back") {
                    stage.active == cover && stage.display.focused == cover
                }
            }
            // When the window had the focus, keys wait.
            try await stage.awaitButtons()
            try await stage.xdotool("type", "cause")
            try await stage.xdotool("key", "Tab", "Return")
            try await stage.until("the request") { !stage.auth.created.isEmpty }
            #expect(stage.auth.created[0].reason == "because" && stage.typed("Question") == "")
        }
    }

    /// Somebody goes through the buttons while the app asks: the next key is meant for the cover.
    @Test(arguments: CoverStage.managers)
    func whoGoesThroughTheButtonsIsNotLedToAQuestion(_ manager: String) async throws {
        try await Typist.withoutRest(of: CoverLimits.keyQuiet) { typist in
            try await withQuestion(manager) { stage, question, window, cover in
                try await stage.awaitButtons()
                try await typist.press("Tab", stage)
                try await stage.ask(question, over: window)
                let end = MonotonicClock.now + 2 * CoverLimits.keyQuiet
                while MonotonicClock.now < end { try await typist.press("Tab", stage) }
                let (typed, active) = (stage.typed("Question"), stage.active)
                guard typist.restAtMost() < CoverLimits.keyQuiet else { return }
                #expect(typed == "" && active == cover)
                try await stage.until("the person is led there") { stage.active == question }
            }
        }
    }

    /// It was laid out by the texts of the other buttons.
    @Test func thePageKeepsItsSizesWhenTheFocusGoesOn() async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openPlain(width: 320, height: 200)
            let cover = try await stage.coverActive(window)
            try await stage.awaitButtons()
            try await stage.turn("Tab", "Return")
            let place = try #require(stage.display.place(of: cover))
            // The title, and above it.
            let top = Frame(x: place.x, y: place.y, width: place.width, height: place.height / 5)
            let title = stage.pixels(top)
            #expect(Set(title).count > 2)
            try await stage.turn("Return")
            let isAsBefore = stage.pixels(top) == title
            #expect(isAsBefore)
        }
    }

    @Test func thePageThatGrowsLooksAsIfItWasOpenedThere() async throws {
        try await CoverStage.with(size: "1400x900") { stage in
            let grown = try await stage.openPlain(width: 244, height: 160, x: 20)
            // openbox chooses the place of a new window.
            try await stage.xdotool("windowmove", "--sync", String(grown), "20", "40")
            let grownCover = try await stage.coverActive(grown)
            try await stage.awaitButtons()
            try await stage.turn("Tab", "Return")
            let fresh = try await stage.openPlain(width: 520, height: 440, x: 640)
            try await stage.xdotool("windowmove", "--sync", String(fresh), "760", "40")
            let freshCover = try await stage.coverActive(fresh)
            try await stage.awaitButtons()
            try await stage.turn("Tab", "Return")
            try await stage.xdotool("windowsize", "--sync", String(grown), "520", "440")
            try await stage.awaitFit(grownCover, over: grown, "grown")
            try await stage.until("they look the same") {
                let looks = [grownCover, freshCover].compactMap { cover in
                    stage.display.place(of: cover).map { place in
                        // Below the reason, which has the focus in one of them.
                        let height = place.height / 3
                        let y = place.y + place.height - height
                        return stage.pixels(Frame(x: place.x, y: y, width: place.width, height: height))
                    }
                }
                return looks.count == 2 && looks[0] == looks[1] && Set(looks[0]).count > 2
            }
        }
    }

    /// The page opens when the button of the pointer is released. It may be the click that brings the focus.
    @Test(arguments: CoverStage.managers, [true, false])
    func aClickOnAButtonDoesNotLeadToTheQuestion(_ manager: String, _ isElsewhere: Bool) async throws {
        try await withQuestion(manager) { stage, question, window, cover in
            try await stage.awaitButtons()
            if isElsewhere {
                let other = try await stage.openTerminal("Other", at: "30x5+560+560")
                stage.activate(other)
                try await stage.until("the focus is elsewhere") { stage.active == other }
                try await stage.ask(question, over: window)
            } else {
                try await stage.ask(question, over: window)
                try await stage.until("the person is led there") { stage.active == question }
                stage.display.focus(cover, at: 0)
                try await stage.until("the focus is back") { stage.active == cover }
            }
            try await stage.awaitButtons()
            let button = try stage.lowestButton(of: cover)
            try await stage.turn("the page") { try await stage.click(button.x, button.y) }
            try await stage.until("the focus of the cover") { stage.active == cover }
            try await stage.awaitButtons()
            #expect(stage.active == cover)
            try await stage.xdotool("key", "Tab", "Return")
            try await stage.until("the request") { !stage.auth.created.isEmpty }
            #expect(stage.auth.created[0].minutes == 15 && stage.typed("Question") == "")
        }
    }

    /// Made elsewhere, with a delay that is over: the button approves it.
    @Test func aRequestMadeElsewhereIsAllowedHere() async throws {
        try await CoverStage.with { stage in
            stage.auth.delay = 0
            let window = try await stage.openTerminal("Alpha")
            let cover = try await stage.cover(window).id
            try await stage.until("the requests") { stage.auth.read > 0 && stage.shield.asked > 0 }
            try await stage.until("the focus") { stage.active == cover }
            try await stage.awaitButtons()
            try await stage.turn("what was asked") {
                try stage.auth.ask(RequestCreate.Params(kind: .app, subject: "alpha", minutes: 15))
            }
            try await stage.xdotool("key", "Tab", "Return")
            try await stage.until("the decision") { !stage.auth.decided.isEmpty }
            #expect(stage.auth.decided[0].decision == .approve && stage.auth.decided[0].minutes == nil)
        }
    }

    /// Pasted, because nobody types that much.
    @Test func aLongReasonIsCut() async throws {
        try await withPage { stage, _ in
            try await stage.xdotool("type", "--delay", "0", String(repeating: "x", count: 700))
            try await stage.xdotool("key", "Tab", "Return")
            try await stage.until("the request") { !stage.auth.created.isEmpty }
            #expect(stage.auth.created[0].reason?.count == 500)
        }
    }

    /// A window of the process that another client destroys.
    @Test func aDestroyedCoverIsReplacedAtOnce() async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openTerminal("Alpha")
            var last = try await stage.cover(window).id
            for round in 0..<4 {
                xcb_destroy_window(stage.display.raw, last)
                stage.display.flush()
                try await stage.until("round \(round): another cover") {
                    stage.coverID(of: window).map { $0 != last && stage.display.isViewable($0) } ?? false
                }
                last = try #require(stage.coverID(of: window))
                try await stage.awaitFit(last, over: window, "round \(round)")
                try await stage.until("round \(round): the focus") { stage.active == last }
            }
            let health = try await stage.call(HealthCheck.self, Nothing())
            #expect(try health.pid == Int64(stage.process.pid))
            try await stage.hide(window)
            try await stage.until("uncovered") { stage.coverID(of: window) == nil }
        }
    }
}
