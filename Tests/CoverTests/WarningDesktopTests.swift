import Bus
import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import CoverCore

/// Warnings in a real session.
@Suite(.serialized, .enabled(if: isX11Here, "xvfb, openbox, xterm or xdotool is not installed"))
@LoopActor struct WarningDesktopTests {
    private func warning(_ stage: CoverStage) -> UInt32? {
        let type = stage.display.atom("_NET_WM_WINDOW_TYPE_NOTIFICATION")
        return stage.stack.first {
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
            #expect(stage.stack.last == banner, "above all")
            for state in ["ABOVE", "SKIP_TASKBAR", "SKIP_PAGER"] {
                let atom = stage.display.atom("_NET_WM_STATE_" + state)
                #expect(stage.display.numbers("_NET_WM_STATE", of: banner).contains(atom), "\(state)")
            }
            try await stage.xdotool("type", "ab")
            try await stage.until("typed") { stage.typed("Alpha") == "ab" }
            // A click dismisses it, and does not reach what is below.
            let place = try #require(stage.display.place(of: banner))
            try await stage.click(place.x + 100, place.y + 30)
            try await stage.until("dismissed") { warning(stage) == nil }
            try await stage.xdotool("type", "c")
            try await stage.until("typed") { stage.typed("Alpha") == "abc" }
            #expect(stage.active == window)
            #expect(try await !show(stage, 200), "it does not come back")
            #expect(try await stage.call(HealthCheck.self, Nothing()).state == .ready)
        }
    }

    @Test func aWarningEndsAtZero() async throws {
        try await CoverStage.with { stage in
            #expect(try await show(stage, 2))
            try await stage.until("the banner") { warning(stage) != nil }
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
