package import JSON

/// A CloudEvents 1.0 event in structured mode, with extension attributes. It is sent as two frames: the topic
/// (equal to `type`) and this object.
package struct Event<Data: EventData>: Record {
    /// Title of the schema, one for each event type.
    package static var title: String { "Event." + Data.type }
    /// The event's attributes.
    package var head = EventHead()
    /// Nil when the data was deleted from the log as personal data; the event and its sequence stay.
    package var data: Data?

    /// An event to be read into.
    package init() {}
    /// An event with these attributes and data.
    package init(_ head: EventHead, _ data: Data?) {
        self.head = head
        self.data = data
    }
    /// The attributes and `data` are members of one object.
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try head.fields(&visitor)
        try visitor.field("data", &data, "The event's data; absent or null when it was deleted.")
    }

    /// As every record; but `fields` of a generic type is not specialised, and every event is written.
    package func write(_ writer: inout JSONWriter) {
        var head = head
        writer.beginObject()
        do { try head.fields(&writer) } catch { preconditionFailure("writing never fails: \(error)") }
        if let data {
            writer.key("data")
            data.encode(into: &writer)
        }
        writer.endObject()
    }
}

/// An event whose type is unknown or not of interest: its attributes, and the data as raw JSON.
package struct AnyEvent: Record {
    /// The event's attributes.
    package var head = EventHead()
    /// The data, not interpreted; nil when it was deleted.
    package var data: RawJSON?

    /// An event to be read into.
    package init() {}
    /// The attributes and `data` are members of one object.
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try head.fields(&visitor)
        try visitor.field("data", &data, "The event's data.")
    }
}

/// The CloudEvents attributes of an event.
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
    /// Unique within its source.
    package var id: String = ""
    /// When the owner committed it: RFC 3339, UTC, with milliseconds.
    package var time: String = ""
    /// Position in the source's log: gapless from 1, 20 digits.
    package var sequence: SequenceText = SequenceText(0)
    /// Sequence of the source's last event of the same type, 0 if none. If it is greater than that of the
    /// last one received, events were missed.
    package var previous: SequenceText = SequenceText(0)
    /// W3C trace context of the span that published it.
    package var traceparent: String = ""
    /// The owner's run that published it, see events.runs; absent in a snapshot.
    ///
    /// Nil for an event from before runs were recorded, see ``LogRun/before``.
    package var run: String?
}

/// A log position as a CloudEvents attribute: decimal, padded to 20 digits, so that text order is numeric
/// order.
package struct SequenceText: FieldValue, Equatable, Comparable {
    /// The position; 0 is before the first event.
    package var value: Int64
    /// The position `value`, 0 or greater.
    package init(_ value: Int64) { self.value = value }

    package static func < (left: Self, right: Self) -> Bool { left.value < right.value }

    package static func read(_ reader: inout JSONReader) throws(JSONError) -> Self {
        Self(try reader.digitString(count: 20, in: 0...JSONLimits.integers.upperBound))
    }

    package func write(_ writer: inout JSONWriter) { writer.string(length: 20, put) }

    /// 20 digits, zero padded.
    package var text: String {
        String(unsafeUninitializedCapacity: 20) { buffer in
            put(UnsafeMutableRawBufferPointer(buffer))
            return 20
        }
    }

    private func put(_ digits: UnsafeMutableRawBufferPointer) {
        var rest = UInt64(bitPattern: value)
        for index in stride(from: 19, through: 0, by: -1) {
            digits[index] = UInt8(truncatingIfNeeded: 48 + rest % 10)
            rest /= 10
        }
    }

    package static func schema(_ schema: inout SchemaBuilder) -> JSONValue {
        .object([("type", .string("string")), ("pattern", .string("^[0-9]{20}$"))])
    }
}

/// The answer on a topic `~sync.<id>`: the present end of a source's log.
@Record
package struct SyncHead: Record {
    /// /<instance>/<log epoch>/<service>, as in events.
    package var source: String = ""
    /// Last committed sequence; later events are sent live.
    package var head: SequenceText = SequenceText(0)
    /// The owner's run that publishes the live events.
    package var run: String?
}
