import Bus
import CXcb
import Contract
import Glibc
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import CoverCore

/// Warnings in a real session.
@Suite(.serialized, .enabled(if: isX11Here, "xvfb, openbox, xterm or xdotool is not installed"))
@LoopActor struct WarningDesktopTests {
    /// All windows of the screen, the lowest first: warnings are not in the window manager's list.
    private func children(_ stage: CoverStage) -> [UInt32] {
        let cookie = xcb_query_tree(stage.display.raw, stage.display.root)
        guard let reply = xcb_query_tree_reply(stage.display.raw, cookie, nil) else { return [] }
        defer { free(reply) }
        let start = xcb_query_tree_children(reply)
        return Array(UnsafeBufferPointer(start: start, count: Int(xcb_query_tree_children_length(reply))))
    }

    private func warning(_ stage: CoverStage) -> UInt32? {
        let type = stage.display.atom("_NET_WM_WINDOW_TYPE_NOTIFICATION")
        return children(stage).first {
            stage.display.numbers("_NET_WM_WINDOW_TYPE", of: $0).contains(type)
                && stage.display.isViewable($0)
        }
    }

    private func show(_ stage: CoverStage, _ seconds: Int64, counting: Bool = true) async throws -> Bool {
        let params = WarningShow.Params(
            key: "games", title: "Games end in 5 minutes", body: "Tea is ready.", secondsLeft: seconds,
            counting: counting)
        return try await stage.call(WarningShow.self, params).shown
    }

    @Test func aBannerTakesNothing() async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openTerminal("Alpha", at: "60x18+500+10")
            stage.activate(window)
            try await stage.until("the focus") { stage.active == window }
            try await stage.xdotool("mousemove", "300", "500")
            #expect(try await show(stage, 300))
            try await stage.until("the banner") { warning(stage) != nil }
            let banner = try #require(warning(stage))
            try await stage.until("its place") {
                guard let place = stage.display.place(of: banner) else { return false }
                return place.width == CoverLimits.bannerWidth && place.x == CoverLimits.warningMargin
                    && place.y + place.height == 700 - CoverLimits.warningMargin
            }
            #expect(children(stage).last { stage.display.isViewable($0) } == banner, "above all")
            #expect(!stage.stack.contains(banner), "in no list")
            for state in ["ABOVE", "SKIP_TASKBAR", "SKIP_PAGER"] {
                let atom = stage.display.atom("_NET_WM_STATE_" + state)
                #expect(stage.display.numbers("_NET_WM_STATE", of: banner).contains(atom), "\(state)")
            }
            try await stage.xdotool("type", "ab")
            try await stage.until("typed") { stage.typed("Alpha") == "ab" }
            // A click dismisses it, and does not reach what is below.
            let place = try #require(stage.display.place(of: banner))
            try await stage.awaitClicks()
            // A banner becomes smaller there after some time.
            try await stage.click(place.x + 30, place.y + place.height - 15)
            try await stage.until("dismissed") { warning(stage) == nil }
            try await stage.xdotool("type", "c")
            try await stage.until("typed") { stage.typed("Alpha") == "abc" }
            #expect(stage.active == window)
            #expect(try await !show(stage, 200), "it does not come back")
            #expect(try await stage.call(HealthCheck.self, Nothing()).state == .ready)
        }
    }

    /// Who plays where it appears does not mean it.
    @Test func aClickThatComesWithItDoesNotDismissIt() async throws {
        let margin = CoverLimits.warningMargin
        let point = (x: margin + 100, y: 700 - margin - 30)
        try await Typist.withoutRest(of: CoverLimits.pointerQuiet) { typist in
            @LoopActor func hasRested() -> Bool { typist.restAtMost() >= CoverLimits.pointerQuiet }
            try await CoverStage.with { stage in
                _ = try await stage.openTerminal("Alpha")
                try await stage.start()
                try await typist.clicking(point, stage) {
                    #expect(try await show(stage, 300))
                    try await stage.until("the banner") { warning(stage) != nil || hasRested() }
                }
                try await typist.click(point, stage)
                if hasRested() { return }
                try await stage.awaitClicks()
                #expect(warning(stage) != nil)
                try await stage.click(point.x, point.y)
                try await stage.until("dismissed") { warning(stage) == nil }
            }
        }
    }

    /// The window manager puts it above all that it manages while it has the focus.
    @Test(arguments: CoverStage.managers) func aFullScreenAppDoesNotHideIt(manager: String) async throws {
        try await CoverStage.with(manager: manager) { stage in
            let window = try await stage.openTerminal("Alpha")
            stage.activate(window)
            try await stage.until("the focus") { stage.active == window }
            let isFull = stage.display.atom("_NET_WM_STATE_FULLSCREEN")
            stage.tell("_NET_WM_STATE", window, [1, isFull, 0, 1])
            try await stage.until("full screen") { stage.display.place(of: window)?.height == 700 }
            let margin = CoverLimits.warningMargin
            let corner = Frame(x: margin, y: 700 - margin - 40, width: 100, height: 40)
            let before = stage.pixels(corner)
            #expect(try await show(stage, 300))
            try await stage.until("it can be seen") { stage.pixels(corner) != before }
            let other = try await stage.openTerminal("Beta", at: "20x4+500+10")
            stage.activate(other)
            try await stage.until("another focus") { stage.active == other }
            stage.activate(window)
            try await stage.until("the focus") { stage.active == window }
            try await stage.until("it is above again") { stage.pixels(corner) != before }
            #expect(stage.active == window)
        }
    }

    @Test func aWarningEndsAtZero() async throws {
        try await CoverStage.with { stage in
            #expect(try await show(stage, 300))
            try await stage.until("the banner") { warning(stage) != nil }
            #expect(try await show(stage, 2), "the same, which ends sooner")
            try await stage.until("the end") { warning(stage) == nil }
            let params = WarningHide.Params(key: "games")
            #expect(try await !stage.call(WarningHide.self, params).wasShown)
            #expect(try await show(stage, 100, counting: false))
            try await stage.until("another one") { warning(stage) != nil }
            #expect(try await stage.call(WarningHide.self, params).wasShown)
            try await stage.until("hidden") { warning(stage) == nil }
            let options = CallOptions(deadline: 30_000, client: "org.example.app")
            await #expect(throws: ServiceError.self) {
                _ = try await stage.client.call(WarningHide.self, params, options: options)
            }
        }
    }
}
