package import Contract
package import Rules

/// One callback that is due.
package struct DueCallback {
    package let name: ActivityName
    package let registration: Int64
    package let registered_ms: Int64
    package let callback: CallbackName
    package let occurrence: TimeRange
    /// IANA name of the member's.
    package let zone: String
    /// The boundary or crossing it is about; it may lie before the registration.
    package let at_ms: Int64
    package var event: EventDefinition?
    package var threshold_ms: Int64?
    /// Where counting starts.
    package var countedFrom_ms: Int64?
    /// Use counted at `at_ms`.
    package var total_ms: Int64?
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
    package static let lateAfter_ms: Int64 = 5_000

    /// As the contract tells it.
    package var about: ActivityCallback {
        ActivityCallback(
            client: name.client, member: name.member, activity: name.name, event: event?.name,
            registration: registration, occurrenceStartMs: occurrence.start_ms,
            occurrenceEndMs: occurrence.end_ms, atMs: at_ms, totalMs: total_ms, thresholdMs: threshold_ms,
            late: isLate, definition: event, registeredMs: registered_ms, countedFromMs: countedFrom_ms,
            past: isPast ? true : nil, zone: zone)
    }
}

/// How far an activity's occurrences have come.
package struct Standing: Hashable, Sendable {
    /// The occurrence that has started and not ended.
    package var open: OpenOccurrence?
    /// Occurrences that begin before this instant, or nominally before this wall time, are over: neither a
    /// clock set back nor another zone reopens one. `Int64.min`: there was none.
    package var settled_ms: Int64
    package var settledWall_ms: Int64
    /// The start of the open occurrence waits for the first use.
    package var awaitsUse: Bool
    /// An occurrence that is over, and whose end waits for the first use after it.
    package var ended: TimeRange?

    package init(
        open: OpenOccurrence? = nil, settled_ms: Int64 = .min, settledWall_ms: Int64 = .min,
        awaitsUse: Bool = false, ended: TimeRange? = nil
    ) {
        self.open = open
        self.settled_ms = settled_ms
        self.settledWall_ms = settledWall_ms
        self.awaitsUse = awaitsUse
        self.ended = ended
    }

    /// The occurrence whose start was told and whose end was not.
    var told: TimeRange? { awaitsUse ? ended : open?.range ?? ended }
}

package struct OpenOccurrence: Hashable, Sendable {
    package var range: TimeRange
    /// Its nominal end on the wall clock: where it ends in another zone.
    package var endWall_ms: Int64

    package init(range: TimeRange, endWall_ms: Int64) {
        self.range = range
        self.endWall_ms = endWall_ms
    }
}

/// A callback that was told.
package struct ToldMark: Hashable, Sendable {
    package var callback: CallbackName
    package var event: String?
    package var occurrenceStart_ms: Int64

    package init(_ callback: CallbackName, event: String? = nil, occurrenceStart_ms: Int64) {
        self.callback = callback
        self.event = event
        self.occurrenceStart_ms = occurrenceStart_ms
    }
}
