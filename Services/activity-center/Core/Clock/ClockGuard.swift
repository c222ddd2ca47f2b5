import Contract
import Loop
import Rules
import Schedules
import ServiceKit
import Store
import Time

/// Keeps the time by which use is placed and schedules go: the machine's clock as far as it is believed. The
/// rules are ``TrustedTime``; here they meet the clocks, the store, and those who must hear of it. Under the
/// virtual clock, which nobody but its driver sets, all of it rests.
@LoopActor final class ClockGuard: ClockKeeper {
    private let service: Service
    /// Nil: a test's own.
    private let clock: SystemClock?
    private let bootID = MachineClock.readBootID()
    private var time: TrustedTime
    private var offsets: BootOffsets
    /// The step that was told last, and the latest instant that was written.
    private var told_ms: Int64
    private var written_ms: Int64
    /// The store does not have all of it yet.
    private var isDirty = false
    private var willSettle = false
    private var isWaiting = false

    private static let setting = "trusted_time"
    /// The latest instant is written at most so often, with what is written anyway.
    private static let writtenEvery_ms: Int64 = 30_000
    /// While a step waits: between two looks at whether time synchronisation has confirmed it, which nothing
    /// tells.
    private static let lookEvery_ms: Int64 = 15_000
    /// Milliseconds until it writes again after a failed write.
    private static let retry_ms: Int64 = 1_000
    /// Two clocks are never read at the very same moment.
    private static let noise_ms: Int64 = 100

    init(_ service: Service) throws {
        self.service = service
        clock = service.clock as? SystemClock
        let saved = try Self.load(service)
        time = saved?.time ?? TrustedTime(first: Self.reading(bootID))
        offsets = saved?.offsets ?? BootOffsets()
        told_ms = saved?.toldMs ?? 0
        written_ms = saved?.latestMs ?? Int64.min
        if let saved, let placed_ms = try Self.lastPlaced(service, boot: saved.boot) {
            // The store keeps the latest instant now and then only; no use of another boot lies before it.
            time.latest_ms = max(time.latest_ms, placed_ms + 1)
        }
        clock?.keeper = self
        if told_ms != 0 { tellThePerson() }
    }

    private static func load(_ service: Service) throws -> SavedTime? {
        try Settings(service.database).get(setting).map { try SavedTime.decode(Array($0.utf8)) }
    }

    /// Where the last observation of a boot of this machine lies, if no other boot's follows it.
    private static func lastPlaced(_ service: Service, boot: String) throws -> Int64? {
        let rows = try service.database.query(
            """
            SELECT last.order_ms FROM stream JOIN observation AS last ON last.stream = stream.id
            AND last.order_ms = (SELECT max(order_ms) FROM observation WHERE stream = stream.id)
            JOIN boot ON boot.id = last.boot WHERE stream.model = ?1 AND boot.name = ?2
            """, Stream.defaultModel, boot
        ) { $0.int64(0) }
        return rows.max()
    }

    private static func reading(_ bootID: String) -> TrustedTime.Reading {
        TrustedTime.Reading(bootID: bootID, elapsed_ms: MachineClock.elapsedMs, wall_ms: WallTime.nowMs)
    }

    // MARK: the time

    private var isAtRest: Bool { clock?.isVirtual ?? true }

    var heldMs: Int64 {
        look()
        return isAtRest ? 0 : time.held_ms
    }

    func clockWasSet() { look() }

    /// Where an observation of this machine belongs, whatever its wall clock said; nil: another machine's.
    func believed_ms(boot: String, elapsed_ms: Int64, wall_ms: Int64) -> Int64? {
        isAtRest ? nil : offsets.believed_ms(boot: boot, elapsed_ms: elapsed_ms, wall_ms: wall_ms)
    }

    private func look() {
        guard !isAtRest else { return }
        let reading = Self.reading(bootID)
        time.take(reading) { MachineClock.isSynchronised }
        mark(reading)
        if isDirty || isNews { settleSoon() }
    }

