import Contract
import Loop
import Testing
import Units

@testable import CoverCore

/// Covers where a pixel of GTK is two of the screen.
@Suite(.serialized, .enabled(if: isX11Here, "xvfb, openbox, xterm or xdotool is not installed"))
@LoopActor struct ScaledCoverTests {
    @Test(arguments: [(501, 333), (500, 333), (501, 332), (307, 201)])
    func everyPixelOfAnOddWindowIsCovered(_ width: Int, _ height: Int) async throws {
        try await CoverStage.with(environment: ["GDK_SCALE": "2"]) { stage in
            let window = try await stage.openPlain(width: width, height: height)
            let (cover, isVisible) = try await stage.cover(window)
            #expect(isVisible, "its first frame was drawn")
            try await stage.awaitFit(cover, over: window, scale: 2, "at first")
            let frame = try #require(stage.frame(of: window))
            let background = CoverFace(nil, of: "x", .app, words: .english, appearance: .light).background
            let edge = background.packed
            for strip in [
                Frame(x: frame.x + frame.width - 3, y: frame.y, width: 3, height: frame.height),
                Frame(x: frame.x, y: frame.y + frame.height - 3, width: frame.width, height: 3),
            ] {
                try await stage.until("the edge \(strip) is the cover's") {
                    stage.pixels(strip).allSatisfy { $0 == edge }
                }
            }
            try await stage.xdotool("windowsize", String(window), String(width + 40), String(height + 13))
            try await stage.until("the size") { stage.display.place(of: window)?.width == width + 40 }
            try await stage.awaitFit(cover, over: window, scale: 2, "resized")
        }
    }
}

extension Colour {
    /// `0xRRGGBB`
    var packed: UInt32 {
        func byte(_ part: Double) -> UInt32 { UInt32((part * 255).rounded()) }
        return byte(red) << 16 | byte(green) << 8 | byte(blue)
    }
}
