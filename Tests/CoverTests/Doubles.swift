import Bus
import Contract
import Loop
import ServiceKit
import Units

@testable import CoverCore

/// A desktop of which a test says what happens.
@LoopActor final class FakePlacement: CoverPlacement {
    var onEvent: (@LoopActor (UInt32, PlacementEvent) -> Void)?
    var problem: String?
    /// Windows that exist, and whether they are on the screen.
    var windows: [UInt32: Bool] = [:]
    private(set) var shown: [UInt32] = []
    private(set) var hidden: [UInt32] = []
    private(set) var surfaces: [UInt32: any CoverSurface] = [:]

    func exists(_ window: UInt32) -> Bool { windows[window] != nil }

    func show(_ surface: any CoverSurface, over window: UInt32) -> Bool? {
        guard let isVisible = windows[window] else { return nil }
        shown.append(window)
        surfaces[window] = surface
        _ = surface.create(Frame(x: 1, y: 2, width: 300, height: 200))
        surface.present()
        return isVisible
    }

    /// Where apps ask something.
    private(set) var questions: [UInt32: UInt32] = [:]
    func lead(from window: UInt32, to question: UInt32?) {
        questions[window] = question
    }
    /// From which covers the person turned to the question.
    private(set) var turns: [UInt32] = []
    func turn(from window: UInt32) { turns.append(window) }
    func hide(_ window: UInt32) { hidden.append(window) }
}

/// A cover that draws nothing.
@LoopActor final class FakeView: CoverView {
    var onFrame: (@LoopActor () -> Void)?
    var onPress: (@LoopActor (ShieldButton) -> Void)?
    var onAsk: (@LoopActor (AskAction) -> Void)?
    var onTurn: (@LoopActor () -> Void)?
    var onOpen: (@LoopActor (Bool) -> Void)?
    var isInUse = false
    func wasTyping(at time: UInt32) -> Bool { false }
    func afterInput(_ then: @escaping @LoopActor () -> Void) { then() }
    func expectFocus() {}
    var areButtonsEnabled = true
    private(set) var face: CoverFace?
    private(set) var notice: String?
    private(set) var frame: Frame?
    private(set) var isClosed = false
    var drawsAtOnce = true
    let scale = 1

    private(set) var picture: Pixels?
    /// How often it was drawn again.
    private(set) var paints = 0

    func set(_ content: CoverContent, words: Words) {
        (face, picture, notice) = (content.face, content.picture, content.notice)
        paints += 1
    }
    func fit() {}
    func create(_ frame: Frame) -> UInt32 {
        self.frame = frame
        return 7
    }
    func present() {}
    func follow(_ frame: Frame) { self.frame = frame }
    func becomeVisible() { if drawsAtOnce { onFrame?() } }
    func close() { isClosed = true }
}

/// The log of a test, as lines.
final class Lines: LogSink {
    private(set) var texts: [String] = []
    func append(_ line: [UInt8]) -> String? {
        texts.append(String(decoding: line, as: UTF8.self))
        return nil
    }
    func removeLines(of forgetting: Forgetting) throws(ServiceError) -> Int { 0 }
}
