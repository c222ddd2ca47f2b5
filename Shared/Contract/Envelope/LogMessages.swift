package import JSON

/// Reads the owner's log of events: the truth behind the live stream; every service answers it.
package enum EventsRead: Method {
    package static let name = "events.read"
    package static let owner = ServiceName.auth
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "Reads the owner's log of events: the truth behind the live stream; every service answers it."

    package struct Params: Record {
        package static var title: String { "events.read.params" }
        package var after: Int64 = 0
        package var types: [String]?
        package var limit: Int64?
        package var run: String?

        package init() {}
        package init(
            after: Int64 = 0, types: [String]? = nil, limit: Int64? = nil, run: String? = nil
        ) {
            self.after = after
            self.types = types
            self.limit = limit
            self.run = run
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("after", &after, "Sequence after which to read; 0 for the beginning.")
            try visitor.field("types", &types, "Only these types; absent: all.")
            try visitor.field("limit", &limit, "At most so many events, 1 to 1000; default 1000.")
            try visitor.field(
                "run", &run,
                "The run that made the event `after`, as the reader knows it; where it did not: logForked.")
        }
    }

    package struct Result: Record {
        package static var title: String { "events.read.result" }
        package var epoch = ""
        package var first: Int64 = 0
        package var head: Int64 = 0
        package var through: Int64 = 0
        package var events: [RawJSON] = []
        package var run: String?

        package init() {}
        package init(
            epoch: String = "", first: Int64 = 0, head: Int64 = 0, through: Int64 = 0,
            events: [RawJSON] = [], run: String? = nil
        ) {
            self.epoch = epoch
            self.first = first
            self.head = head
            self.through = through
            self.events = events
            self.run = run
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("epoch", &epoch, "Epoch of the log.")
            try visitor.field("first", &first, "First sequence still kept.")
            try visitor.field("head", &head, "Last sequence.")
            try visitor.field(
                "through", &through,
                "Every event of the wanted types up to this sequence is in this or an earlier answer.")
            try visitor.field("events", &events, "Whole CloudEvents, in order of sequence.")
            try visitor.field("run", &run, "The run that made the event `through`.")
        }
    }
}

/// One start of an owner, by which a reader knows whether the log it has read is still the log: an owner that
/// was restored from an older copy gives sequences out again, in another run.
package struct LogRun: Record {
    /// The run of all events from before runs were kept.
    package static let before = "0"

    package var id = ""
    package var first: Int64 = 0

    package init() {}
    package init(id: String, first: Int64) {
        self.id = id
        self.first = first
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("id", &id, "Random, of one start of the owner; \"0\": from before runs were kept.")
        try visitor.field("first", &first, "Its first sequence; it ends where the next run begins.")
    }
}

/// The starts of the owner, by which a reader finds where its own reading and the log part; every service
/// answers it.
package enum EventsRuns: Method {
    package static let name = "events.runs"
    package static let owner = ServiceName.auth
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "The starts of the owner and where their events begin; every service answers it."
    package typealias Params = Nothing

    package struct Result: Record {
        package static var title: String { "events.runs.result" }
        package var epoch = ""
        package var head: Int64 = 0
        package var runs: [LogRun] = []

        package init() {}
        package init(epoch: String = "", head: Int64 = 0, runs: [LogRun] = []) {
            self.epoch = epoch
            self.head = head
            self.runs = runs
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("epoch", &epoch, "Epoch of the log.")
            try visitor.field("head", &head, "Last sequence.")
            try visitor.field("runs", &runs, "The newest 1000 runs that made events, oldest first.")
        }
    }
}

/// The present state as events, for a reader whose cursor lies before the first event kept; every service
/// answers it.
package enum EventsSnapshot: Method {
    package static let name = "events.snapshot"
    package static let owner = ServiceName.auth
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "The present state as events, for a reader whose cursor lies before the first event kept; every service answers it."

    package struct Params: Record {
        package static var title: String { "events.snapshot.params" }
        package var page: String?
        package var through: Int64?

        package init() {}
        package init(
            page: String? = nil, through: Int64? = nil
        ) {
            self.page = page
            self.through = through
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("page", &page, "From the previous answer; absent: the first page.")
            try visitor.field(
                "through", &through,
                "From the first answer, so that all pages count as of the same sequence.")
        }
    }

    package struct Result: Record {
        package static var title: String { "events.snapshot.result" }
        package var epoch = ""
        package var through: Int64 = 0
        package var events: [RawJSON] = []
        package var nextPage: String?
        package var run: String?

        package init() {}
        package init(
            epoch: String = "", through: Int64 = 0, events: [RawJSON] = [], nextPage: String? = nil,
            run: String? = nil
        ) {
            self.epoch = epoch
            self.through = through
            self.events = events
            self.nextPage = nextPage
            self.run = run
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("epoch", &epoch, "Epoch of the log.")
            try visitor.field("through", &through, "Read the log after this sequence when all pages are in.")
            try visitor.field(
                "events", &events,
                "CloudEvents that make the present state; their sequence is the state's, not their own.")
            try visitor.field("next_page", &nextPage, "Absent: that was all.")
            try visitor.field("run", &run, "The run that made the event `through`.")
        }
    }
}
