import Contract
import Loop
import Units

/// Whether the person is present, derived from input, foreground media, lock and sleep.
@LoopActor final class Attendance {
    private let idleThreshold: Milliseconds
    private let tell: @LoopActor (ObservationKind) -> Void
    private var hasNoInput = false
    private var isPlaying = false
    private var ending: TimerToken?
    private(set) var isIdle = false
    private(set) var isLocked = false
    private(set) var isAsleep = false

    /// - Parameter idleThreshold: time after the end of foreground media that counts as idle.
    init(idleThreshold: Milliseconds, tell: @escaping @LoopActor (ObservationKind) -> Void) {
        self.idleThreshold = idleThreshold
        self.tell = tell
    }

    var isThere: Bool { !isIdle && !isLocked && !isAsleep }

    /// The idle alarm fired. Foreground media delays the effect.
    func inputStopped() {
        hasNoInput = true
        if !isPlaying { setIdle(true) }
    }

    func inputCame() {
        hasNoInput = false
        stopEnding()
        setIdle(false)
    }

    /// Sets whether foreground media plays. After its end the idle time starts again.
    func setPlaying(_ plays: Bool) {
        guard plays != isPlaying else { return }
        isPlaying = plays
        stopEnding()
        if plays {
            setIdle(false)
        } else if hasNoInput {
            ending = EventLoop.main.after(idleThreshold) { [weak self] in
                self?.ending = nil
                self?.setIdle(true)
            }
        }
    }

    func setLocked(_ isNow: Bool) {
        guard isNow != isLocked else { return }
        isLocked = isNow
        tell(isNow ? .locked : .unlocked)
    }

    func setAsleep(_ isNow: Bool) {
        guard isNow != isAsleep else { return }
        isAsleep = isNow
        tell(isNow ? .suspend : .resume)
    }

    private func setIdle(_ isNow: Bool) {
        guard isNow != isIdle else { return }
        isIdle = isNow
        tell(isNow ? .idle : .active)
    }

    private func stopEnding() {
        if let ending { EventLoop.main.cancel(ending) }
        ending = nil
    }
}
