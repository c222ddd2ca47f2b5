package import JSON

/// Which backup a request belongs to.
package struct BackupKey: Record {
    package static var title: String { "backup.key" }
    package var id = ""

    package init() {}
    package init(id: String = "") { self.id = id }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("id", &id, "Any text that is unique to this backup.")
    }
}

/// The first half of a backup: the service takes a snapshot, and commits nothing until `backup.copy` comes.
/// When every service holds, the snapshots are one consistent cut.
package enum BackupHold: Method {
    package static let name = "backup.hold"
    package static let owner = ServiceName.auth
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary =
        "Takes a snapshot of the store and holds commits until backup.copy, five seconds at most."
    package typealias Params = BackupKey

    package struct Result: Record {
        package static var title: String { "backup.hold.result" }
        package var epoch = ""
        package var head: Int64 = 0

        package init() {}
        package init(epoch: String = "", head: Int64 = 0) {
            self.epoch = epoch
            self.head = head
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("epoch", &epoch, "The log that the snapshot has.")
            try visitor.field("head", &head, "The last event in it.")
        }
    }
}

/// The second half: commits go on, and the snapshot is written into a file.
package enum BackupCopy: Method {
    package static let name = "backup.copy"
    package static let owner = ServiceName.auth
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary = "Lets commits go on, and writes the snapshot into a new file."

    package struct Params: Record {
        package static var title: String { "backup.copy.params" }
        package var id = ""
        package var path: String?

        package init() {}
        package init(id: String = "", path: String? = nil) {
            self.id = id
            self.path = path
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("id", &id, "As in backup.hold.")
            try visitor.field(
                "path", &path,
                "The file to make, absolute; nothing may be there. Absent: the backup is given up.")
        }
    }

    package struct Result: Record {
        package static var title: String { "backup.copy.result" }
        package var bytes: Int64 = 0
        package var sum = ""

        package init() {}
        package init(bytes: Int64 = 0, sum: String = "") {
            self.bytes = bytes
            self.sum = sum
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("bytes", &bytes, "Bytes of the file; 0 when none was asked for.")
            try visitor.field("sum", &sum, "A sum over its pages, hexadecimal, by which a change is noticed.")
        }
    }
}

/// Checks the store without stopping: every page against what was committed, and SQLite's own check.
package enum StoreCheck: Method {
    package static let name = "store.check"
    package static let owner = ServiceName.auth
    package static let effect = Effect.read
    package static let access = Access.person
    package static let summary = "Checks every page of the service's store, and says what is wrong."
    package typealias Params = Nothing

    package struct Result: Record {
        package static var title: String { "store.check.result" }
        package var findings: [String] = []
        package var bytes: Int64 = 0
        package var epoch = ""
        package var head: Int64 = 0
        package var cursors: [LogPlace] = []

        package init() {}
        package init(
            findings: [String] = [], bytes: Int64 = 0, epoch: String = "", head: Int64 = 0,
            cursors: [LogPlace] = []
        ) {
            self.findings = findings
            self.bytes = bytes
            self.epoch = epoch
            self.head = head
            self.cursors = cursors
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("findings", &findings, "What is wrong, a sentence each; empty when nothing is.")
            try visitor.field("bytes", &bytes, "Bytes of the store that were looked at.")
            try visitor.field("epoch", &epoch, "The service's own log.")
            try visitor.field("head", &head, "Its last event.")
            try visitor.field("cursors", &cursors, "How far it has taken in the logs of others.")
        }
    }
}

/// A place in a service's log.
package struct LogPlace: Record, Equatable {
    package var service = ""
    package var epoch = ""
    package var sequence: Int64 = 0

    package init() {}
    package init(service: String = "", epoch: String = "", sequence: Int64 = 0) {
        self.service = service
        self.epoch = epoch
        self.sequence = sequence
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("service", &service, "Whose log.")
        try visitor.field("epoch", &epoch, "Which log of it.")
        try visitor.field("sequence", &sequence, "The last event that was taken in.")
    }
}
