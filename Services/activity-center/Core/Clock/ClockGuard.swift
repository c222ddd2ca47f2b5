import Contract
import Loop
import Rules
import Schedules
import ServiceKit
import Store
import Time
import Units

/// Provides the time for use and schedules: the machine's clock as far as it is trusted. The rules are in
/// ``TrustedTime``; this class connects them to the clocks, the store and the followers. It does nothing
/// under the virtual clock, which only its driver can set.
@LoopActor final class ClockGuard: ClockKeeper {
    private let service: Service
    /// Nil in tests that have their own clock.
    private let clock: SystemClock?
    private let bootID = MachineClock.readBootID()
    private var time: TrustedTime
    private var offsets: BootOffsets
    /// The last published step, and below, the latest stored instant.
    private var told: Milliseconds
    private var written: Instant
    /// Whether there is unsaved state.
    private var isDirty = false
    private var willSettle = false
    private var isWaiting = false

    private static let setting = "trusted_time"
    /// Shortest time between two writes of the latest instant, which are part of other writes.
    private static let writtenEvery: Milliseconds = 30_000
    /// While a step is held: time between checks whether time synchronisation has confirmed it, since the
    /// kernel sends no event.
    private static let pollInterval: Milliseconds = 15_000
    /// Tolerance for reading two clocks one after the other.
    private static let noise: Milliseconds = 100

    init(_ service: Service) throws {
        self.service = service
        clock = service.clock as? SystemClock
        let saved = try Self.load(service)
        time = saved?.time ?? TrustedTime(first: Self.reading(bootID))
        offsets = saved?.offsets ?? BootOffsets()
        told = saved?.told ?? 0
        written = saved?.latest ?? Instant.min
        if let saved, let placed = try Self.lastPlaced(service, boot: saved.boot) {
            // The store contains the latest instant only from time to time; no use of another boot precedes
            // it.
            time.latest = max(time.latest, placed + 1)
        }
        clock?.keeper = self
        if told != 0 { notifyPerson() }
    }

    private static func load(_ service: Service) throws -> SavedTime? {
        let text = try Settings(service.database).get(setting)
        return try text.map { try SavedTime.stored(Array($0.utf8), in: "setting") }
    }

    /// The last observation of a boot of this machine, if no other boot follows it.
    private static func lastPlaced(_ service: Service, boot: String) throws -> Instant? {
        let rows = try service.database.query(
            """
            SELECT last.order_ms FROM stream JOIN observation AS last ON last.stream = stream.id
            AND last.order_ms = (SELECT max(order_ms) FROM observation WHERE stream = stream.id)
            JOIN boot ON boot.id = last.boot WHERE stream.model = ?1 AND boot.name = ?2
            """, Stream.defaultModel, boot
        ) { $0.instant(0) }
        return rows.max()
    }

    private static func reading(_ bootID: String) -> TrustedTime.Reading {
        TrustedTime.Reading(bootID: bootID, elapsed: MachineClock.elapsed, wall: WallTime.now)
    }

    // MARK: the time

    private var isAtRest: Bool { clock?.isVirtual ?? true }

    var held: Milliseconds {
        poll()
        return isAtRest ? 0 : time.held
    }

    func clockWasSet() { poll() }

    /// Where an observation of this machine belongs, whatever its wall clock said; nil for another machine's.
    func believed(boot: String, elapsed: Milliseconds, wall: Instant) -> Instant? {
        isAtRest ? nil : offsets.believed(boot: boot, elapsed: elapsed, wall: wall)
    }

    private func poll() {
        guard !isAtRest else { return }
        let reading = Self.reading(bootID)
        time.apply(reading) { MachineClock.isSynchronised }
        mark(reading)
        if isDirty || isNews { settleSoon() }
    }

    private func mark(_ reading: TrustedTime.Reading) {
        guard let mark = offsets.missing(time, at: reading.elapsed) else { return }
        offsets.add(mark, of: bootID)
        isDirty = true
    }

    /// Whether the held step differs from the published one.
    private var isNews: Bool {
        (time.held == 0) != (told == 0) || abs(time.held - told) > Self.noise
    }

    // MARK: storing and publishing

    private func settleSoon(after pause: Milliseconds = 0) {
        guard !willSettle else { return }
        willSettle = true
        service.loop.after(pause) { [weak self] in
            self?.willSettle = false
            self?.settle()
        }
    }

    private func settle() {
        do throws(ServiceError) {
            try service.transact(trace: nil) { try write($0) }
        } catch {
            service.log.error("writing the trusted time failed", [("error", .name(of: error))])
        }
    }

    /// Stores what changed, and publishes the step if it differs. Call inside a write.
    private func write(_ transaction: Transaction) throws {
        let isNews = isNews
        let before = (told, written)
        transaction.onUndo { [weak self] in
            guard let self else { return }
            (told, written) = before
            isDirty = true
            settleSoon(after: Service.retryPause)
        }
        if isNews {
            try transaction.emit(TimeHeld(held: time.held))
            told = time.held
        }
        let saved = SavedTime(time, offsets, told: told)
        let text = String(decoding: saved.encoded(), as: UTF8.self)
        try Settings(service.database).set(Self.setting, text)
        written = time.latest
        isDirty = false
        guard isNews else { return }
        transaction.afterCommit { [weak self] in
            self?.notifyPerson()
            self?.clock?.rearm()
        }
    }

    /// Called in every write of use, since power can fail at any moment.
    func keep(_ transaction: Transaction) throws {
        guard !isAtRest, isDirty || time.latest - written >= Self.writtenEvery else { return }
        try write(transaction)
    }

    private func notifyPerson() {
        let sentence = told == 0 ? nil : Self.sentence(told)
        service.setDegraded("clock", sentence)
        if told == 0 {
            service.log.info("the machine's clock is trusted again")
        } else {
            service.log.warning("the machine's clock was set", [("held_ms", .number(told.count))])
            waitForSynchronisation()
        }
    }

    private static func sentence(_ held: Milliseconds) -> String {
        let seconds = (abs(held) + 500) / .second
        let direction = held > 0 ? "forward" : "back"
        return "the machine's clock was set \(direction) by \(seconds / 3_600) h \(seconds / 60 % 60) min "
            + "\(seconds % 60) s and nothing confirms it, so it is ignored: correct the clock, let time "
            + "synchronisation do it, or run `screentime clock confirm`"
    }

    private func waitForSynchronisation() {
        guard !isWaiting else { return }
        isWaiting = true
        service.loop.after(Self.pollInterval) { [weak self] in
            guard let self else { return }
            isWaiting = false
            poll()
            if told != 0 { waitForSynchronisation() }
        }
    }

    // MARK: methods

    func status() -> TimeStatus.Result {
        TimeStatus.Result(
            now: service.clock.now, held: held, isSynchronised: MachineClock.isSynchronised,
            zone: Zone.current.identifier)
    }

    func confirm(_ transaction: Transaction) throws -> TimeConfirm.Result {
        let moved = held
        if moved != 0 {
            let before = (time, offsets)
            transaction.onUndo { [weak self] in
                guard let self else { return }
                (time, offsets) = before
                clock?.rearm()
            }
            let reading = Self.reading(bootID)
            time.confirm(reading)
            mark(reading)
            try write(transaction)
        }
        return TimeConfirm.Result(
            moved: moved, now: service.clock.now, sequence: try transaction.head())
    }

    /// For a snapshot.
    var present: TimeHeld? { told == 0 ? nil : TimeHeld(held: told) }
}
