import Bus
import CXcb
import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import CoverCore

/// Covers of several windows at once: neither the order of a person's windows nor the focus is changed by
/// them, while they stand and afterwards.
@Suite(.serialized, .enabled(if: isX11Here, "xvfb, openbox, xterm or xdotool is not installed"))
@LoopActor struct CoverStackTests {
    /// Windows of one app or of several; which has the focus.
    struct Case: Sendable, CustomTestStringConvertible {
        var manager: String
        /// The numbers of the windows in the order in which they are covered.
        var order: [Int]
        var active: Int
        /// Whether they are in one group (ICCCM), as the windows of one program are.
        var isGroup = false
        var testDescription: String { "\(manager) \(order) active \(active) group \(isGroup)" }
    }

    nonisolated static let cases = CoverStage.managers.flatMap { manager in
        [
            Case(manager: manager, order: [2, 0, 1], active: 2),
            Case(manager: manager, order: [2, 1, 0], active: 2, isGroup: true),
            Case(manager: manager, order: [0, 1, 2], active: 2),
        ]
    }

    @Test(arguments: cases) func orderAndFocusStay(_ one: Case) async throws {
        try await CoverStage.with(manager: one.manager) { stage in
            let windows = try await open(stage, one)
            let (stack, active) = (stage.stack, stage.active)
            #expect(active == windows[one.active] && stack.filter(windows.contains) == windows)
            _ = try await stage.call(CoverPrepare.self, Nothing())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in one.order {
                    let window = windows[number]
                    group.addTask { try await stage.cover(window) }
                }
                try await group.waitForAll()
            }
            let covers = windows.compactMap(stage.coverID)
            try #require(covers.count == windows.count)
            try await stage.until("the focus of the cover") { stage.active == covers[one.active] }
            try await settle(stage)
            #expect(stage.active == covers[one.active], "the focus went to another cover")
            let covered = stage.stack
            let pairs = zip(windows, covers).flatMap { [$0, $1] }
            #expect(covered == pairs, "each directly above its window")
            for number in one.order { try await stage.hide(windows[number]) }
            try await stage.until("the focus afterwards") { stage.active == active }
            try await stage.until("the end of the covers") { stage.stack.count == windows.count }
            try await settle(stage)
            let (after, activeAfter) = (stage.stack, stage.active)
            #expect(after == stack && activeAfter == active)
        }
    }

    /// Three windows, of different sizes, the last one on top.
    private func open(_ stage: CoverStage, _ one: Case) async throws -> [UInt32] {
        var windows: [UInt32] = []
        let leader = one.isGroup ? stage.makePlain(width: 1, height: 1, x: 0, y: 0) : 0
        for (width, height) in [(700, 400), (300, 250), (350, 300)] {
            windows.append(try await stage.openPlain(width: width, height: height, group: leader))
        }
        stage.activate(windows[one.active])
        try await stage.until("the focus at first") { stage.active == windows[one.active] }
        try await stage.until("the order \(stage.stack) of \(windows)") {
            stage.stack.filter(windows.contains) == windows
        }
        return windows
    }

    /// What the window manager and shield-cover were about to do is done: both answer, several times.
    private func settle(_ stage: CoverStage) async throws {
        for _ in 0..<4 {
            _ = try await stage.call(HealthCheck.self, Nothing())
            // Answered with a property of a window that need not be mapped (EWMH).
            let window = stage.makePlain(width: 10, height: 10, x: 0, y: 0)
            stage.tell("_NET_REQUEST_FRAME_EXTENTS", window, [])
            try await stage.until("the manager's answer") {
                !stage.display.numbers("_NET_FRAME_EXTENTS", of: window).isEmpty
            }
            xcb_destroy_window(stage.display.raw, window)
        }
    }
}