    private func mark(_ reading: TrustedTime.Reading) {
        guard let mark = offsets.missing(time, at: reading.elapsed_ms) else { return }
        offsets.add(mark, of: bootID)
        isDirty = true
    }

    /// Whether another step is held than was told.
    private var isNews: Bool {
        (time.held_ms == 0) != (told_ms == 0) || abs(time.held_ms - told_ms) > Self.noise_ms
    }

    // MARK: what follows

    private func settleSoon(after pause_ms: Int64 = 0) {
        guard !willSettle else { return }
        willSettle = true
        Reactor.shared.after(milliseconds: pause_ms) { [weak self] in
            self?.willSettle = false
            self?.settle()
        }
    }

    private func settle() {
        do throws(ServiceError) {
            try service.transact(trace: nil) { try write($0) }
        } catch {
            service.log.error("writing the believed time failed", [("error", .text(error.name.rawValue))])
        }
    }

    /// Part of a write: stores what changed, and tells it if it is news.
    private func write(_ transaction: Transaction) throws {
        let isNews = isNews
        let before = (told_ms, written_ms)
        transaction.onUndo { [weak self] in
            guard let self else { return }
            (told_ms, written_ms) = before
            isDirty = true
            settleSoon(after: Self.retry_ms)
        }
        if isNews {
            try transaction.emit(TimeHeld(heldMs: time.held_ms))
            told_ms = time.held_ms
        }
        let saved = SavedTime(time, offsets, told_ms: told_ms)
        let text = String(decoding: saved.encoded(), as: UTF8.self)
        try Settings(service.database).set(Self.setting, text)
        written_ms = time.latest_ms
        isDirty = false
        guard isNews else { return }
        transaction.afterCommit { [weak self] in
            self?.tellThePerson()
            self?.clock?.rearm()
        }
    }

    /// Part of every write of use: power may go at any moment.
    func keep(_ transaction: Transaction) throws {
        guard !isAtRest, isDirty || time.latest_ms - written_ms >= Self.writtenEvery_ms else { return }
        try write(transaction)
    }

    private func tellThePerson() {
        let sentence = told_ms == 0 ? nil : Self.sentence(told_ms)
        service.setDegraded("clock", sentence)
        if told_ms == 0 {
            service.log.info("the machine's clock is believed")
        } else {
            service.log.warning("the machine's clock was set", [("held_ms", .number(told_ms))])
            waitForSynchronisation()
        }
    }

    private static func sentence(_ held_ms: Int64) -> String {
        let seconds = (abs(held_ms) + 500) / 1_000
        let direction = held_ms > 0 ? "forward" : "back"
        return "the machine's clock was set \(direction) by \(seconds / 3_600) h \(seconds / 60 % 60) min "
            + "\(seconds % 60) s and nothing confirms it, so time goes on as before: set it right, let time "
            + "synchronisation do it, or run `screentime clock confirm`"
    }

    private func waitForSynchronisation() {
        guard !isWaiting else { return }
        isWaiting = true
        Reactor.shared.after(milliseconds: Self.lookEvery_ms) { [weak self] in
            guard let self else { return }
            isWaiting = false
            look()
            if told_ms != 0 { waitForSynchronisation() }
        }
    }

    // MARK: methods

    func status() -> TimeStatus.Result {
        TimeStatus.Result(
            nowMs: service.clock.nowMs, heldMs: heldMs, isSynchronised: MachineClock.isSynchronised,
            zone: Zone.current.identifier)
    }

    func confirm(_ transaction: Transaction) throws -> TimeConfirm.Result {
        let moved_ms = heldMs
        if moved_ms != 0 {
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
            movedMs: moved_ms, nowMs: service.clock.nowMs, sequence: try transaction.head())
    }

    /// For who begins anew to follow.
    var present: TimeHeld? { told_ms == 0 ? nil : TimeHeld(heldMs: told_ms) }
}
