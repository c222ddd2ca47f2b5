import Contract
import Foundation
import Loop
import ScreenTimeTesting
import TestSupport
import Testing
import Units

@testable import CoverCore

/// Pictures of looks: decoded once each, and never at the cost of covers.
@Suite(.serialized) @LoopActor struct LookPictureTests {
    private static let game = CoverSubject(member: "", kind: .app, subject: "game")
    private static let mail = CoverSubject(member: "", kind: .app, subject: "mail")
    private static func look(_ name: String) -> ShieldLook {
        ShieldLook(icon: ShieldImage(svg: "<svg><title>\(name)</title></svg>"))
    }
    private static let dot = Pixels(width: 1, height: 1, bytes: [1, 2, 3, 255])

    @Test func aPictureIsDecodedOnceForAllCovers() throws {
        let stage = KeeperStage()
        _ = stage.show(1)
        _ = stage.show(2)
        stage.keeper.apply([Self.game: Self.look("a")])
        #expect(stage.decoded.count == 1)
        #expect(stage.views.allSatisfy { $0.picture == nil }, "meanwhile without it")
        stage.decodings[0](.success(try #require(Self.dot)))
        #expect(stage.views.allSatisfy { $0.picture == Self.dot })
        stage.keeper.apply([Self.game: Self.look("a")])
        stage.keeper.paintAll()
        stage.placement.windows[4] = true
        _ = stage.show(4)
        #expect(stage.decoded.count == 1 && stage.views[2].picture == Self.dot, "at once where it is known")
        for window in [1, 2, 4] as [Int64] { stage.keeper.hide(window) }
        _ = stage.show(1)
        stage.keeper.apply([Self.game: Self.look("a")])
        #expect(stage.decoded.count == 2, "it was kept while a cover stood")
    }

    @Test func aRefusedPictureIsNotTriedAgain() {
        let stage = KeeperStage()
        _ = stage.show(1)
        _ = stage.show(2)
        stage.keeper.apply([Self.game: Self.look("a")])
        stage.decodings[0](.failure(PictureCheck.Refusal(reason: "it is too good")))
        stage.keeper.apply([Self.game: Self.look("a")])
        stage.keeper.paintAll()
        #expect(stage.decoded.count == 1 && stage.views.allSatisfy { $0.picture == nil })
        #expect(stage.lines.texts.count { $0.contains("it is too good") } == 1)
    }

    /// One at a time; what no cover needs any more is left out.
    @Test func picturesWait() {
        let stage = KeeperStage()
        _ = stage.show(1)
        _ = stage.show(2, subject: "mail")
        stage.keeper.apply([Self.game: Self.look("a"), Self.mail: Self.look("b")])
        #expect(stage.decoded.count == 1)
        stage.keeper.apply([Self.game: Self.look("a"), Self.mail: Self.look("c")])
        stage.decodings[0](.failure(PictureCheck.Refusal(reason: "x")))
        let texts = stage.decoded.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(texts.map { $0.contains("b<") } == [false, false])
        stage.keeper.hide(2)
        stage.decodings[1](.failure(PictureCheck.Refusal(reason: "y")))
        #expect(!stage.lines.texts.contains { $0.contains("y") && $0.contains("mail") })
    }

    /// Nothing is drawn again if nothing changed.
    @Test func onlyChangedCoversArePainted() {
        let stage = KeeperStage()
        for window in 1...UInt32(30) { stage.placement.windows[window] = true }
        for window in 1...Int64(30) {
            _ = stage.show(window)
            stage.keeper.apply([Self.game: ShieldLook(title: ShieldLabel(text: "Later"))])
            stage.keeper.apply(AskPicture())
        }
        let paints = stage.views.map(\.paints)
        #expect(paints.allSatisfy { $0 <= 3 }, "\(paints)")
    }

    @Test func pixelsAreChecked() {
        let side = CoverLimits.drawingSide
        let largest = Pixels(width: side, height: side, bytes: Array(repeating: 7, count: side * side * 4))
        #expect(largest?.encoded.count == Pixels.bytesMax)
        #expect(largest.flatMap { Pixels(encoded: $0.encoded) }?.bytes == largest?.bytes)
        #expect(Pixels(width: side + 1, height: 1, bytes: Array(repeating: 0, count: side * 4 + 4)) == nil)
        #expect(Pixels(encoded: []) == nil && Pixels(encoded: [0, 1, 0, 1, 9]) == nil)
        #expect(Pixels(encoded: [0, 0, 0, 0]) == nil && Pixels(encoded: [0, 1, 0, 1, 1, 2, 3, 4]) != nil)
    }

    // MARK: the process

    @Test(.enabled(if: isX11Here, "xvfb, openbox, xterm or xdotool is not installed"))
    func aPictureOfALookIsDrawn() async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openPlain(width: 500, height: 400)
            let cover = try await stage.cover(window).id
            try stage.shield.change(
                "alpha",
                to: ShieldLook(
                    icon: ShieldImage(
                        svg: """
                            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">
                            <rect width="8" height="8" fill="#FF8000"/></svg>
                            """)))
            let place = try #require(stage.display.place(of: cover))
            try await stage.until("the picture") {
                stage.pixels(place).count { $0 == 0xFF8000 } > 1_000
            }
        }
    }

    /// A drawing within all limits that takes seconds: each shape is blended with all below it.
    @Test(.enabled(if: isX11Here, "xvfb, openbox, xterm or xdotool is not installed"))
    func aPictureThatTakesLongStopsNothing() async throws {
        try await CoverStage.with { stage in
            let window = try await stage.openPlain(width: 500, height: 400)
            _ = try await stage.cover(window)
            try await stage.until("the look") { stage.shield.asked > 0 }
            let shape = "<circle r=\"40\" style=\"mix-blend-mode:hue\"/>"
            let shapes = String(repeating: shape, count: 8_000)
            let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 24 24\">\(shapes)</svg>"
            #expect(svg.utf8.count < ShieldImage.bytesMax)
            let before = try processorTime(of: stage.process.pid, in: stage.world)
            try stage.shield.change("alpha", to: ShieldLook(icon: ShieldImage(svg: svg)))
            let log = stage.world.directory + "/state/logs/shield-cover.log"
            try await stage.until("the refusal") {
                stage.world.readText(log).contains("more than 500 ms of a processor")
            }
            let other = try await stage.openPlain(width: 300, height: 200, x: 600, y: 300)
            let isVisible = try await stage.cover(other).isVisible
            #expect(isVisible)
            try stage.shield.change(
                "alpha", to: ShieldLook(icon: ShieldImage(svg: svg), title: ShieldLabel(text: "Later")))
            let took = try processorTime(of: stage.process.pid, in: stage.world) - before
            print("shield-cover used \(took) ms of a processor")
            #expect(took < 1_500)
            let refusals = stage.world.readText(log).split(separator: "\n").count { $0.contains("500 ms of") }
            #expect(refusals == 1)
        }
    }

    /// Milliseconds of a processor that a process used so far, without its children.
    private func processorTime(of pid: Int32, in world: World) -> Int {
        let text = world.readText("/proc/\(pid)/stat")
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        // proc(5): utime and stime are fields 14 and 15; the state, field 3, is the first one here.
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return 0 }
        return (user + system) * 1_000 / Int(sysconf(Int32(_SC_CLK_TCK)))
    }
}
