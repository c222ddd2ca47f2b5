package import JSON

/// Reads the owner's event log, which is authoritative over the live stream; every service implements it.
@Method("events.read", of: .auth, .read, for: .authorizedClient)
package enum EventsRead: Method {
    /// Where to start, and which types.
    @Record("events.read.params")
    package struct Params: Record {
        /// Sequence after which to read; 0 for the beginning.
        package var after: Int64 = 0
        /// Only these types; absent: all.
        package var types: [String]?
        /// Maximum number of events, 1 to 1000; default 1000.
        package var limit: Int64?
        /// The run that published the event `after`, as the reader stored it; if another run published it,
        /// the error is logForked.
        package var run: String?
    }

    /// A run of events, up to the limits of one answer.
    @Record("events.read.result")
    package struct Result: Record {
        /// Epoch of the log.
        package var epoch: String = ""
        /// First sequence that is still stored.
        package var first: Int64 = 0
        /// Last sequence.
        package var head: Int64 = 0
        /// All events of the requested types up to this sequence are in this or an earlier answer.
        package var through: Int64 = 0
        /// Complete CloudEvents in order of sequence.
        package var events: [RawJSON] = []
        /// The run that published the event `through`.
        package var run: String?
    }
}

/// One run of an owner, from its start to its end. By it a reader detects that the log it has read is no
/// longer the same: an owner restored from an older copy assigns the same sequences again, in another run.
@Record
package struct LogRun: Record {
    /// Random id of the run; "0": all events from before runs were recorded.
    package var id: String = ""
    /// Its first sequence; it ends before the first sequence of the next run.
    package var first: Int64 = 0

    /// Id of the run of all events from before runs were recorded.
    package static let before = "0"
}

/// Lists the runs of the owner with their first sequences; every service implements it.
@Method("events.runs", of: .auth, .read, for: .authorizedClient)
package enum EventsRuns: Method {
    /// No parameters.
    package typealias Params = Nothing

    /// The runs, to find where a copied log diverged.
    @Record("events.runs.result")
    package struct Result: Record {
        /// Epoch of the log.
        package var epoch: String = ""
        /// Last sequence.
        package var head: Int64 = 0
        /// The newest 1000 runs that published events, oldest first.
        package var runs: [LogRun] = []
    }
}

/// Reads the present state as events, for a reader whose cursor is before the first stored event; every
/// service implements it.
@Method("events.snapshot", of: .auth, .read, for: .authorizedClient)
package enum EventsSnapshot: Method {
    /// The page to read.
    @Record("events.snapshot.params")
    package struct Params: Record {
        /// `next_page` of the previous answer; absent: the first page.
        package var page: String?
        /// `through` of the first answer, so that all pages belong to the same sequence.
        package var through: Int64?
    }

    /// One page of the state.
    @Record("events.snapshot.result")
    package struct Result: Record {
        /// Epoch of the log.
        package var epoch: String = ""
        /// Sequence of the state: read the log after it once all pages are received.
        package var through: Int64 = 0
        /// CloudEvents that form the present state; their sequence is that of the state.
        package var events: [RawJSON] = []
        /// Pass it as `page` in the next request; absent: this was the last page.
        package var nextPage: String?
        /// The run that published the event `through`.
        package var run: String?
    }
}
