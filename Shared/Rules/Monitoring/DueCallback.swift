package import Contract
package import Rules
package import Units

/// A callback that is due.
package struct DueCallback {
    /// The activity.
    package let name: ActivityName
    /// Number of its registration.
    package let registration: Int64
    /// When it was registered.
    package let registered: Instant
    /// Which callback.
    package let callback: CallbackName
    /// The occurrence it belongs to.
    package let occurrence: TimeRange
    /// IANA name of the member's zone.
    package let zone: String
    /// The boundary or crossing it reports; it may be before the registration.
    package let at: Instant
    /// The event, for the two threshold callbacks.
    package var event: EventDefinition?
    /// The event's threshold.
    package var threshold: Milliseconds?
    /// Start of counting.
    package var countedFrom: Instant?
    /// Use counted at `at`.
    package var total: Milliseconds?
    /// True if the service did not run at its instant, and it is delivered late.
    package var isLate = false
    /// True for a crossing before the event's registration.
    package var isPast = false
    /// What to do with it.
    package var fate = Fate.told
    /// The cause (a trace context) that the caller passed with the change that made it due.
    package var cause: String?
    /// State of the activity after this callback.
    package var progress: ActivityProgress

    /// Whether it is to be delivered.
    package var isDelivered: Bool { fate == .told }

    /// What to do with a callback.
    package enum Fate {
        case told
        /// The whole occurrence was missed: record it without delivering.
        case missed
        /// The boundary is delivered at the next use, or never: store only the activity's state.
        case awaited
    }

    /// A callback is late if its instant is longer ago than this.
    package static let lateAfter: Milliseconds = 5_000

    /// The callback as the contract has it.
    package var about: ActivityCallback {
        ActivityCallback(
            client: name.client, member: name.member, activity: name.name, event: event?.name,
            registration: registration, occurrenceStart: occurrence.start,
            occurrenceEnd: occurrence.end, at: at, total: total, threshold: threshold,
            late: isLate, definition: event, registered: registered, countedFrom: countedFrom,
            past: isPast ? true : nil, zone: zone)
    }
}

/// The progress of an activity through its occurrences.
package struct ActivityProgress: Hashable, Sendable {
    /// The occurrence that has started and has not ended.
    package var open: OpenOccurrence?
    /// Occurrences that start before this instant, or nominally before this wall time, are over: neither
    /// setting the clock back nor another zone reopens one. `Int64.min` if there was none.
    package var settled: Instant
    /// Nominal wall time of `settled`.
    package var settledWall: Milliseconds
    /// True while the start of the open occurrence waits for the first use.
    package var awaitsUse: Bool
    /// An occurrence that is over, whose end waits for the first use after it.
    package var ended: TimeRange?

    package init(
        open: OpenOccurrence? = nil, settled: Instant = .min, settledWall: Milliseconds = .min,
        awaitsUse: Bool = false, ended: TimeRange? = nil
    ) {
        self.open = open
        self.settled = settled
        self.settledWall = settledWall
        self.awaitsUse = awaitsUse
        self.ended = ended
    }

    /// The occurrence whose start was delivered and whose end was not.
    var told: TimeRange? { awaitsUse ? ended : open?.range ?? ended }
}

/// An occurrence that has started.
package struct OpenOccurrence: Hashable, Sendable {
    /// Its real start and end.
    package var range: TimeRange
    /// Its nominal end on the wall clock, which determines where it ends in another zone.
    package var endWall: Milliseconds

    package init(range: TimeRange, endWall: Milliseconds) {
        self.range = range
        self.endWall = endWall
    }
}

/// Records that a callback was delivered.
package struct DeliveredMark: Hashable, Sendable {
    /// Which callback.
    package var callback: CallbackName
    /// Name of the event, for the two threshold callbacks.
    package var event: String?
    /// Start of the occurrence.
    package var occurrenceStart: Instant

    package init(_ callback: CallbackName, event: String? = nil, occurrenceStart: Instant) {
        self.callback = callback
        self.event = event
        self.occurrenceStart = occurrenceStart
    }
}
