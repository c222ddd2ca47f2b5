import CXcb
import Glibc
import Loop
import ScreenTimeTesting
import Testing
import Time

@testable import CoverCore

/// When a cover takes the focus from its window, as the server's clock has it. Nothing that the placement is
/// told is read until a test waits.
@Suite(.serialized, .enabled(if: isX11Here, "xvfb, openbox, xterm or xdotool is not installed"))
@LoopActor struct FocusTests {
    /// With a later time, the server ignored the manager, which had handled no later event by then.
    @Test func whoActivatesAnotherWindowMeanwhileGetsIt() async throws {
        try await withCover { stage, window, cover, other in
            activateUnread(window, stage)
            let chosen = try serverTime(stage)
            while try serverTime(stage) <= chosen + 1 {}
            try await stage.until("the focus of the cover") { stage.display.focused == cover }
            stage.display.focus(other, at: chosen)
            let focused = stage.display.focused
            #expect(focused == other)
        }
    }

    /// As xfwm4 does.
    @Test func aManagerMaySetTheFocusAgain() async throws {
        try await withCover { stage, window, cover, _ in
            activateUnread(window, stage)
            let told = try serverTime(stage)
            while try serverTime(stage) <= told + 1 {}
            stage.display.focus(window, at: 0)
            try await stage.until("the focus of the cover") { stage.display.focused == cover }
        }
    }

    /// The manager has not told yet that another window is active.
    @Test func whatHasTheFocusMeanwhileKeepsIt() async throws {
        try await withCover { stage, window, cover, other in
            // It takes a focus that nobody has, too.
            let manager = try stage.world.process("openbox")
            try stop(manager)
            defer { manager.signal(SIGCONT) }
            let placement = try X11Placement(display: stage.world.environment["DISPLAY"] ?? "")
            defer { placement.close() }
            placement.serverTime = try serverTime(stage)
            while try serverTime(stage) <= placement.serverTime + 1 {}
            stage.display.focus(other, at: 0)
            #expect(stage.display.focused == other)
            placement.moveFocus(from: window, to: cover)
            #expect(placement.display.focused == other)
            // A part of the holder counts as the holder, and what nobody has may be taken.
            let part = xcb_generate_id(stage.display.raw)
            xcb_create_window(
                stage.display.raw, 0, part, window, 0, 0, 9, 9, 0,
                UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), 0, 0, nil)
            xcb_map_window(stage.display.raw, part)
            for held in [part, XDisplay.pointerRoot, 0] {
                stage.display.focus(held, at: 0)
                #expect(stage.display.focused == held)
                placement.moveFocus(from: window, to: cover)
                #expect(placement.display.focused == cover, "\(held) had it")
            }
        }
    }

    /// - Parameter body: gets a window, its cover, which stands, and another window, which is active.
    private func withCover(
        _ body: @LoopActor (CoverStage, UInt32, UInt32, UInt32) async throws -> Void
    ) async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openPlain(width: 200, height: 100)
            let other = try await stage.openPlain(width: 200, height: 100, x: 400, y: 300)
            let placement = try X11Placement(display: stage.world.environment["DISPLAY"] ?? "")
            defer { placement.close() }
            var isShown = false
            placement.onEvent = { if $0 == window, $1 == .shown { isShown = true } }
            #expect(placement.show(PlainSurface(stage), over: window) == true)
            let cover = try #require(placement.covers[window]?.id)
            stage.activate(other)
            try await stage.until("the cover, and the other window active") {
                isShown && placement.activeWindow == other && stage.display.focused == other
            }
            try await body(stage, window, cover, other)
        }
    }

    /// Returns when the window is active, before the placement could read it.
    private func activateUnread(_ window: UInt32, _ stage: CoverStage) {
        stage.activate(window)
        let end = MonotonicClock.now + 180_000
        while stage.active != window || stage.display.focused != window {
            guard MonotonicClock.now < end else {
                Issue.record("the window was not activated")
                return
            }
        }
    }

    /// Returns when it handles nothing any more.
    private func stop(_ process: ChildProcess) throws {
        process.signal(SIGSTOP)
        var status: Int32 = 0
        #expect(waitpid(process.pid, &status, WUNTRACED) == process.pid && status & 0xFF == 0x7F)
    }

    /// The server's time (ICCCM 2.1: that of a change that alters nothing).
    private func serverTime(_ stage: CoverStage) throws -> UInt32 {
        let display = stage.display, property = display.atom("_SCREENTIME_TEST_TIME")
        let window = stage.makePlain(width: 1, height: 1, x: 0, y: 0)
        defer { xcb_destroy_window(display.raw, window) }
        display.select(XCB_EVENT_MASK_PROPERTY_CHANGE, of: window)
        xcb_change_property(
            display.raw, UInt8(XCB_PROP_MODE_APPEND.rawValue), window, property,
            xcb_atom_t(XCB_ATOM_CARDINAL.rawValue), 32, 0, nil)
        display.flush()
        while let event = xcb_wait_for_event(display.raw) {
            defer { free(event) }
            guard event.pointee.response_type & 0x7F == UInt8(XCB_PROPERTY_NOTIFY) else { continue }
            let change = UnsafeMutableRawPointer(event)
                .assumingMemoryBound(to: xcb_property_notify_event_t.self).pointee
            if change.window == window { return change.time }
        }
        throw Overdue("the server's time")
    }
}
