import Contract
import Loop
import Testing

@testable import CoverCore

/// Windows that are partly off the screen: the buttons of their covers can be reached.
@Suite(.serialized, .enabled(if: isX11Here, "xvfb, openbox, xterm or xdotool is not installed"))
@LoopActor struct VisiblePartDesktopTests {
    /// The smallest frame around all pixels of a colour on a screen of 1000 by 700.
    private func extent(of colour: UInt32, _ stage: CoverStage) -> Frame? {
        let pixels = stage.pixels(Frame(x: 0, y: 0, width: 1_000, height: 700))
        let places = pixels.indices.filter { pixels[$0] == colour }
        let (columns, rows) = (places.map { $0 % 1_000 }, places.map { $0 / 1_000 })
        guard let left = columns.min(), let right = columns.max(), let top = rows.min(),
            let bottom = rows.max()
        else { return nil }
        return Frame(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }

    @Test(arguments: [(-700, -450), (0, 0), (300, 200), (-700, 100), (640, 420)])
    func theButtonsAreInTheVisiblePart(_ x: Int, _ y: Int) async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openPlain(width: 1_600, height: 1_200)
            let cover = try await stage.cover(window).id
            try await stage.xdotool("windowmove", String(window), String(x), String(y))
            try await stage.until("the move") {
                stage.display.place(of: window).map { abs($0.x - x) + abs($0.y - y) < 60 } ?? false
            }
            try await stage.awaitFit(cover, over: window, "moved")
            let frame = try #require(stage.frame(of: window))
            let (left, top) = (max(0, frame.x), max(0, frame.y))
            let right = min(1_000, frame.x + frame.width), bottom = min(700, frame.y + frame.height)
            let face = CoverFace(nil, of: "x", .app, words: .english, appearance: .light)
            let colour = face.primary.background.packed
            try await stage.until("the button is in the middle of what is visible") {
                guard let button = extent(of: colour, stage) else { return false }
                return abs(button.x + button.width / 2 - (left + right) / 2) <= 2
                    && button.x > left && button.x + button.width < right
                    && button.y > top && button.y + button.height < bottom
            }
        }
    }
}
