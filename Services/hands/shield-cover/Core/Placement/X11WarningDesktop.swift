import Loop

/// What warnings need of an X11 session.
@LoopActor final class X11WarningDesktop: WarningDesktop {
    private let placement: X11Placement

    init(_ placement: X11Placement) { self.placement = placement }

    var monitors: [Frame] { Monitors.areas }

    var scale: Int { Monitors.scale }

    func frame(of window: UInt32) -> Frame? { placement.frame(of: window) }

    var pointer: (place: Frame, window: Frame?) { placement.pointer }
}
