import Loop
import ServiceKit
import Store
import Units

/// One timer for the earliest of many due instants of the trusted time, which are in the store.
@LoopActor final class DueTimer {
    private let time: TrustedClock
    private let service: Service
    private let next: @LoopActor () throws(StoreError) -> Instant?
    private let fire: @LoopActor () -> Void
    /// Set by the service's clock.
    private var armed: (due: Instant, token: TimerToken)?

    /// - Parameter next: reads the earliest due instant; nil if there is none. If it cannot be read, the
    ///   timer fires after a pause.
    init(
        _ time: TrustedClock, _ service: Service,
        next: @escaping @LoopActor () throws(StoreError) -> Instant?,
        fire: @escaping @LoopActor () -> Void
    ) {
        self.time = time
        self.service = service
        self.next = next
        self.fire = fire
    }

    /// Sets the timer to the earliest instant in the store.
    /// - Parameter earliest: it does not fire before, however long an instant has passed.
    func arm(earliest: Instant = .min) {
        var due: Instant?
        do { due = try next().map { time.due(max($0, earliest)) } } catch {
            service.log.error("reading what is due failed", [("error", .text(error.kind.rawValue))])
            due = service.clock.now + Service.retryPause
        }
        guard due != armed?.due else { return }
        if let armed { service.clock.cancel(armed.token) }
        armed = nil
        guard let due else { return }
        let token = service.clock.at(due) { [weak self] in
            self?.armed = nil
            self?.fire()
        }
        armed = (due, token)
    }

    /// Sets it again after a failed commit: at once it would fail again, and again.
    func armAfterPause() { arm(earliest: time.now + Service.retryPause) }
}
