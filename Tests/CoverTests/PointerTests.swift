import CXcb
import Contract
import Foundation
import Loop
import Testing
import Units

@testable import CoverCore

/// What the pointer does over a covered window.
@Suite(.serialized, .enabled(if: isX11Here, "xvfb, openbox, xterm or xdotool is not installed"))
@LoopActor struct PointerTests {
    /// Buttons and motions that arrived at a window since the last question.
    private func arrived(_ display: XDisplay) -> Int {
        var count = 0
        while let event = xcb_poll_for_event(display.raw) {
            switch Int32(event.pointee.response_type & 0x7F) {
            case XCB_BUTTON_PRESS, XCB_BUTTON_RELEASE, XCB_MOTION_NOTIFY: count += 1
            default: break
            }
            free(event)
        }
        return count
    }

    @Test func twentyThousandEventsReachNothingBelow() async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openPlain(width: 500, height: 400)
            let ear = try XDisplay(stage.world.environment["DISPLAY"] ?? "")
            ear.select(
                XCB_EVENT_MASK_BUTTON_PRESS, XCB_EVENT_MASK_BUTTON_RELEASE, XCB_EVENT_MASK_POINTER_MOTION,
                of: window)
            ear.flush()
            let place = try #require(stage.frame(of: window))
            try await stage.click(place.x + 250, place.y + 200)
            var before = 0
            try await stage.until("events before the cover") {
                before += arrived(ear)
                return before >= 3
            }
            let cover = try await stage.cover(window).id
            try await stage.awaitFit(cover, over: window, "at first")
            _ = arrived(ear)
            let seed = UInt64.random(in: 0 ... .max)
            print("seed \(seed)")
            var state = seed
            func below(_ count: Int) -> Int {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(state >> 33) % count
            }
            // 20,000 motions, and 200 clicks among them.
            for round in 0..<20 {
                let lines = (0..<1_000).map { number in
                    "mousemove \(place.x + below(place.width)) \(place.y + below(place.height))"
                        + (number % 100 == 0 ? " click 1" : "")
                }
                let script = stage.world.directory + "/pointer-\(round)"
                try lines.joined(separator: "\n").write(toFile: script, atomically: true, encoding: .utf8)
                try await stage.xdotool(script)
            }
            // A request of the same connection is answered after what was sent to it before.
            _ = ear.place(of: window)
            #expect(arrived(ear) == 0)
            #expect(stage.display.isViewable(cover))
            #expect(try await stage.call(HealthCheck.self, Nothing()).state == .ready)
        }
    }
}
