import Loop
import Units

/// Looks whether a frozen app has got the keyboard or the pointer of the session, by a hotkey that it asked
/// for before: the server may then wait for its answer, and give input to nobody. Only apps that asked for
/// some are watched, and only while the person is there.
@LoopActor final class GrabWatch {
    private let session: X11Session
    private let onAsked: @LoopActor () -> Void
    private let onHeld: @LoopActor (ShieldedApp) -> Void
    private var apps: [ShieldedApp] = []
    private var timer: TimerToken?
    /// How often in a row input was held. A press that is still held is not waited for.
    private var heldCount = 0

    /// - Parameters:
    ///   - onAsked: called after requests to the display.
    ///   - onHeld: called with each watched app if input is held.
    init(
        _ session: X11Session, onAsked: @escaping @LoopActor () -> Void,
        onHeld: @escaping @LoopActor (ShieldedApp) -> Void
    ) {
        self.session = session
        self.onAsked = onAsked
        self.onHeld = onHeld
    }

    /// Sets the frozen apps that asked for keys or buttons.
    func set(_ apps: [ShieldedApp]) {
        self.apps = apps
        guard !apps.isEmpty else { return close() }
        if timer == nil { lookLater() }
    }

    func close() {
        apps = []
        heldCount = 0
        if let timer { EventLoop.main.cancel(timer) }
        timer = nil
    }

    private func lookLater() {
        timer = EventLoop.main.after(AgentLimits.grabLook) { [weak self] in
            self?.timer = nil
            self?.look()
        }
    }

    private func look() {
        let isThere = session.idleTime().map { $0 < 2 * AgentLimits.grabLook } ?? false
        let isHeld = isThere && (session.grabs.isKeyboardHeld() || session.grabs.isPointerHeld())
        heldCount = isHeld ? heldCount + 1 : 0
        lookLater()
        onAsked()
        guard heldCount >= AgentLimits.grabLooks else { return }
        heldCount = 0
        apps.forEach(onHeld)
    }
}
