import Loop
import Rules
import Units

/// The observed state of one device for one member.
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
    /// Instant of the sensor's last heartbeat, not after the present; see SensorTimeout.
    var seen: Instant
    /// Whether the sensor was silent for so long that open use counts as ended; see SensorTimeout.
    var isStale: Bool
    var steps: [ClockStep]
    /// An upper bound, by subject, of the start of any stored use or mark. Filled on demand.
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

    /// Whether its sensors report live, so that open use is in use now. Any other model is an import.
    var isLive: Bool { model == Self.defaultModel }

    /// A wall clock that was set back during a boot: from `elapsed` on, observations are later than their
    /// wall clock says.
    struct ClockStep {
        var boot: String
        var elapsed: Milliseconds
        var correction: Milliseconds
    }

    /// The position of a change.
    struct Place: Equatable {
        /// Within one boot, changes are ordered by the boot's clock, which nobody can set.
        var order: Instant
        /// The instant of its use.
        var at: Instant
    }

    /// Smaller steps are differences between two sensors' readings of one clock.
    private static let smallestStep: Milliseconds = 1_000

    /// The position of a change, and the clock step if this change reveals one. Setting a clock back neither
    /// erases nor repeats use: it continues after the earlier use. Only if the time of this machine itself
    /// was set back and confirmed, use is placed at the new time.
    /// - Parameters:
    ///   - believed: where this machine's own clocks place it; nil for another machine.
    ///   - previous: the change before it, if known.
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

    /// What is not settled yet; see Tail.
    var tail: Tail { Tail(self) }
}

/// What the last observations of a stream leave open, by subject. It is published with `usage.recorded` but
/// never stored, since the next observation may change it.
struct Tail: Equatable {
    struct Part: Equatable {
        /// In use since this instant.
        var openSince: Instant?
        /// In use until the last heartbeat, if no further one comes.
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
