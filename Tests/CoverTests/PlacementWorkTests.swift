import CXcb
import Contract
import Loop
import ScreenTimeTesting
import Testing
import Time
import Units

@testable import CoverCore

/// What many covers cost: as much each as few.
@Suite(.serialized, .enabled(if: isX11Here, "xvfb, openbox, xterm or xdotool is not installed"))
@LoopActor struct PlacementWorkTests {
    @Test func theWorkForACoverDoesNotGrowWithTheirNumber() async throws {
        try await CoverStage.with { stage in
            let few = try await roundTrips(of: 5, stage)
            let many = try await roundTrips(of: 30, stage)
            print("round trips of each cover: \(few) of 5, \(many) of 30")
            #expect(many <= 2 * few + 5)
        }
    }

    /// The end of the one before is told when the cover of the next one stands already.
    @Test func aWindowWithTheIDOfAnotherKeepsItsCover() async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openPlain(width: 200, height: 100)
            let placement = try X11Placement(display: stage.world.environment["DISPLAY"] ?? "")
            defer { placement.close() }
            var events: [PlacementEvent] = []
            placement.onEvent = { _, event in events.append(event) }
            #expect(placement.show(PlainSurface(stage), over: window) == true)
            try await stage.until("the first cover") { events.contains(.shown) }
            // From here on nothing of the placement's connection is read until the next cover stands.
            xcb_destroy_window(stage.display.raw, window)
            stage.makePlain(window, width: 200, height: 100, x: 91, y: 71)
            xcb_map_window(stage.display.raw, window)
            let end = MonotonicClock.now + 180_000
            while !stage.display.isViewable(window) { try #require(MonotonicClock.now < end) }
            placement.hide(window)
            events = []
            #expect(placement.show(PlainSurface(stage), over: window) == true)
            try await stage.until("the second cover") { events.contains(.shown) || events.contains(.closed) }
            #expect(!events.contains(.closed))
            xcb_destroy_window(stage.display.raw, window)
            stage.display.flush()
            try await stage.until("its end") { events.contains(.closed) }
        }
    }

    /// Waits for the server until so many covers are on the screen, for each of them.
    private func roundTrips(of count: Int, _ stage: CoverStage) async throws -> Int {
        var windows: [UInt32] = []
        for number in 0..<count {
            windows.append(
                try await stage.openPlain(width: 200, height: 100, x: 10 * number, y: 10 * number))
        }
        let placement = try X11Placement(display: stage.world.environment["DISPLAY"] ?? "")
        defer { placement.close() }
        var shown: Set<UInt32> = []
        placement.onEvent = { window, event in if event == .shown { shown.insert(window) } }
        for window in windows {
            #expect(placement.show(PlainSurface(stage), over: window) == true)
        }
        try await stage.until("all covers") { shown.count == count }
        // In the right order, too.
        try await stage.until("the order") {
            let stack = stage.stack
            return windows.allSatisfy { window in
                guard let cover = stage.coverID(of: window), let place = stack.firstIndex(of: window) else {
                    return false
                }
                return stack.dropFirst(place + 1).first == cover
            }
        }
        return placement.roundTrips / count
    }
}
