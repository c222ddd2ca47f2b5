package import JSON
package import Units

/// The time that use and schedules go by, beside the machine's clock.
@Method("time.status", of: .activity, .read, for: .anyone)
package enum TimeStatus: Method {
    package typealias Params = Nothing

    @Record("time.status.result")
    package struct Result: Record {
        /// The instant that is believed, UTC milliseconds.
        package var now: Instant = 0
        /// How far the machine's clock is ahead of it; below 0: behind; 0: they agree.
        package var held: Milliseconds = 0
        /// Whether the kernel says that its clock is synchronised.
        @Field(name: "synchronised") package var isSynchronised: Bool = false
        /// IANA time zone of the machine, of members who have none.
        @Field(.publicText) package var zone: String?
    }
}

/// Believes the machine's clock as it is now, also where it was set by hand.
@Method("time.confirm", of: .activity, .write, for: .person)
package enum TimeConfirm: Method {
    package typealias Params = Nothing

    @Record("time.confirm.result")
    package struct Result: Record {
        /// How far the believed time moved; 0: nothing was held.
        package var moved: Milliseconds = 0
        /// The instant that is believed now, UTC milliseconds.
        package var now: Instant = 0
        /// Head of the log after it.
        package var sequence: Int64 = 0
    }
}

/// The machine's clock was set and nobody confirmed it, or that is over.
@Event("time.held", of: .activity)
package struct TimeHeld: EventData {
    /// How far the machine's clock is ahead of the time that is believed; below 0: behind; 0: they agree.
    package var held: Milliseconds = 0
}
