package import JSON
package import Units

/// A callback that is due in the future.
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
    /// When the activity was registered, UTC milliseconds.
    package var registered: Instant = 0
    /// Start of the occurrence, UTC milliseconds.
    package var occurrenceStart: Instant = 0
    /// End of the occurrence, UTC milliseconds.
    package var occurrenceEnd: Instant = 0
    /// When it is due if present use goes on, UTC milliseconds; absent: nothing that it counts is in use.
    package var due: Instant?
    /// The threshold.
    package var threshold: Milliseconds?
    /// Use counted so far.
    package var total: Milliseconds?
}

/// Lists the callbacks due in the current and next occurrences, earliest first.
@Method("monitoring.pending", of: .activity, .read, for: .authorizedClient)
package enum MonitoringPending: Method {
    /// Filters, and the length of the list.
    @Record("monitoring.pending.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default all.
        @Field(.publicText) package var member: String?
        /// Only of this activity.
        @Field(.publicText) package var activity: String?
        /// Maximum number; default 100, up to 1000.
        package var limit: Int64?
    }

    /// The callbacks, from the rules as of the request.
    @Record("monitoring.pending.result")
    package struct Result: Record {
        /// Earliest first; callbacks without an instant last.
        package var pending: [PendingCallback] = []
    }
}

/// When a delivered threshold is reached according to all use recorded by now.
@Record
package struct RecountedCallback: Record {
    /// The first millisecond at which use reaches it, UTC; absent: recorded use does not reach it.
    package var at: Instant?
    /// Use counted up to the instant that was delivered.
    package var total: Milliseconds = 0
}

/// Recomputes delivered thresholds with all use recorded by now. Nothing is delivered again or revoked.
@Method("monitoring.recount", of: .activity, .read, for: .person)
package enum MonitoringRecount: Method {
    /// Callbacks that were delivered.
    @Record("monitoring.recount.params")
    package struct Params: Record {
        /// The callbacks as delivered; up to 100. Only eventDidReachThreshold can be recomputed.
        package var callbacks: [ActivityCallback] = []
    }

    /// The recomputed instants.
    @Record("monitoring.recount.result")
    package struct Result: Record {
        /// One for each callback, in the order of the request.
        package var recounted: [RecountedCallback] = []
    }
}
