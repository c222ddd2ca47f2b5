import Bus
import CXcb
import Contract
import Glibc
import Loop
import ScreenTimeTesting
import Testing
import Time
import Units

@testable import CoverCore

/// The process in a real X11 session with openbox; windows are terminals.
@Suite(.serialized, .enabled(if: isX11Here, "xvfb, openbox, xterm or xdotool is not installed"))
@LoopActor struct CoverDesktopTests {
    @Test(arguments: CoverStage.managers)
    func aCoverStandsOverTheFrameAndFollows(_ manager: String) async throws {
        try await CoverStage.with(manager: manager) { stage in
            let window = try await stage.openTerminal("Alpha")
            let (cover, isVisible) = try await stage.cover(window)
            #expect(isVisible)
            try await stage.awaitFit(cover, over: window, "at first")
            try await stage.xdotool("windowmove", String(window), "333", "222")
            try await stage.until("the move") { stage.display.place(of: window)?.x ?? 0 > 300 }
            try await stage.awaitFit(cover, over: window, "moved")
            let before = stage.frame(of: window)
            try await stage.xdotool("windowsize", String(window), "500", "300")
            try await stage.until("the size") { stage.frame(of: window)?.width != before?.width }
            try await stage.awaitFit(cover, over: window, "resized")
            try await stage.xdotool("windowsize", String(window), "130", "90")
            try await stage.until("the size") { stage.frame(of: window)?.width ?? 999 < 160 }
            try await stage.awaitFit(cover, over: window, "small")
        }
    }

    /// As any program can, but no window manager does alone.
    @Test(arguments: CoverStage.managers)
    func aCoverThatAnotherProgramUnmapsComesBack(_ manager: String) async throws {
        try await CoverStage.with(manager: manager) { stage in
            let window = try await stage.openTerminal("Alpha")
            let other = try await stage.openTerminal("Beta", at: "40x10+500+400")
            let (cover, _) = try await stage.cover(window)
            stage.activate(other)
            try await stage.until("the other's focus") { stage.active == other }
            for round in 1...4 {
                xcb_unmap_window(stage.display.raw, cover)
                // The server answers after it has done that.
                try await stage.awaitFit(cover, over: window, "round \(round)")
                try await stage.until("round \(round): it is above its window") {
                    let stack = stage.stack
                    guard let place = stack.firstIndex(of: window) else { return false }
                    return stack.dropFirst(place + 1).first == cover
                }
            }
            // xfwm4 gives it to each new window, and shield-cover back.
            try await stage.until("the other's focus again") { stage.active == other }
            let standing = try await stage.call(CoverList.self, Nothing()).covers
            #expect(standing.count == 1)
        }
    }

    /// Lower and narrower than GTK makes a window of this content by itself.
    @Test(arguments: CoverStage.managers)
    func theSmallestWindowIsCoveredAsAnyOther(_ manager: String) async throws {
        try await CoverStage.with(manager: manager) { stage in
            for (width, height) in [(300, 12), (8, 200), (3, 3), (300, 40)] {
                let window = try await stage.openPlain(width: width, height: height)
                let (cover, isVisible) = try await stage.cover(window)
                #expect(isVisible, "\(width) x \(height): its first frame was drawn")
                try await stage.awaitFit(cover, over: window, "\(width) x \(height)")
                try await stage.hide(window)
            }
        }
    }

    /// GTK measures texts by the style of the last frame, unless it is told to look.
    @Test func aCoverLooksTheSameWhateverItsSizeWasBefore() async throws {
        try await CoverStage.with(size: "1400x900") { stage in
            let other = try await stage.openTerminal("Beta", at: "20x4+40+760")
            let grown = try await stage.openPlain(width: 150, height: 110, x: 820, y: 400)
            let shrunk = try await stage.openPlain(width: 800, height: 640, x: 4, y: 24)
            // openbox chooses the place of a new window.
            for (window, x) in [(grown, "860"), (shrunk, "4")] {
                try await stage.xdotool("windowmove", "--sync", String(window), x, "24")
            }
            var covers = [try await stage.cover(grown).id, try await stage.cover(shrunk).id]
            func awaitSameLook(_ what: String) async throws {
                try await stage.until("\(what): they look the same") {
                    let looks = covers.compactMap { stage.display.place(of: $0).map(stage.pixels) }
                    return looks.count == 2 && looks[0] == looks[1] && Set(looks[0]).count > 2
                }
            }
            stage.activate(other)
            try await stage.until("the other's focus") { stage.active == other }
            for (width, height) in [(240, 184), (262, 206), (330, 210), (430, 350)] {
                let changes = [(grown, (150, 110), covers[0]), (shrunk, (800, 640), covers[1])]
                for (window, from, cover) in changes {
                    for (width, height) in [from, (width, height)] {
                        try await stage.xdotool(
                            "windowsize", "--sync", String(window), String(width), String(height))
                        try await stage.awaitFit(cover, over: window, "\(width) x \(height)")
                        try await stage.until("it is drawn") {
                            // What was not drawn yet has one colour.
                            stage.display.place(of: cover).map { Set(stage.pixels($0)).count > 2 } == true
                        }
                    }
                }
                try await awaitSameLook("\(width) x \(height)")
                try await stage.hide(grown)
                covers[0] = try await stage.cover(grown).id
                try await awaitSameLook("\(width) x \(height), a new one")
            }
        }
    }

