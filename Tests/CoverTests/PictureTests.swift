import Contract
import Foundation
import Loop
import ScreenTimeTesting
import TestSupport
import Testing
import Units

@testable import CoverCore

/// Covers as a person sees them. With SCREENTIME_KEEP=1 the pictures stay in the test's directory.
@Suite(.serialized, .enabled(if: isX11Here && World.areInstalled("import"), "no X11, or no imagemagick"))
@LoopActor struct PictureTests {
    struct Look: Sendable, CustomTestStringConvertible {
        var language: String, theme: String, width: Int, height: Int
        var appearance: Appearance { theme.hasSuffix("dark") ? .dark : .light }
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
            // Away from the buttons, which have another colour below the pointer.
            try await stage.xdotool("mousemove", "2", "2")
            let window = try await stage.openPlain(width: look.width, height: look.height)
            stage.activate(window)
            try await stage.until("the focus") { stage.active == window }
            let cover = try await stage.cover(window, category: "games").id
            try await stage.until("the requests") { stage.auth.read > 0 && stage.shield.asked > 0 }
            try await stage.until("the focus") { stage.active == cover }
            try await stage.awaitButtons()
            let palette = Palette.of(look.appearance)
            let place = try #require(stage.display.place(of: cover))
            let middle = place.width / 2
            try await picture(stage, place, look, "1-shield") { picture in
                guard let button = picture.box(of: palette.accent, atLeast: 50) else { return false }
                let isCentred = abs(button.x + button.width / 2 - middle) <= 2
                return isCentred && button.width > 2 * button.height && picture.count(palette.text) > 10
                    && picture.colours.first == palette.background.packed
            }
            try await stage.turn("Tab", "Return")
            try await picture(stage, place, look, "2-page") { picture in
                // The chosen one of two subjects: on the left, or across if they are one below the other.
                guard let chosen = picture.box(of: palette.accent, atLeast: 50) else { return false }
                return chosen.x < middle && chosen.width < place.width
            }
            try await stage.xdotool("type", "homework")
            try await picture(stage, place, look, "3-reason") { $0.count(palette.text) > 10 }
            try await stage.xdotool("key", "Tab", "Return")
            try await stage.until("the request") { !stage.auth.created.isEmpty }
            try await picture(stage, place, look, "4-asked") { picture in
                let button = picture.box(of: palette.accent, atLeast: 50)
                return button.map { abs($0.x + $0.width / 2 - middle) <= 2 } ?? false
            }
        }
    }

    /// A text that cannot be broken into lines leaves the buttons where they are.
    @Test func noTextPushesTheButtonsOut() async throws {
        try await CoverStage.with { stage in
            try await stage.xdotool("mousemove", "2", "2")
            // One character for whoever breaks lines, of the widest parts that are left.
            let wide = String(repeating: "\u{1100}", count: 3_000)
            let label = ShieldLabel(text: wide)
            stage.shield.look = ShieldLook(title: label, subtitle: label)
            let window = try await stage.openPlain(width: 420, height: 380)
            let cover = try await stage.cover(window).id
            let place = try #require(stage.display.place(of: cover))
            try await stage.until("the look") { stage.shield.asked > 0 }
            _ = try await stage.call(HealthCheck.self, Nothing())
            let accent = Palette.of(.light).accent
            let look = Look(language: "en_US.UTF-8", theme: "Adwaita", width: 420, height: 380)
            try await picture(stage, place, look, "7-wide") { picture in
                guard let button = picture.box(of: accent, atLeast: 50) else { return false }
                return abs(button.x + button.width / 2 - place.width / 2) <= 2
            }
        }
    }

    @Test(arguments: looks) func aWarningIsDrawn(_ look: Look) async throws {
        let environment = ["LANG": look.language, "LC_ALL": look.language, "GTK_THEME": look.theme]
        try await CoverStage.with(environment: environment) { stage in
            let isKorean = look.language.hasPrefix("ko")
            let params = WarningShow.Params(
                key: "a", title: isKorean ? "5분 뒤에 ‘게임’ 시간이 끝납니다" : "“Games” ends in 5 minutes",
                body: look.width < 300 ? nil : isKorean ? "저녁 먹을 시간이에요." : "Tea is ready.",
                secondsLeft: 299, counting: false)
            _ = try await stage.call(WarningShow.self, params)
            let palette = Palette.of(look.appearance)
            func corner(_ height: Int) -> Frame {
                Frame(x: 6, y: 694 - height, width: 394, height: height)
            }
            try await picture(stage, corner(140), look, "5-banner") { picture in
                picture.box(of: palette.accentText).map { $0.height > 5 } ?? false
            }
            // Ten seconds later.
            try await picture(stage, corner(60), look, "6-chip") { picture in
                let ground = StyleSheet.ground(look.appearance)
                guard let box = picture.box(of: ground, atLeast: 10) else { return false }
                return box.y > 0 && box.height < 50 && box.x < 20 && box.x + box.width < 334
            }
        }
    }

    /// A part of the screen.
    private struct Picture {
        var colours: [UInt32]
        var width: Int

        func count(_ colour: Colour) -> Int { colours.count { $0 == colour.packed } }

        /// Where a colour is: the rows that have so many pixels of it. Icons have less than buttons.
        func box(of colour: Colour, atLeast least: Int = 1) -> Frame? {
            let all = colours.indices.filter { colours[$0] == colour.packed }
            var counts: [Int: Int] = [:]
            for index in all { counts[index / width, default: 0] += 1 }
            let found = all.filter { counts[$0 / width, default: 0] >= least }
            let columns = found.map { $0 % width }, rows = found.map { $0 / width }
            guard let left = columns.min(), let right = columns.max(), let top = rows.min(),
                let bottom = rows.max()
            else { return nil }
            return Frame(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
        }
    }

    /// Waits until a part of the screen looks as expected.
    private func picture(
        _ stage: CoverStage, _ place: Frame, _ look: Look, _ name: String, _ isRight: (Picture) -> Bool
    ) async throws {
        do {
            try await stage.until("\(name) of \(look)") {
                isRight(Picture(colours: stage.pixels(place), width: place.width))
            }
        } catch {
            try await save(stage, place, look, name)
            throw error
        }
        try await save(stage, place, look, name)
    }

    private func save(_ stage: CoverStage, _ place: Frame, _ look: Look, _ name: String) async throws {
        guard getenv("SCREENTIME_KEEP") != nil else { return }
        let area = "\(place.width)x\(place.height)+\(place.x)+\(place.y)"
        let words = look.theme.split(separator: ":").joined(separator: "-")
        let file = "\(stage.world.directory)/\(look.language.prefix(2))-\(words)-\(look.width)-\(name).png"
        let (status, _) = try await stage.world.run(
            "import", ["import", "-window", "root", "-crop", area, "+repage", file])
        #expect(status == 0)
    }
}
