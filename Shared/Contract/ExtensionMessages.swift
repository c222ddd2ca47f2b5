package import JSON

/// Apple's extension points, by NSExtensionPointIdentifier.
package enum ExtensionPoint: String, NameEnum {
    case monitor = "com.apple.deviceactivity.monitor-extension"
}

/// An installed extension program.
package struct ExtensionRecord: Record {
    package var id = ""
    package var client = ""
    package var point: ExtensionPoint = .monitor
    package var path = ""
    package var executable = ""
    package var running = false
    package var pid: Int64?
    package var lastError: String?

    package init() {}
    package init(
        id: String = "", client: String = "", point: ExtensionPoint = .monitor, path: String = "",
        executable: String = "", running: Bool = false, pid: Int64? = nil, lastError: String? = nil
    ) {
        self.id = id
        self.client = client
        self.point = point
        self.path = path
        self.executable = executable
        self.running = running
        self.pid = pid
        self.lastError = lastError
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("id", &id, "Its bundle id.")
        try visitor.field("client", &client, "Bundle id of the host app.")
        try visitor.field("point", &point, "What it is for.")
        try visitor.field("path", &path, "Its bundle directory.")
        try visitor.field("executable", &executable, "Its program in it.")
        try visitor.field("running", &running, "Whether a process runs now.")
        try visitor.field("pid", &pid, "Of that process.")
        try visitor.field("last_error", &lastError, "Why it last failed.")
    }
}

/// Registers an extension program from its bundle directory; a wrong Info.plist is refused here, not at
/// midnight.
package enum ExtensionInstall: Method {
    package static let name = "extension.install"
    package static let owner = ServiceName.monitor
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary = "Registers an extension program from its bundle directory; a wrong Info.plist is refused here, not at midnight."

    package struct Params: Record {
        package static var title: String { "extension.install.params" }
        package var path = ""
        package var client = ""

        package init() {}
        package init(
            path: String = "", client: String = ""
        ) {
            self.path = path
            self.client = client
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("path", &path, "Absolute path of the bundle directory with Info.plist.")
            try visitor.field("client", &client, "Bundle id of the host app.")
        }
    }

    package struct Result: Record {
        package static var title: String { "extension.install.result" }
        package var program = ExtensionRecord()
        package var sequence: Int64 = 0

        package init() {}
        package init(
            program: ExtensionRecord = ExtensionRecord(), sequence: Int64 = 0
        ) {
            self.program = program
            self.sequence = sequence
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("extension", &program, "As installed.")
            try visitor.field("sequence", &sequence, "Head of the log.")
        }
    }
}

/// The installed extension programs.
package enum ExtensionList: Method {
    package static let name = "extension.list"
    package static let owner = ServiceName.monitor
    package static let effect = Effect.read
    package static let access = Access.person
    package static let summary = "The installed extension programs."
    package typealias Params = Nothing

    package struct Result: Record {
        package static var title: String { "extension.list.result" }
        package var extensions: [ExtensionRecord] = []

        package init() {}
        package init(
            extensions: [ExtensionRecord] = []
        ) {
            self.extensions = extensions
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("extensions", &extensions, "Sorted by id.")
        }
    }
}

/// Forgets an extension program and ends its process.
package enum ExtensionRemove: Method {
    package static let name = "extension.remove"
    package static let owner = ServiceName.monitor
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary = "Forgets an extension program and ends its process."

    package struct Params: Record {
        package static var title: String { "extension.remove.params" }
        package var id = ""

        package init() {}
        package init(
            id: String = ""
        ) {
            self.id = id
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("id", &id, "Its bundle id.")
        }
    }
    package typealias Result = Written
}

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

        package init() {}
        package init(
            activity: String? = nil, limit: Int64? = nil
        ) {
            self.activity = activity
            self.limit = limit
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("activity", &activity, "Only of this activity.")
            try visitor.field("limit", &limit, "At most so many of the newest; default 100.")
        }
    }

    package struct Result: Record {
        package static var title: String { "delivery.list.result" }
        package var deliveries: [Delivery] = []

        package init() {}
        package init(
            deliveries: [Delivery] = []
        ) {
            self.deliveries = deliveries
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("deliveries", &deliveries, "In order of arrival.")
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