    /// A window manager would say of a window that stands still, above its cover, that it does not respond.
    @Test func aCoveredWindowIsNotPinged() async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openTerminal("Alpha")
            let own = stage.display.numbers("WM_PROTOCOLS", of: window)
            let ping = stage.display.atom("_NET_WM_PING")
            for protocols in [own, own + [ping]] {
                stage.display.write("WM_PROTOCOLS", of: window, XCB_ATOM_ATOM, protocols)
                stage.display.flush()
                let cover = try await stage.cover(window).id
                try await stage.awaitFit(cover, over: window, "at first")
                #expect(stage.display.numbers("WM_PROTOCOLS", of: window) == own && !own.isEmpty)
                // Toolkits write it again when a window's style changes.
                stage.display.write("WM_PROTOCOLS", of: window, XCB_ATOM_ATOM, protocols)
                try await stage.until("it is taken out again") {
                    stage.display.numbers("WM_PROTOCOLS", of: window) == own
                }
                try await stage.hide(window)
                try await stage.until("as it was") {
                    Set(stage.display.numbers("WM_PROTOCOLS", of: window)) == Set(protocols)
                }
            }
        }
    }

    /// An app that writes its protocols whenever they change: it has its way before covers come late.
    @Test func anAppThatInsistsIsPinged() async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openTerminal("Alpha")
            let ping = stage.display.atom("_NET_WM_PING")
            let wanted = stage.display.numbers("WM_PROTOCOLS", of: window) + [ping]
            let cover = try await stage.cover(window).id
            try await stage.awaitFit(cover, over: window, "at first")
            @LoopActor func write() {
                stage.display.write("WM_PROTOCOLS", of: window, XCB_ATOM_ATOM, wanted)
                stage.display.flush()
            }
            // What shield-cover writes is a change, too.
            for number in 0..<CoverLimits.protocolChangesMax / 2 {
                write()
                try await stage.until("it is taken out, \(number)") {
                    stage.display.numbers("WM_PROTOCOLS", of: window) != wanted
                }
            }
            // The last of its own changes may be looked at after the first of these.
            for x in ["300", "200"] {
                write()
                // It follows what came later, so it saw that.
                try await stage.xdotool("windowmove", String(window), x, "200")
                try await stage.awaitFit(cover, over: window, "after it was moved")
            }
            #expect(stage.display.numbers("WM_PROTOCOLS", of: window) == wanted)
        }
    }

    /// A cover that is shown without the focus takes nothing from the window above its own.
    @Test(arguments: CoverStage.managers)
    func windowsAboveStayUsable(_ manager: String) async throws {
        try await CoverStage.with(manager: manager) { stage in
            let window = try await stage.openTerminal("Alpha")
            let other = try await stage.openTerminal("Beta", at: "40x10+200+150")
            stage.activate(other)
            try await stage.until("the focus") { stage.active == other }
            let cover = try await stage.cover(window).id
            // By then xfwm4's order is put back, and the focus with it.
            try await stage.awaitButtons()
            try await stage.xdotool("type", "ab")
            try await stage.until("typed") { stage.typed("Beta") == "ab" }
            #expect(stage.active == other, "the focus was stolen")
            let order = [window, cover, other].compactMap { stage.stack.firstIndex(of: $0) }
            #expect(order.count == 3 && order == order.sorted(), "the cover is not between them: \(order)")
            let frame = try #require(stage.display.place(of: other))
            try await stage.click(frame.x + 30, frame.y + 30)
            try await stage.xdotool("type", "c")
            try await stage.until("typed") { stage.typed("Beta") == "abc" }
            let arrived = stage.typed("Alpha")
            #expect(stage.active == other && arrived == "")
        }
    }

    @Test(arguments: CoverStage.managers)
    func nothingTypedReachesACoveredWindow(_ manager: String) async throws {
        try await CoverStage.with(manager: manager) { stage in
            let window = try await stage.openTerminal("Alpha")
            stage.activate(window)
            try await stage.until("the focus") { stage.active == window }
            try await stage.xdotool("type", "1")
            try await stage.until("typed") { stage.typed("Alpha") == "1" }
            let cover = try await stage.cover(window).id
            try await stage.xdotool("type", "secret")
            try await stage.until("the focus") { stage.active == cover }
            try await stage.xdotool("type", "more")
            try await stage.xdotool("key", "Escape")
            let arrived = stage.typed("Alpha")
            #expect(arrived == "1")
            try await stage.hide(window)
            try await stage.until("the focus") { stage.active == window }
            try await stage.xdotool("type", "2")
            try await stage.until("typed") { stage.typed("Alpha").hasSuffix("2") }
            let all = stage.typed("Alpha")
            #expect(all == "12")
        }
    }

    /// Words have spaces, and a space presses a button.
    @Test(arguments: CoverStage.managers)
    func whoeverTypesWhenTheCoverAppearsPressesNothing(_ manager: String) async throws {
        try await Typist.withoutRest(of: CoverLimits.keyQuiet) { typist in
            try await CoverStage.with(manager: manager) { stage in
                let window = try await stage.openTerminal("Alpha")
                stage.activate(window)
                try await stage.until("the focus") { stage.active == window }
                // The process starts, and has its first window.
                _ = try await stage.call(CoverPrepare.self, Nothing())
                let arrived = try await typist.typing(["a", "n", "d", "space", "Return"], stage) {
                    try await stage.until("typed") { !stage.typed("Alpha").isEmpty }
                    let cover = try await stage.cover(window).id
                    try await stage.until("the look") { stage.shield.asked > 0 }
                    try await stage.until("the focus") { stage.active == cover }
                    let last = typist.count, end = MonotonicClock.now + 2 * CoverLimits.keyQuiet
                    try await stage.until("more keys") { MonotonicClock.now > end }
                    return last
                }
                if typist.restAtMost() >= CoverLimits.keyQuiet { return }
                // The one that was on its way when the cover had the focus may arrive, too.
                let typed = stage.typed("Alpha").count
                #expect(stage.shield.presses.isEmpty && typed <= arrived + 1 && arrived + 1 < typist.count)
                try await stage.awaitButtons()
                try await stage.xdotool("key", "Return")
                try await stage.until("the press") { stage.shield.presses.map(\.button) == [.primary] }
            }
        }
    }

    /// Whoever activates the covered window looks at its cover.
    @Test(arguments: CoverStage.managers)
    func theCoverTakesTheFocusOfItsWindow(_ manager: String) async throws {
        try await CoverStage.with(manager: manager) { stage in
            let window = try await stage.openTerminal("Alpha")
            let other = try await stage.openTerminal("Beta", at: "40x10+500+400")
            stage.activate(other)
            try await stage.until("the focus of Beta") { stage.active == other }
            let cover = try await stage.cover(window).id
            // By then xfwm4's order is put back, and the focus with it.
            try await stage.awaitButtons()
            for turn in 1...5 {
                stage.activate(window)
                try await stage.until("the focus of the cover, turn \(turn)") { stage.active == cover }
                try await stage.xdotool("type", "x")
                stage.activate(other)
                try await stage.until("the focus of Beta, turn \(turn)") { stage.active == other }
            }
            try await stage.hide(window)
            try await stage.xdotool("type", "z")
            try await stage.until("typed") { stage.typed("Beta") == "z" }
            let arrived = stage.typed("Alpha")
            #expect(arrived == "")
        }
    }

    /// As somebody clicks in a game that is covered meanwhile.
    @Test func clicksThatGoOnPressNothing() async throws {
        try await Typist.withoutRest(of: CoverLimits.pointerQuiet) { typist in
            try await CoverStage.with { stage in
                stage.shield.look = ShieldLook(secondaryButtonLabel: ShieldLabel(text: "More"))
                let window = try await stage.openTerminal("Alpha")
                let place = try #require(stage.display.place(of: window))
                let button = try await typist.clicking((place.x + 30, place.y + 30), stage) {
                    let cover = try await stage.cover(window).id
                    try await stage.until("the look") { stage.shield.asked > 0 }
                    // Then it is drawn.
                    _ = try await stage.call(CoverList.self, Nothing())
                    return try stage.lowestButton(of: cover)
                }
                let end = MonotonicClock.now + 2 * CoverLimits.pointerQuiet
                while MonotonicClock.now < end { try await typist.click(button, stage) }
                if typist.restAtMost() >= CoverLimits.pointerQuiet { return }
                #expect(stage.shield.presses.isEmpty)
                try await stage.awaitButtons()
                try await stage.click(button.x, button.y)
                try await stage.until("the press") { stage.shield.presses.map(\.button) == [.secondary] }
            }
        }
    }

    @Test func aClickOnTheButtonReachesShieldServiceAndTheAgent() async throws {
        try await CoverStage.with { stage in
            stage.shield.look = ShieldLook(secondaryButtonLabel: ShieldLabel(text: "More"))
            let window = try await stage.openTerminal("Alpha")
            let cover = try await stage.cover(window).id
            try await stage.until("the look") { stage.shield.asked > 0 }
            try await stage.awaitButtons()
            let button = try stage.lowestButton(of: cover)
            try await stage.click(button.x, button.y)
            try await stage.until("the press") { stage.shield.presses.map(\.button) == [.secondary] }
            let found = try await stage.call(CoverPresses.self, CoverPresses.Params(after: 0)).presses
            #expect(found.map(\.response) == [.close] && found.first?.cover.window == Int64(window))
            let trace = try #require(found.first.flatMap { TraceContext($0.traceparent) })
            let spans = try await stage.call(TraceRead.self, TraceRead.Params(traceID: trace.traceID)).spans
            #expect(Set(spans.map(\.name)) == ["press", "shield.press"])
        }
    }

    @Test func theKeyboardAloneIsEnough() async throws {
        try await CoverStage.with { stage in
            stage.shield.look = ShieldLook(
                secondaryButtonLabel: ShieldLabel(text: "More"), secondaryButtonSubmenuItems: ["a", "b", "c"])
            stage.shield.response = .none
            let window = try await stage.openTerminal("Alpha")
            stage.activate(window)
            try await stage.until("the focus") { stage.active == window }
            let cover = try await stage.cover(window).id
            try await stage.until("the focus") { stage.active == cover }
            try await stage.until("the look") { stage.shield.asked > 0 }
            try await stage.awaitButtons()
            @LoopActor func press(_ keys: String..., then button: ShieldButton) async throws {
                let count = stage.shield.presses.count
                try await stage.awaitButtons()
                for key in keys { try await stage.xdotool("key", key) }
                try await stage.until("the press of \(button)") {
                    stage.shield.presses.count == count + 1
                }
                #expect(stage.shield.presses.last?.button == button)
            }
            try await press("Return", then: .primary)
            try await press("Escape", "space", then: .primary)
            try await stage.turn("Tab", "Return")
            try await press("Tab", "space", then: .submenu2)
            // The button that opened the menu has the focus when it closed.
            try await stage.awaitButtons()
            try await stage.turn("space")
            try await stage.turn("Tab", "Tab", "Tab", "Return")
            try await press("shift+Tab", "Return", then: .primary)
            try await press("Tab", "shift+Tab", "Return", then: .primary)
        }
    }

    @Test func aLookOfTheExtensionReplacesTheDefault() async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openTerminal("Alpha")
            _ = try await stage.cover(window)
            try await stage.until("the look") { stage.shield.asked > 0 }
            let asked = stage.shield.asked
            try stage.shield.change("alpha", to: ShieldLook(title: ShieldLabel(text: "Later")))
            try await stage.until("the new look") { stage.shield.asked > asked }
            let spans = try await stage.call(TraceRead.self, TraceRead.Params()).spans
            #expect(spans.contains { $0.name == "cover.show" } && spans.contains { $0.name == "cover" })
        }
    }

    /// Whatever a look contains, the process stays, and says what it does not show.
    @Test func hostileLooksAreRefused() async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openTerminal("Alpha")
            _ = try await stage.cover(window)
            let broken = CoverFaceTests.png(2_000, 2_000) + Array(repeating: 0x41, count: 300)
            let looks = [
                (ShieldLook(icon: ShieldImage(png: Base64.text(CoverFaceTests.png(100_000, 100_000)))),
                    "100000 x 100000"),
                (ShieldLook(
                    backgroundColor: ShieldColor(light: "#GGGGGG"),
                    title: ShieldLabel(text: String(repeating: "\u{202E}wide ", count: 80_000)),
                    secondaryButtonLabel: ShieldLabel(text: String(repeating: "b", count: 100_000))),
                    "not #RRGGBB"),
                (ShieldLook(icon: ShieldImage(png: Base64.text(broken))), "cannot be read"),
                (ShieldLook(icon: ShieldImage(svg: "<svg><path d='M0 0")), "cannot be read"),
            ]
            let log = stage.world.directory + "/state/logs/shield-cover.log"
            for (look, reason) in looks {
                let asked = stage.shield.asked
                try stage.shield.change("alpha", to: look)
                try await stage.until("the new look") { stage.shield.asked > asked }
                try await stage.until("the log: \(reason)") { stage.world.readText(log).contains(reason) }
            }
            let health = try await stage.call(HealthCheck.self, Nothing())
            #expect(health.pid > 0 && health.state == .ready)
        }
    }

    @Test func aCoverGoesWithItsWindow() async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openTerminal("Alpha")
            let cover = try await stage.cover(window).id
            #expect(try await stage.call(CoverList.self, Nothing()).covers.map(\.window) == [Int64(window)])
            try stage.world.process("xterm-Alpha").signal(SIGKILL)
            try await stage.until("the cover is gone") { stage.display.place(of: cover) == nil }
            #expect(try await stage.call(CoverList.self, Nothing()).covers.isEmpty)
            let answer = try await stage.call(CoverHide.self, CoverHide.Params(window: Int64(window)))
            #expect(!answer.wasCovered)
        }
    }

    /// Nothing runs while a cover stands still: no thread of the process is woken.
    @Test func aCoverThatStandsStillWakesNothing() async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openTerminal("Alpha")
            _ = try await stage.cover(window)
            try await stage.until("the look") { stage.shield.asked > 0 }
            let pid = try stage.process.pid
            @LoopActor func wakeUps() -> Int {
                let text = stage.world.readText("/proc/\(pid)/status")
                let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
                return line.flatMap { Int($0.split(separator: "\t").last ?? "") } ?? -1
            }
            try await stage.awaitButtons()
            // It settles: the pointer, the first frame, the subscription; later on a busy machine.
            await EventLoop.main.pause(1_500)
            var counts: [Int] = []
            while counts.count < 3, counts.last.map({ $0 > 1 }) ?? true {
                let before = wakeUps()
                await EventLoop.main.pause(3_000)
                counts.append(before > 0 ? wakeUps() - before : .max)
            }
            let last = counts.last ?? .max
            #expect(last <= 1, "\(counts) wake-ups in 3 s each")
        }
    }

    // MARK: the process

    @Test func aLostDisplayEndsIt() async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openTerminal("Alpha")
            _ = try await stage.cover(window)
            try stage.world.process("Xvfb").signal(SIGKILL)
            #expect(try await stage.process.exit(deadline: 60_000) == 69)
        }
    }

    @Test func onlyOneRunsHere() async throws {
        try await CoverStage.with { stage in
            try await stage.start()
            let program = World.products + "/" + AgentName.shieldCover
            #expect(try await stage.world.run("second", [program]).status == 75)
            let nowhere = try await stage.world.run("third", [program], environment: ["DISPLAY": ""])
            #expect(nowhere.status == 75)
            try stage.process.signal(SIGTERM)
            #expect(try await stage.process.exit(deadline: 60_000) == 0)
            let blind = try await stage.world.run("fourth", [program], environment: ["DISPLAY": ":987"])
            let errors = stage.world.errors(of: "fourth")
            #expect(blind.status == 69 && errors.contains("display ':987'"))
        }
    }

    @Test func appsMayNotAskForCovers() async throws {
        try await CoverStage.with { stage in
            try await stage.start()
            let options = CallOptions(deadline: 30_000, client: "org.example.app")
            await #expect(throws: ServiceError.self) {
                _ = try await stage.client.call(CoverList.self, Nothing(), options: options)
            }
        }
    }
}
