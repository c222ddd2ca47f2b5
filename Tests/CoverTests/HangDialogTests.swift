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

/// The dialogs in which a window manager offers to end a window that stands still.
@Suite(
    .serialized,
    .enabled(
        if: isX11Here && World.areInstalled("xfwm4"),
        "xvfb, openbox, xfwm4, xterm or xdotool is not installed"))
@LoopActor struct HangDialogTests {
    /// xfwm4 keeps it in mind that a window answered pings before it was covered. After a close from the
    /// taskbar it offers to end what stands still.
    @Test func noDialogStandsOverACover() async throws {
        try await CoverStage.with(manager: "xfwm4") { stage in
            let window = stage.makePlain(width: 500, height: 300, x: 60, y: 60)
            let protocols = ["WM_DELETE_WINDOW", "_NET_WM_PING"].map { stage.display.atom($0) }
            stage.display.write("WM_PROTOCOLS", of: window, XCB_ATOM_ATOM, protocols)
            xcb_map_window(stage.display.raw, window)
            stage.display.flush()
            try await stage.until("the window") { stage.display.isViewable(window) }
            let cover = try await stage.cover(window).id
            let other = try await stage.openTerminal("Other", at: "30x5+560+420")
            try await stage.awaitButtons()
            stage.activate(other)
            try await stage.until("the focus is elsewhere") { stage.active == other }
            // Otherwise it may be closed before it is looked for.
            try stage.process.signal(SIGSTOP)
            stage.tell("_NET_CLOSE_WINDOW", window, [0, 2])
            @LoopActor func dialogs() -> [UInt32] {
                stage.display.numbers("_NET_CLIENT_LIST", of: stage.display.root).filter {
                    ![window, cover, other].contains($0)
                }
            }
            try await stage.until("the dialog") { !dialogs().isEmpty }
            try stage.process.signal(SIGCONT)
            try await stage.until("its end") { dialogs().isEmpty }
            #expect(stage.display.isViewable(window) && stage.coverID(of: window) == cover)
            try await stage.until("the focus is elsewhere again") { stage.active == other }
        }
    }

    /// Such a dialog may get the focus when it was told to close already, or give it to the covered window
    /// with its end.
    @Test(arguments: [true, false])
    func aDialogThatClosesLateKeepsNoFocus(_ takesFocus: Bool) async throws {
        try await CoverStage.with(manager: "xfwm4") { stage in
            let window = try await stage.openTerminal("Alpha")
            let other = try await stage.openTerminal("Other", at: "30x5+560+420")
            let cover = try await stage.cover(window).id
            try await stage.awaitButtons()
            stage.activate(other)
            try await stage.until("the focus is elsewhere") { stage.active == other }
            // The test's own: it does not close when it is told to, and is not pinged.
            let dialog = stage.makePlain(width: 200, height: 90, x: 300, y: 200)
            stage.display.write("WM_CLASS", of: dialog, texts: ["helper-dialog", "Helper-dialog"])
            stage.display.write("WM_TRANSIENT_FOR", of: dialog, XCB_ATOM_WINDOW, [window])
            let close = stage.display.atom("WM_DELETE_WINDOW")
            stage.display.write("WM_PROTOCOLS", of: dialog, XCB_ATOM_ATOM, [close])
            // It is not to have the focus when it appears.
            stage.display.write("_NET_WM_USER_TIME", of: dialog, XCB_ATOM_CARDINAL, [0])
            xcb_map_window(stage.display.raw, dialog)
            stage.display.flush()
            try await stage.until("it is told to close") { stage.display.isToldToClose(dialog) }
            #expect(stage.active == other)
            stage.activate(takesFocus ? dialog : window)
            xcb_destroy_window(stage.display.raw, dialog)
            stage.display.flush()
            try await stage.until("it is gone") { !stage.stack.contains(dialog) }
            _ = try await stage.call(CoverList.self, Nothing())
            try await stage.until("the focus is elsewhere again") { stage.active == other }
            // Whoever goes to the cover afterwards stays there.
            let end = MonotonicClock.now + 2 * CoverLimits.dialogEnd
            try await stage.until("it is over") { MonotonicClock.now > end }
            stage.activate(window)
            try await stage.until("the focus") { stage.active == cover }
            _ = try await stage.call(CoverList.self, Nothing())
            #expect(stage.active == cover)
        }
    }
}
