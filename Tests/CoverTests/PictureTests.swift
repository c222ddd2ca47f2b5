import Contract
import Foundation
import Loop
import ScreenTimeTesting
import TestSupport
import Testing
import Units

@testable import CoverCore

/// Covers as a person sees them. With SCREENTIME_PICTURES=DIRECTORY the pictures stay there.
@Suite(.serialized, .enabled(if: isX11Here && World.areInstalled("import"), "no X11, or no imagemagick"))
@LoopActor struct PictureTests {
    struct Look: Sendable, CustomTestStringConvertible {
        var language: String, theme: String, width: Int, height: Int
        var testDescription: String { "\(language) \(theme) \(width)x\(height)" }
    }

    nonisolated static let looks: [Look] = [
        Look(language: "en_US.UTF-8", theme: "Adwaita", width: 360, height: 250),
        Look(language: "ko_KR.UTF-8", theme: "Adwaita:dark", width: 360, height: 560),
        Look(language: "ko_KR.UTF-8", theme: "Adwaita", width: 800, height: 560),
        Look(language: "en_US.UTF-8", theme: "Adwaita:dark", width: 1_280, height: 800),
        Look(language: "en_US.UTF-8", theme: "Adwaita", width: 200, height: 150),
    ]

    @Test(arguments: looks) func everyPartIsDrawn(_ look: Look) async throws {
        let environment = ["LANG": look.language, "LC_ALL": look.language, "GTK_THEME": look.theme]
        try await CoverStage.with(size: "1400x900", environment: environment) { stage in
            let window = try await stage.openPlain(width: look.width, height: look.height)
            stage.activate(window)
            try await stage.until("the focus") { stage.active == window }
            let cover = try await stage.cover(window, focus: true, category: "games").id
            try await stage.until("the requests") { stage.auth.read > 0 && stage.shield.asked > 0 }
            try await stage.until("the focus") { stage.active == cover }
            try await picture(stage, cover, look, "1-shield")
            try await stage.xdotool("key", "Tab", "Return")
            try await picture(stage, cover, look, "2-page")
            try await stage.xdotool("key", "shift+Tab")
            try await stage.xdotool("type", "homework")
            try await picture(stage, cover, look, "3-reason")
            try await stage.xdotool("key", "Return", "Return")
            try await stage.until("the request") { !stage.auth.created.isEmpty }
            try await picture(stage, cover, look, "4-asked")
        }
    }

    private func picture(_ stage: CoverStage, _ cover: UInt32, _ look: Look, _ name: String) async throws {
        await EventLoop.main.pause(400)
        guard let target = ProcessInfo.processInfo.environment["SCREENTIME_PICTURES"] else { return }
        let file = "\(target)/\(look.language.prefix(2))-\(look.theme)-\(look.width)-\(name).png"
        let (status, _) = try await stage.world.run("import", ["import", "-window", String(cover), file])
        #expect(status == 0)
    }
}
