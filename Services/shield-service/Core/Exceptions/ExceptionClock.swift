import Contract
import Loop
import ServiceKit
internal import Store
import Units

/// The time by which exceptions end: CLOCK_BOOTTIME within a boot, else the machine's clock as far as
/// activity-center trusts it, whose judgement is in `time.held`.
@LoopActor final class ExceptionClock: ClockKeeper {
    private let service: Service
    /// Nil in tests that have their own clock.
    private let system: SystemClock?
    private let bootID = MachineClock.readBootID()
    /// Called when the machine's clock was set or is judged otherwise.
    var onChange: @LoopActor () -> Void = {}
    /// How far the machine's clock is ahead of the trusted time.
    private var distance: Milliseconds = 0
    /// The present boot and CLOCK_BOOTTIME; nil under a virtual clock.
    lazy var boot: @LoopActor () -> (id: String, elapsed: Milliseconds)? = { [weak self] in
        guard let self, let system, !system.isVirtual else { return nil }
        return (bootID, MachineClock.elapsed)
    }

    private static let setting = "held_ms"

    init(_ service: Service) throws {
        self.service = service
        system = service.clock as? SystemClock
        let stored = try Settings(service.database).get(Self.setting)
        distance = Milliseconds(stored.flatMap { Int64($0) } ?? 0)
        system?.keeper = self
    }

    /// The clock itself is not corrected: stores and freezes have the machine's time.
    var held: Milliseconds { 0 }

    func clockWasSet() { onChange() }

    var reading: StoredException.Reading {
        let held = system?.isVirtual == true ? 0 : distance
        return StoredException.Reading(now: service.clock.now - held, boot: boot())
    }

    /// Applies activity-center's judgement.
    func hold(_ held: Milliseconds, _ transaction: Transaction) throws {
        let before = distance
        transaction.onUndo { [weak self] in self?.distance = before }
        try Settings(service.database).set(Self.setting, held == 0 ? nil : String(held.count))
        distance = held
        transaction.afterCommit { [weak self] in self?.onChange() }
    }
}
