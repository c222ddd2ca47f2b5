import Contract
import Glibc
import JSON

/// The large part of an answer to `report.query`, encoded.
struct ReportContent {
    /// The field that has it: rows, table or activity.
    var field: StaticString
    /// Its JSON.
    var bytes: [UInt8]
    var names: [ReportName]?
    var next: Int64?

    /// Writes the answer as its record does, with the encoded content instead of decoded fields.
    /// - Parameter rest: every other field.
    func encoded(with rest: ReportQuery.Result) -> [UInt8] {
        var writer = JSONWriter(capacity: bytes.count + 4_096)
        write(rest, to: &writer)
        return writer.finish()
    }

    /// Writes a record with the encoded content in its field.
    func write(_ record: some Record, to writer: inout JSONWriter) {
        var record = record
        // Moved, not copied: a second owner would copy the buffer at the next write.
        var fields = ContentWriter(content: self, writer: JSONWriter(capacity: 0))
        swap(&fields.writer, &writer)
        fields.writer.beginObject()
        do { try record.fields(&fields) } catch { preconditionFailure("writing never fails: \(error)") }
        fields.writer.endObject()
        swap(&fields.writer, &writer)
    }
}

/// Writes the fields of a record, but one of them with content that is encoded already.
private struct ContentWriter: FieldVisitor {
    let content: ReportContent
    var writer: JSONWriter

    private func isContent(_ name: StaticString) -> Bool {
        name.utf8CodeUnitCount == content.field.utf8CodeUnitCount
            && memcmp(name.utf8Start, content.field.utf8Start, name.utf8CodeUnitCount) == 0
    }

    mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T, _ doc: StaticString) {
        if isContent(name) { writeContent(name) } else { writer.field(name, &value, doc) }
    }

    mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T?, _ doc: StaticString) {
        if isContent(name) { writeContent(name) } else { writer.field(name, &value, doc) }
    }

    private mutating func writeContent(_ name: StaticString) {
        writer.key(name)
        writer.raw(content.bytes)
    }
}
