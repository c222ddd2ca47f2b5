import CXcb
import Loop

@testable import CoverCore

/// A cover that is a window of the test.
@LoopActor final class PlainSurface: CoverSurface {
    let scale = 1
    var isInUse = false, isTyping = false
    func wasTyping(at time: UInt32) -> Bool { isTyping }
    /// Whether keys wait in the socket. ``readInput()`` reads them.
    var inputIsUnread = false
    private var waiting: [@LoopActor () -> Void] = []
    var isWaited: Bool { !waiting.isEmpty }
    func afterInput(_ then: @escaping @LoopActor () -> Void) {
        if inputIsUnread { waiting.append(then) } else { then() }
    }
    func readInput() {
        inputIsUnread = false
        let ready = waiting
        waiting = []
        for then in ready { then() }
    }
    func expectFocus() {}
    private let stage: CoverStage
    private var window: UInt32 = 0

    init(_ stage: CoverStage) { self.stage = stage }

    func create(_ frame: Frame) -> UInt32 {
        window = stage.makePlain(width: frame.width, height: frame.height, x: frame.x, y: frame.y)
        // The placement's connection must know it.
        _ = stage.display.place(of: window)
        return window
    }
    func present() {
        xcb_map_window(stage.display.raw, window)
        stage.display.flush()
    }
    func follow(_ frame: Frame) {}
    func becomeVisible() {}
    func close() {}
}
