package import JSON

/// Reads the owner's log of events: the truth behind the live stream; every service answers it.
@Method("events.read", of: .auth, .read, for: .authorizedClient)
package enum EventsRead: Method {
    @Record("events.read.params")
    package struct Params: Record {
        /// Sequence after which to read; 0 for the beginning.
        package var after: Int64 = 0
        /// Only these types; absent: all.
        package var types: [String]?
        /// At most so many events, 1 to 1000; default 1000.
        package var limit: Int64?
        /// The run that made the event `after`, as the reader knows it; where it did not: logForked.
        package var run: String?
    }

    @Record("events.read.result")
    package struct Result: Record {
        /// Epoch of the log.
        package var epoch: String = ""
        /// First sequence still kept.
        package var first: Int64 = 0
        /// Last sequence.
        package var head: Int64 = 0
        /// Every event of the wanted types up to this sequence is in this or an earlier answer.
        package var through: Int64 = 0
        /// Whole CloudEvents, in order of sequence.
        package var events: [RawJSON] = []
        /// The run that made the event `through`.
        package var run: String?
    }
}

/// One start of an owner, by which a reader knows whether the log it has read is still the log: an owner that
/// was restored from an older copy gives sequences out again, in another run.
@Record
package struct LogRun: Record {
    /// Random, of one start of the owner; "0": from before runs were kept.
    package var id: String = ""
    /// Its first sequence; it ends where the next run begins.
    package var first: Int64 = 0

    /// The run of all events from before runs were kept.
    package static let before = "0"
}

/// The starts of the owner and where their events begin; every service answers it.
@Method("events.runs", of: .auth, .read, for: .authorizedClient)
package enum EventsRuns: Method {
    package typealias Params = Nothing

    @Record("events.runs.result")
    package struct Result: Record {
        /// Epoch of the log.
        package var epoch: String = ""
        /// Last sequence.
        package var head: Int64 = 0
        /// The newest 1000 runs that made events, oldest first.
        package var runs: [LogRun] = []
    }
}

/// The present state as events, for a reader whose cursor lies before the first event kept; every service
/// answers it.
@Method("events.snapshot", of: .auth, .read, for: .authorizedClient)
package enum EventsSnapshot: Method {
    @Record("events.snapshot.params")
    package struct Params: Record {
        /// From the previous answer; absent: the first page.
        package var page: String?
        /// From the first answer, so that all pages count as of the same sequence.
        package var through: Int64?
    }

    @Record("events.snapshot.result")
    package struct Result: Record {
        /// Epoch of the log.
        package var epoch: String = ""
        /// Read the log after this sequence when all pages are in.
        package var through: Int64 = 0
        /// CloudEvents that make the present state; their sequence is the state's, not their own.
        package var events: [RawJSON] = []
        /// Absent: that was all.
        package var nextPage: String?
        /// The run that made the event `through`.
        package var run: String?
    }
}
