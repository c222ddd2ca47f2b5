package import JSON
package import Units

/// A callback that is to come.
@Record
package struct PendingCallback: Record {
    /// Bundle id of the activity's owner.
    @Field(.publicText) package var client: String = ""
    /// Member id.
    @Field(.publicText) package var member: String = ""
    /// Name of the activity.
    @Field(.publicText) package var activity: String = ""
    /// Name of the event, for the two threshold callbacks.
    @Field(.publicText) package var event: String?
    /// Apple's name of the callback.
    @Field(.publicText) package var callback: String = ""
    /// Registration it belongs to.
    package var registration: Int64 = 0
    /// When that was, UTC milliseconds.
    package var registered: Instant = 0
    /// UTC milliseconds.
    package var occurrenceStart: Instant = 0
    /// UTC milliseconds.
    package var occurrenceEnd: Instant = 0
    /// Armed for this instant, if use goes on as it is; absent: nothing that it counts is in use.
    package var due: Instant?
    /// The threshold.
    package var threshold: Milliseconds?
    /// Use counted so far.
    package var total: Milliseconds?
}

/// The callbacks that are to come in the open and next occurrences, earliest first.
@Method("monitoring.pending", of: .activity, .read, for: .authorizedClient)
package enum MonitoringPending: Method {
    @Record("monitoring.pending.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default all.
        @Field(.publicText) package var member: String?
        /// Only of this activity.
        @Field(.publicText) package var activity: String?
        /// At most so many; default 100, up to 1000.
        package var limit: Int64?
    }

    @Record("monitoring.pending.result")
    package struct Result: Record {
        /// Earliest first; those without an instant last.
        package var pending: [PendingCallback] = []
    }
}

/// When a threshold that was told is reached by what is known now.
@Record
package struct RecountedCallback: Record {
    /// The first millisecond that reaches it, UTC; absent: nothing known reaches it.
    package var at: Instant?
    /// Use counted up to the instant that was told.
    package var total: Milliseconds = 0
}

/// Counts thresholds that were told anew, with all use that is known now; what was told stays told.
@Method("monitoring.recount", of: .activity, .read, for: .person)
package enum MonitoringRecount: Method {
    @Record("monitoring.recount.params")
    package struct Params: Record {
        /// As they were told; up to 1000. Only eventDidReachThreshold has a definition to count.
        package var callbacks: [ActivityCallback] = []
    }

    @Record("monitoring.recount.result")
    package struct Result: Record {
        /// In the order of the question.
        package var recounted: [RecountedCallback] = []
    }
}
