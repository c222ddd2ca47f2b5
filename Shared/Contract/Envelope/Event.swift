package import JSON

/// A CloudEvents 1.0 event in structured mode, with our extension attributes. It travels as two frames:
/// the topic (equal to `type`) and this object.
package struct Event<Data: EventData>: Record {
    package static var title: String { "Event." + Data.type }
    package var head = EventHead()
    /// Nil when personal data was deleted from the log: the sequence stays, the content is gone.
    package var data: Data?

    package init() {}
    package init(_ head: EventHead, _ data: Data?) {
        self.head = head
        self.data = data
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try head.fields(&visitor)
        try visitor.field("data", &data, "The event's data; absent or null when it was deleted.")
    }
}

/// An event whose type is not known, or not of interest: its attributes, and the data as it came.
package struct AnyEvent: Record {
    package var head = EventHead()
    package var data: RawJSON?

    package init() {}
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try head.fields(&visitor)
        try visitor.field("data", &data, "The event's data.")
    }
}

/// The attributes of an event.
@Record
package struct EventHead: Record {
    /// Always "1.0".
    package var specversion: String = "1.0"
    /// Type of the event; also the topic.
    package var type: String = ""
    /// /<instance>/<log epoch>/<service>; a new epoch is a new log.
    ///
    /// `/<instance>/<log epoch>/<service>`
    package var source: String = ""
    /// Unique in its source.
    package var id: String = ""
    /// RFC 3339, UTC, milliseconds: when the owner committed it.
    package var time: String = ""
    /// Position in the source's log, gapless from 1, 20 digits.
    package var sequence: SequenceText = SequenceText(0)
    /// The source's last event of the same type, 0 if none: larger than what you saw = you missed some.
    package var previous: SequenceText = SequenceText(0)
    /// W3C trace context of the span that made it.
    package var traceparent: String = ""
    /// The run of the owner that made it, see events.runs; absent in a snapshot.
    ///
    /// The run of the owner that made it; nil: one from before runs were told, see ``LogRun/before``.
    package var run: String?
}

/// A log position as CloudEvents can carry it: decimal, padded to 20 digits, so that text order is number
/// order.
package struct SequenceText: FieldValue, Equatable, Comparable {
    package var value: Int64
    package init(_ value: Int64) { self.value = value }

    package static func < (left: Self, right: Self) -> Bool { left.value < right.value }

    package static func read(_ reader: inout JSONReader) throws(JSONError) -> Self {
        Self(try reader.digitString(count: 20, in: 0...JSONLimits.integers.upperBound))
    }

    package func write(_ writer: inout JSONWriter) {
        writer.string(text)
    }

    /// 20 digits, zero padded.
    package var text: String {
        String(unsafeUninitializedCapacity: 20) { buffer in
            var rest = value
            for index in stride(from: 19, through: 0, by: -1) {
                buffer[index] = UInt8(truncatingIfNeeded: 48 + rest % 10)
                rest /= 10
            }
            return 20
        }
    }

    package static func schema(_ schema: inout SchemaBuilder) -> JSONValue {
        .object([("type", .string("string")), ("pattern", .string("^[0-9]{20}$"))])
    }
}

/// The answer on a topic `~sync.<id>`: where the log of this source ends at this moment.
@Record
package struct SyncHead: Record {
    /// /<instance>/<log epoch>/<service>, as in events.
    package var source: String = ""
    /// Last committed sequence; everything after it comes live.
    package var head: SequenceText = SequenceText(0)
    /// The run of the owner that makes what comes live.
    package var run: String?
}
