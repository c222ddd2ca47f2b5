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

/// What a cover does with its window: moves, minimises, changes the workspace and fills the screen.
@Suite(.serialized, .enabled(if: isX11Here, "xvfb, openbox, xterm or xdotool is not installed"))
@LoopActor struct CoverFollowingTests {
    /// However often somebody drags it away.
    @Test func aCoverComesBackToItsWindow() async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openTerminal("Alpha")
            let cover = try await stage.cover(window).id
            try await stage.awaitFit(cover, over: window, "at first")
            for number in 0..<2 * CoverLimits.attemptsMax {
                try await stage.xdotool("windowmove", String(cover), String(300 + number), "300")
                try await stage.awaitFit(cover, over: window, "after move \(number)")
            }
        }
    }

    @Test(arguments: CoverStage.managers)
    func aCoverIsMinimisedWithItsWindow(_ manager: String) async throws {
        try await CoverStage.with(manager: manager) { stage in
            let window = try await stage.openTerminal("Alpha")
            let cover = try await stage.cover(window).id
            try await stage.xdotool("windowminimize", String(window))
            try await stage.until("minimised") {
                !stage.display.isViewable(cover) && !stage.display.isViewable(window)
            }
            stage.activate(window)
            try await stage.awaitFit(cover, over: window, "restored")
            try await stage.until("the focus") { stage.active == cover }
        }
    }

    /// The server tells that the two windows differ also while a manager minimises one after the other. Who
    /// would have the cover minimised then, would minimise the window of somebody who restored it since.
    @Test(arguments: CoverStage.managers)
    func aWindowThatIsMinimisedBeforeItsCoverIsNotMinimisedAgain(_ manager: String) async throws {
        try await CoverStage.with(manager: manager) { stage in
            let window = try await stage.openTerminal("Alpha")
            let cover = try await stage.cover(window).id
            try await stage.awaitFit(cover, over: window, "at first")
            @LoopActor func write(_ state: UInt32) async throws {
                stage.display.write("WM_STATE", of: window, XCB_ATOM_CARDINAL, [state, 0])
                stage.display.flush()
                // shield-cover has seen it then.
                for _ in 0..<2 { _ = try await stage.call(CoverList.self, Nothing()) }
            }
            var round = 0, tookLong = true
            while tookLong {
                round += 1
                try #require(round < 50, "no attempt was quick enough")
                let begin = MonotonicClock.now
                try await write(WindowState.iconic)
                // The manager does this after whatever shield-cover asked it for.
                let before = stage.display.place(of: window)
                try await stage.xdotool("windowmove", String(window), String(200 + 50 * round), "200")
                try await stage.until("moved") { stage.display.place(of: window) != before }
                let isViewable = stage.display.isViewable(window)
                tookLong = MonotonicClock.now - begin >= CoverLimits.minimised
                #expect(isViewable || tookLong)
                try await write(WindowState.normal)
                stage.activate(window)
                try await stage.awaitFit(cover, over: window, "as before")
            }
            try await write(WindowState.iconic)
            try await stage.until("minimised, as it stays so") { !stage.display.isViewable(cover) }
        }
    }

    @Test func aCoverGoesToOtherWorkspaces() async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openTerminal("Alpha")
            let cover = try await stage.cover(window).id
            stage.tell("_NET_WM_DESKTOP", window, [1, 2])
            try await stage.until("on another workspace") {
                !stage.display.isViewable(cover)
                    && stage.display.numbers("_NET_WM_DESKTOP", of: cover) == [1]
            }
            stage.tell("_NET_CURRENT_DESKTOP", stage.display.root, [1])
            try await stage.awaitFit(cover, over: window, "there")
        }
    }

    @Test(arguments: CoverStage.managers)
    func aCoverFillsTheScreenWithItsWindow(_ manager: String) async throws {
        try await CoverStage.with(manager: manager) { stage in
            let window = try await stage.openTerminal("Alpha")
            let cover = try await stage.cover(window).id
            let fullScreen = stage.display.atom("_NET_WM_STATE_FULLSCREEN")
            stage.tell("_NET_WM_STATE", window, [1, fullScreen, 0, 2])
            let screen = Frame(x: 0, y: 0, width: 1_000, height: 700)
            try await stage.until("full screen") { stage.display.place(of: window) == screen }
            try await stage.awaitFit(cover, over: window, "full screen")
            let stack = stage.stack
            #expect(stack.firstIndex(of: cover) ?? 0 > stack.firstIndex(of: window) ?? 99)
            stage.tell("_NET_WM_STATE", window, [0, fullScreen, 0, 2])
            try await stage.until("no full screen") { stage.display.place(of: window) != screen }
            try await stage.awaitFit(cover, over: window, "no full screen")
        }
    }
}
