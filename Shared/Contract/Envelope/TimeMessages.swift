package import JSON
package import Units

/// Reports the trusted time, by which use and schedules are computed, and its distance from the machine's
/// clock.
@Method("time.status", of: .activity, .read, for: .anyone)
package enum TimeStatus: Method {
    /// No parameters.
    package typealias Params = Nothing

    /// Both clocks.
    @Record("time.status.result")
    package struct Result: Record {
        /// Trusted time, UTC milliseconds.
        package var now: Instant = 0
        /// How far the machine's clock is ahead of the trusted time; negative: behind; 0: they agree.
        package var held: Milliseconds = 0
        /// Whether the kernel reports its clock as synchronised.
        @Field(name: "synchronised") package var isSynchronised: Bool = false
        /// IANA time zone of the machine, used for members without one.
        @Field(.publicText) package var zone: String?
    }
}

/// Accepts the machine's clock as the trusted time, also if it was set by hand.
@Method("time.confirm", of: .activity, .write, for: .person)
package enum TimeConfirm: Method {
    /// No parameters.
    package typealias Params = Nothing

    /// The change of the trusted time.
    @Record("time.confirm.result")
    package struct Result: Record {
        /// How far the trusted time moved; 0: it agreed before.
        package var moved: Milliseconds = 0
        /// Trusted time after the change, UTC milliseconds.
        package var now: Instant = 0
        /// Head of the log after this write.
        package var sequence: Int64 = 0
    }
}

/// The machine's clock was set and is not trusted, or the difference ended.
@Event("time.held", of: .activity)
package struct TimeHeld: EventData {
    /// How far the machine's clock is ahead of the trusted time; negative: behind; 0: they agree.
    package var held: Milliseconds = 0
}
