import Loop

/// A rectangle of the screen, in its pixels.
struct Frame: Equatable, Sendable {
    var x: Int, y: Int, width: Int, height: Int

    /// This frame with its size rounded up to multiples of `unit`.
    func rounded(to unit: Int) -> Frame {
        func up(_ size: Int) -> Int { max(1, (size + unit - 1) / unit) * unit }
        return Frame(x: x, y: y, width: up(width), height: up(height))
    }
}

/// What happened to a covered window or its cover.
enum PlacementEvent: Equatable, Sendable {
    /// The window, with its borders, is here now.
    case moved(Frame)
    /// The cover is on the screen.
    case shown
    /// It is not: minimised, on another workspace.
    case hidden
    /// The window was closed.
    case closed
    /// Another program destroyed the cover; the window is there. It is not followed any more.
    case lost
}

/// What draws a cover: one window of ours.
@LoopActor protocol CoverSurface: AnyObject {
    /// Creates the window, without showing it, and returns its X11 id.
    func create(_ frame: Frame) -> UInt32
    /// Its sizes are multiples of so many pixels, because GTK knows only whole units of its own. It covers a
    /// pixel more than its target then, never less.
    var scale: Int { get }
    /// Shows it, without asking for the focus.
    func present()
    /// What it covers is here now.
    func follow(_ frame: Frame)
    /// It is on the screen: draw, and report the first frame.
    func becomeVisible()
    /// Whether the person asks for more time on it, or pressed a key within the last second: the next one
    /// must not get into another window.
    var isInUse: Bool { get }
    /// Whether the last key was pressed less than half a second before that.
    /// - Parameter time: of the server, by the last event that was told; it may be before the key.
    func wasTyping(at time: UInt32) -> Bool
    /// Calls `then` once ``isInUse`` and ``wasTyping(at:)`` know each key and click that the server has sent
    /// so far: where this process gets no processor, they wait unread.
    func afterInput(_ then: @escaping @LoopActor () -> Void)
    /// The focus, which another window took from it, comes back: what is typed then is meant for it.
    func expectFocus()
    /// Removes it.
    func close()
}

/// Puts covers over windows, and keeps them there. This is the seam between covers and the desktop: X11 here,
/// later a compositor that places them itself.
@LoopActor protocol CoverPlacement: AnyObject {
    /// Called with the window and what happened.
    var onEvent: (@LoopActor (UInt32, PlacementEvent) -> Void)? { get set }
    /// Why covers may not stay in place, a sentence; nil if nothing is wrong.
    var problem: String? { get }
    /// Whether there is such a window.
    func exists(_ window: UInt32) -> Bool
    /// Shows a surface exactly over a window, directly above it, and follows the window from then on. If the
    /// window has the focus, its cover takes it.
    /// - Returns: whether the window is on the screen; nil if it does not exist.
    func show(_ surface: any CoverSurface, over window: UInt32) -> Bool?
    /// The app asks something in another window, which the person may use. Whoever has the focus on the
    /// cover, or comes there, is led to it once for each question, as soon as the cover is not in use.
    /// - Parameter question: nil: not any more.
    func lead(from window: UInt32, to question: UInt32?)
    /// The person turns from a cover to the question of its app, if it has one.
    func turn(from window: UInt32)
    /// Stops following. If the cover has the focus, the window gets it back. The surface is closed
    /// afterwards.
    func hide(_ window: UInt32)
}
