import Contract
import JSON
import Units

/// An exception, with what decides when it ends.
@Record
struct StoredException: Record {
    /// The exception as others see it.
    var exception: ShieldException = ShieldException()
    /// The boot in which it was decided; absent under a virtual clock and for the rest of a day, which end at
    /// an instant.
    @Field(.publicText) var bootID: String?
    /// CLOCK_BOOTTIME at its end, in that boot: setting the clock neither prolongs nor shortens it.
    var bootEnd: Milliseconds?
    /// When it ended early; the row stays until its end, so that the same request does not begin it again.
    var ended: Instant?

    /// The clocks at one moment.
    struct Reading {
        /// Trusted time.
        var now: Instant
        /// False while nobody has judged the clock since the start.
        var isJudged: Bool
        /// Id of this boot and CLOCK_BOOTTIME; nil under a virtual clock.
        var boot: (id: String, elapsed: Milliseconds)?
    }

    /// - Parameters:
    ///   - request: approved.
    ///   - end: its end.
    init(_ request: TimeRequest, end: Instant) {
        exception = ShieldException(
            id: request.id, member: request.member, kind: request.kind, subject: request.subject,
            began: request.decided ?? request.asked, end: end, decider: request.decider ?? .guardian,
            reason: request.reason)
        guard let granted = request.granted, let boot = request.bootID, let decided = request.boottime else {
            return
        }
        bootID = boot
        bootEnd = decided + .minutes(granted)
    }

    /// The longest day: one with a clock change of two hours.
    private static let dayMax: Milliseconds = .hours(26)
    /// How far apart the two clocks may be, by which a decision and its exception are dated.
    private static let clocksApart: Milliseconds = 1_000

    /// Dates its end by this service's trusted time, if the clock that dated the decision differs from that.
    /// The boot clock, which nobody sets, tells what is left.
    mutating func dateEnd(_ request: TimeRequest, at reading: Reading) {
        guard let boot = reading.boot, boot.id == request.bootID, let stamp = request.boottime,
            let decided = request.decided
        else { return }
        // The end of a day was fixed when it was asked for, by a clock that may have been right.
        let isToday = (reading.now...reading.now + Self.dayMax).contains(exception.end)
        guard request.granted != nil || !isToday else { return }
        let end = reading.now + (exception.end - decided) - (boot.elapsed - stamp)
        if abs(end - exception.end) > Self.clocksApart { exception.end = end }
    }

    var isInEffect: Bool { ended == nil }

    /// Milliseconds until its end; zero or less: it is over.
    func rest(at reading: Reading) -> Milliseconds {
        bootRest(at: reading) ?? exception.end - reading.now
    }

    /// The same if the boot's clock decides, else nil.
    private func bootRest(at reading: Reading) -> Milliseconds? {
        guard let bootEnd, let boot = reading.boot, boot.id == bootID else { return nil }
        return bootEnd - boot.elapsed
    }

    func isOver(at reading: Reading) -> Bool { isDatable(at: reading) && rest(at: reading) <= 0 }

    /// Whether its end can be told: by the boot's clock, or by the trusted time once that is judged.
    func isDatable(at reading: Reading) -> Bool { reading.isJudged || bootRest(at: reading) != nil }
}
