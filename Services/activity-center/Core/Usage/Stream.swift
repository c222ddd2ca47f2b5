import Loop
import Rules
import Units

/// What one device told about one member, up to now.
@LoopActor final class Stream {
    let id: Int64
    let member: String
    let device: String
    /// linux, android, …
    var model: String
    var machine: UsageMachine
    /// The last observation in the rules' order.
    var last: Entry?
    var sinceCheckpoint: Int
    /// The instant of the sensor's last sign, not after the present: see SensorLife.
    var seen: Instant
    /// Nothing came for so long that what was in use is taken for over: see SensorLife.
    var isStale: Bool
    var steps: [ClockStep]
    /// By subject: no stored use or mark of it begins later. Filled as needed.
    var latest: [Int64: Instant] = [:]

    init(id: Int64, member: String, device: String, model: String) {
        self.id = id
        self.member = member
        self.device = device
        self.model = model
        machine = UsageMachine()
        sinceCheckpoint = 0
        seen = 0
        isStale = false
        steps = []
    }

    static let defaultModel = "linux"

    /// Whether its sensors tell as it happens, so that what is open is in use now. Anything else is an
    /// import.
    var isLive: Bool { model == Self.defaultModel }

    /// The wall clock was set back in a running boot: from `elapsed` on its observations come later than
    /// they say.
    struct ClockStep {
        var boot: String
        var elapsed: Milliseconds
        var correction: Milliseconds
    }

    /// Where a change goes.
    struct Place: Equatable {
        /// Within one boot, changes are ordered by the boot's clock, which nobody can set.
        var order: Instant
        /// Where its use is placed.
        var at: Instant
    }

    /// Steps smaller than this are two sensors' different readings of one clock.
    private static let smallestStep: Milliseconds = 1_000

    /// The place of a change, and the step if the clock was found set back only now. A clock set back neither
    /// erases nor repeats: its use goes on after what was before, as if nobody had touched it. Only where the
    /// time of this machine itself was put back and confirmed, it lies where that time says.
    /// - Parameters:
    ///   - believed: where this machine's own clocks put it; nil: another machine's.
    ///   - previous: the change before it, as far as is known.
    func place(_ change: UsageChange, believed: Instant?, after previous: Entry?) -> (Place, ClockStep?) {
        let at = believed ?? change.at
        func place(_ correction: Milliseconds) -> Place {
            Place(order: at + correction, at: believed ?? (at + correction))
        }
        guard let boot = change.boot else { return (place(0), nil) }
        let known = steps.last { $0.boot == boot.id && $0.elapsed <= boot.elapsed }?.correction ?? 0
        guard let previous, let earlier = previous.change.boot, earlier.id == boot.id,
            earlier.elapsed < boot.elapsed,
            at + known < previous.row.order - Self.smallestStep
        else { return (place(known), nil) }
        let passed = boot.elapsed - earlier.elapsed
        let correction = previous.row.order + passed - at
        let step = ClockStep(boot: boot.id, elapsed: boot.elapsed, correction: correction)
        return (place(correction), step)
    }

    /// What is not settled yet: see Tail.
    var tail: Tail { Tail(self) }
}

/// What a stream's last words leave open, by subject. It is told with `usage.recorded` but never stored: the
/// next observation may change it.
struct Tail: Equatable {
    struct Part: Equatable {
        /// In use since then.
        var openSince: Instant?
        /// In use until the last sign of life, if none comes any more.
        var provisional: TimeRange?
        /// An unlock whose app is not known yet.
        var pickup: Instant?
    }

    var parts: [Subject?: Part] = [:]

    @LoopActor init(_ stream: Stream) {
        let closing = stream.machine.closing()
        for mark in closing.marks { parts[mark.subject, default: Part()].pickup = mark.at }
        guard stream.isLive else { return }
        if stream.isStale {
            for use in closing.uses { parts[use.subject, default: Part()].provisional = use.interval }
        } else {
            for running in stream.machine.openSubjects {
                parts[running.subject, default: Part()].openSince = running.start
            }
        }
    }
}
