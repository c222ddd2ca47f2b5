package import JSON

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
        package var client: String?
        package var withoutBubblewrap: Bool?

        package init() {}
        package init(
            path: String = "", client: String? = nil, withoutBubblewrap: Bool? = nil
        ) {
            self.path = path
            self.client = client
            self.withoutBubblewrap = withoutBubblewrap
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("path", &path, "Absolute path of the bundle directory with Info.plist.")
            try visitor.field(
                "client", &client,
                "Bundle id of the host app; absent: its own bundle id without the last part.")
            try visitor.field(
                "without_bubblewrap", &withoutBubblewrap,
                "True: it may run where bubblewrap does not work, confined by less.")
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

/// Runs one callback of a monitor extension now, outside of any schedule, in a process of its own.
package enum ExtensionRun: Method {
    package static let name = "extension.run"
    package static let owner = ServiceName.monitor
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary = "Runs one callback of a monitor extension now, outside of any schedule, in a process of its own."

    package struct Params: Record {
        package static var title: String { "extension.run.params" }
        package var id = ""
        package var callback = CallbackName.intervalDidStart
        package var activity = ""
        package var event: String?

        package init() {}
        package init(
            id: String = "", callback: CallbackName = .intervalDidStart, activity: String = "",
            event: String? = nil
        ) {
            self.id = id
            self.callback = callback
            self.activity = activity
            self.event = event
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("id", &id, "Bundle id of the extension.")
            try visitor.field("callback", &callback, "Which one.")
            try visitor.field("activity", &activity, "Name of the activity it is told.")
            try visitor.field("event", &event, "Name of the event it is told.")
        }
    }

    package struct Result: Record {
        package static var title: String { "extension.run.result" }
        package var error: String?
        package var measured: ExtensionMeasure?
        package var output: [String] = []
        package var confinement: [String] = []

        package init() {}
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("error", &error, "Why it failed; absent: the callback returned.")
            try visitor.field("measured", &measured, "What it took.")
            try visitor.field("output", &output, "The last lines it printed or logged.")
            try visitor.field("confinement", &confinement, "What its process was confined by.")
        }
    }
}

/// Tells the owner how an extension does that another service hosts.
package enum ExtensionNote: Method {
    package static let name = "extension.note"
    package static let owner = ServiceName.monitor
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary = "Tells the owner how an extension does that another service hosts."

    package struct Params: Record {
        package static var title: String { "extension.note.params" }
        package var state = ExtensionRecord()
        package var overBudget: ExtensionOverBudget?

        package init() {}
        package init(state: ExtensionRecord, overBudget: ExtensionOverBudget? = nil) {
            self.state = state
            self.overBudget = overBudget
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("state", &state, "As it runs now; what it was installed with is not taken.")
            try visitor.field("over_budget", &overBudget, "When it was ended because of its budget.")
        }
    }
    package typealias Result = Written
}

/// An extension program was installed, or installed again.
package struct ExtensionInstalled: EventData {
    package static let type = "extension.installed"
    package static let owner = ServiceName.monitor
    package static let summary = "An extension program was installed, or installed again."
    package var program = ExtensionRecord()

    package init() {}
    package init(program: ExtensionRecord) { self.program = program }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("extension", &program, "As installed.")
    }
}

/// An extension program was removed.
package struct ExtensionRemoved: EventData {
    package static let type = "extension.removed"
    package static let owner = ServiceName.monitor
    package static let summary = "An extension program was removed."
    package var id = ""
    package var client = ""
    package var point: ExtensionPoint = .monitor

    package init() {}
    package init(id: String, client: String, point: ExtensionPoint) {
        self.id = id
        self.client = client
        self.point = point
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("id", &id, "Its bundle id.")
        try visitor.field("client", &client, "Bundle id of the host app.")
        try visitor.field("point", &point, "What it was for.")
    }
}
