package import JSON

/// Where a callback is.
package enum DeliveryState: String, NameEnum {
    case waiting
    case running
    case delivered
    case failed
}

/// The state of one callback on its way to one extension.
package struct Delivery: Record {
    package var id: Int64 = 0
    package var callback = ""
    package var about = ActivityCallback()
    package var program: String?
    package var state: DeliveryState = .waiting
    package var attempt: Int64 = 0
    package var receivedMs: Int64 = 0
    package var finishedMs: Int64?
    package var error: String?
    package var dueMs: Int64?
    package var startedMs: Int64?
    package var failures: Int64?

    package init() {}
    package init(
        id: Int64 = 0, callback: String = "", about: ActivityCallback = ActivityCallback(),
        program: String? = nil, state: DeliveryState = .waiting, attempt: Int64 = 0,
        receivedMs: Int64 = 0, finishedMs: Int64? = nil, error: String? = nil, dueMs: Int64? = nil,
        startedMs: Int64? = nil, failures: Int64? = nil
    ) {
        self.id = id
        self.callback = callback
        self.about = about
        self.program = program
        self.state = state
        self.attempt = attempt
        self.receivedMs = receivedMs
        self.finishedMs = finishedMs
        self.error = error
        self.dueMs = dueMs
        self.startedMs = startedMs
        self.failures = failures
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("id", &id, "Grows.")
        try visitor.field("callback", &callback, "Apple's name of the callback.")
        try visitor.field("about", &about, "What happened.")
        try visitor.field(
            "extension", &program,
            "Bundle id of the extension; absent: none installed for the client.")
        try visitor.field("state", &state, "Where it is.")
        try visitor.field("attempt", &attempt, "1 for the first.")
        try visitor.field("received_ms", &receivedMs, "When monitor-runner took it in.")
        try visitor.field("finished_ms", &finishedMs, "When the extension returned, or it was given up.")
        try visitor.field("error", &error, "Why it failed.")
        try visitor.field("due_ms", &dueMs, "While it waits: not before this instant.")
        try visitor.field(
            "started_ms", &startedMs, "When the last attempt began: it was handed to the extension.")
        try visitor.field("failures", &failures, "Attempts that failed; absent: none.")
    }
}

/// The callbacks and how their delivery stands, newest last.
package enum DeliveryList: Method {
    package static let name = "delivery.list"
    package static let owner = ServiceName.monitor
    package static let effect = Effect.read
    package static let access = Access.person
    package static let summary = "The callbacks and how their delivery stands, newest last."

    package struct Params: Record {
        package static var title: String { "delivery.list.params" }
        package var activity: String?
        package var limit: Int64?
        package var before: Int64?

        package init() {}
        package init(
            activity: String? = nil, limit: Int64? = nil, before: Int64? = nil
        ) {
            self.activity = activity
            self.limit = limit
            self.before = before
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("activity", &activity, "Only of this activity.")
            try visitor.field("limit", &limit, "At most so many of the newest; default 100.")
            try visitor.field(
                "before", &before, "Only deliveries before this one, by id: `previous` of the page after it.")
        }
    }

    package struct Result: Record {
        package static var title: String { "delivery.list.result" }
        package var deliveries: [Delivery] = []
        package var previous: Int64?

        package init() {}
        package init(
            deliveries: [Delivery] = [], previous: Int64? = nil
        ) {
            self.deliveries = deliveries
            self.previous = previous
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("deliveries", &deliveries, "In order of arrival.")
            try visitor.field(
                "previous", &previous, "Older ones are left: ask with it as `before`; absent: this was all.")
        }
    }
}

/// An extension returned from a callback.
package struct CallbackDelivered: EventData {
    package static let type = "callback.delivered"
    package static let owner = ServiceName.monitor
    package static let summary = "An extension returned from a callback."
    package var delivery = Delivery()

    package init() {}
    package init(
        delivery: Delivery = Delivery()
    ) {
        self.delivery = delivery
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("delivery", &delivery, "As it ended.")
    }
}

/// A callback was given up.
package struct CallbackFailed: EventData {
    package static let type = "callback.failed"
    package static let owner = ServiceName.monitor
    package static let summary = "A callback was given up."
    package var delivery = Delivery()

    package init() {}
    package init(
        delivery: Delivery = Delivery()
    ) {
        self.delivery = delivery
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("delivery", &delivery, "As it ended, with the reason.")
    }
}

/// Gives up the callback that an extension has not returned from, and ends its process.
package enum DeliverySkip: Method {
    package static let name = "delivery.skip"
    package static let owner = ServiceName.monitor
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary = "Gives up the callback that an extension has not returned from, and ends its process."

    package struct Params: Record {
        package static var title: String { "delivery.skip.params" }
        package var program = ""

        package init() {}
        package init(program: String) { self.program = program }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("extension", &program, "Bundle id of the extension.")
        }
    }

    package struct Result: Record {
        package static var title: String { "delivery.skip.result" }
        package var delivery: Delivery?
        package var sequence: Int64 = 0

        package init() {}
        package init(delivery: Delivery?, sequence: Int64) {
            self.delivery = delivery
            self.sequence = sequence
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field(
                "delivery", &delivery, "What is given up, as it stood; absent: none was on its way.")
            try visitor.field("sequence", &sequence, "Head of the log.")
        }
    }
}
