import JSON

/// An export of the ActivityWatch server: all buckets with their events. Windows while somebody is present
/// (not `afk`) are use of their apps. Pages in a browser's active tab are use of their hosts while that
/// browser's window is in the foreground. Each hostname is a device. Overlapping and repeated events, such as
/// merged heartbeats, count once.
enum ActivityWatch {
    /// Parses a whole file; throws if anything in it is invalid.
    static func parse(_ bytes: [UInt8]) throws(ImportError) -> ImportedFile {
        guard !bytes.isEmpty else {
            throw ImportError(
                .emptyFile, line: 1, expected: "an export with buckets", found: "an empty file (0 bytes)")
        }
        let result: Result<ImportedFile, ImportError> = bytes.withUnsafeBufferPointer { buffer in
            Result { () throws(ImportError) -> ImportedFile in
                let document: Document
                do throws(JSONError) { document = try Document.decode(buffer) } catch {
                    throw ImportError(
                        .notAnExport, line: ImportError.line(of: error.offset, in: buffer),
                        column: error.path.isEmpty ? nil : error.path, expected: "an export of ActivityWatch",
                        found: error.detail)
                }
                return try ActivityWatchUse(document, buffer).file
            }
        }
        return try result.get()
    }

    @Record
    struct Document: Record {
        /// Buckets by id.
        var buckets: [String: Bucket] = [:]
    }

    @Record
    struct Bucket: Record {
        /// currentwindow, afkstatus, web.tab.current, or another.
        var type: String = ""
        /// Name of the watcher.
        var client: String?
        /// Name of the machine.
        var hostname: String?
        /// In any order.
        var events: [Event]?
    }

    /// An event with its position in the file, for errors.
    struct Event: FieldValue, Equatable {
        var offset = 0
        var content = EventContent()

        static func read(_ reader: inout JSONReader) throws(JSONError) -> Event {
            _ = try reader.peek()
            return Event(offset: reader.position, content: try EventContent.read(&reader))
        }

        func write(_ writer: inout JSONWriter) { content.write(&writer) }

        static func schema(_ builder: inout SchemaBuilder) -> JSONValue { EventContent.schema(&builder) }
    }

    struct EventContent: Record {
        var timestamp = ""
        /// Duration in seconds.
        var duration = 0.0
        var data = EventData()

        mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("timestamp", &timestamp, "ISO 8601.")
            try visitor.field("duration", &duration, "Seconds.")
            try visitor.field("data", &data, "What was seen.")
        }
    }

    /// The parts of the data that describe use. Buckets of other types may have any content under these
    /// names, so no type is refused here.
    @Record
    struct EventData: Record {
        /// currentwindow: the app.
        @Field(name: "app") private var appValue: JSONValue?
        /// afkstatus: afk or not-afk.
        @Field(name: "status") private var statusValue: JSONValue?
        /// web.tab.current: the page.
        @Field(name: "url") private var urlValue: JSONValue?

        var app: String? { appValue?.stringValue }
        var status: String? { statusValue?.stringValue }
        var url: String? { urlValue?.stringValue }
    }
}
