import Contract
import Loop
import ServiceKit
import Units

/// The time by which exceptions end: CLOCK_BOOTTIME within a boot, else the machine's clock as far as
/// activity-center trusts it.
@LoopActor final class ExceptionClock: ClockKeeper {
    private let service: Service
    /// Nil in tests that have their own clock.
    private let system: SystemClock?
    private let bootID = MachineClock.readBootID()
    /// Called when the machine's clock was set or is judged otherwise.
    var onChange: @LoopActor () -> Void = {}
    let judgement: HeldTime
    /// The present boot and CLOCK_BOOTTIME; nil under a virtual clock.
    lazy var boot: @LoopActor () -> (id: String, elapsed: Milliseconds)? = { [weak self] in
        guard let self, let system, !system.isVirtual else { return nil }
        return (bootID, MachineClock.elapsed)
    }

    init(_ service: Service) throws {
        self.service = service
        system = service.clock as? SystemClock
        judgement = try HeldTime(service)
        judgement.onChange = { [weak self] in self?.onChange() }
        system?.keeper = self
    }

    /// The clock itself is not corrected: stores and freezes have the machine's time.
    var held: Milliseconds { 0 }

    func clockWasSet() { onChange() }

    var reading: StoredException.Reading {
        let held = system?.isVirtual == true ? 0 : judgement.held
        return StoredException.Reading(now: service.clock.now - held, boot: boot())
    }
}
