package import Contract
package import Rules
package import Units

/// One callback that is due.
package struct DueCallback {
    package let name: ActivityName
    package let registration: Int64
    package let registered: Instant
    package let callback: CallbackName
    package let occurrence: TimeRange
    /// IANA name of the member's.
    package let zone: String
    /// The boundary or crossing it is about; it may lie before the registration.
    package let at: Instant
    package var event: EventDefinition?
    package var threshold: Milliseconds?
    /// Where counting starts.
    package var countedFrom: Instant?
    /// Use counted at `at`.
    package var total: Milliseconds?
    /// Nobody was there to tell it at its instant.
    package var isLate = false
    /// A crossing that lies before the event's registration.
    package var isPast = false
    package var fate = Fate.told
    /// On whose behalf: what the caller gave with the change that made it due.
    package var cause: String?
    /// Where the activity stands with this callback told.
    package var standing: Standing

    package var isTold: Bool { fate == .told }

    package enum Fate {
        case told
        /// The occurrence was missed as a whole: to be recorded, not told.
        case missed
        /// The boundary is told at the next use, or never: only where the activity stands is to be kept.
        case awaited
    }

    /// A callback is late when its instant lies further back than this.
    package static let lateAfter: Milliseconds = 5_000

    /// As the contract tells it.
    package var about: ActivityCallback {
        ActivityCallback(
            client: name.client, member: name.member, activity: name.name, event: event?.name,
            registration: registration, occurrenceStart: occurrence.start,
            occurrenceEnd: occurrence.end, at: at, total: total, threshold: threshold,
            late: isLate, definition: event, registered: registered, countedFrom: countedFrom,
            past: isPast ? true : nil, zone: zone)
    }
}

/// How far an activity's occurrences have come.
package struct Standing: Hashable, Sendable {
    /// The occurrence that has started and not ended.
    package var open: OpenOccurrence?
    /// Occurrences that begin before this instant, or nominally before this wall time, are over: neither a
    /// clock set back nor another zone reopens one. `Int64.min`: there was none.
    package var settled: Instant
    package var settledWall: Milliseconds
    /// The start of the open occurrence waits for the first use.
    package var awaitsUse: Bool
    /// An occurrence that is over, and whose end waits for the first use after it.
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

    /// The occurrence whose start was told and whose end was not.
    var told: TimeRange? { awaitsUse ? ended : open?.range ?? ended }
}

package struct OpenOccurrence: Hashable, Sendable {
    package var range: TimeRange
    /// Its nominal end on the wall clock: where it ends in another zone.
    package var endWall: Milliseconds

    package init(range: TimeRange, endWall: Milliseconds) {
        self.range = range
        self.endWall = endWall
    }
}

/// A callback that was told.
package struct DeliveredMark: Hashable, Sendable {
    package var callback: CallbackName
    package var event: String?
    package var occurrenceStart: Instant

    package init(_ callback: CallbackName, event: String? = nil, occurrenceStart: Instant) {
        self.callback = callback
        self.event = event
        self.occurrenceStart = occurrenceStart
    }
}
