internal import Contract
package import Loop
package import Units

/// One timer for the earliest of many due instants, which are in the store.
@LoopActor package final class DueTimer {
    private let service: Service
    /// Nil for instants of the service's clock.
    private let time: TrustedClock?
    private let next: @LoopActor () throws -> Instant?
    private let fire: @LoopActor () -> Void
    /// Set by the service's clock.
    private var armed: (due: Instant, token: TimerToken)?

    /// - Parameters:
    ///   - time: of which the instants are, if not of the service's clock.
    ///   - next: reads the earliest due instant; nil if there is none.
    package init(
        _ service: Service, of time: TrustedClock? = nil, next: @escaping @LoopActor () throws -> Instant?,
        fire: @escaping @LoopActor () -> Void
    ) {
        self.service = service
        self.time = time
        self.next = next
        self.fire = fire
    }

    /// Sets the timer to the earliest instant in the store.
    /// - Throws: what reading it throws; then the timer stays as it is.
    package func rearm(earliest: Instant = .min) throws {
        let due = try next().map { max($0, earliest) }
        set(due.map { time?.due($0) ?? $0 })
    }

    /// The same; if the earliest instant cannot be read, the timer fires after a pause.
    /// - Parameter earliest: it does not fire before, however long an instant has passed.
    package func arm(earliest: Instant = .min) {
        do { try rearm(earliest: earliest) } catch {
            service.noteDamage(error)
            service.log.error("reading what is due failed", [("error", .name(of: error))])
            armForRetry()
        }
    }

    /// Sets it again after a failed commit: at once it would fail again, and again.
    package func armAfterPause() { arm(earliest: (time?.now ?? service.clock.now) + Service.retryPause) }

    /// Fires after a pause, or before, if it was set to.
    package func armForRetry() {
        set(min(armed?.due ?? .max, service.clock.now + Service.retryPause))
    }

    /// It does not fire until it is armed again.
    package func disarm() { set(nil) }

    private func set(_ due: Instant?) {
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
}
