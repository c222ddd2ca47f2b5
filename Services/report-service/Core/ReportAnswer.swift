import Contract
import Glibc
package import JSON

/// An answer to `report.query` before it is written: its rows would be too many to be made first.
package struct ReportAnswer {
    enum Content {
        case page(ReportPage)
        case activity(ActivityPage)
    }

    let content: Content
    /// Every other field.
    let rest: ReportQuery.Result

    /// About how many bytes it has.
    package var bytes: Int {
        switch content {
        case .page(let page): page.bytes + 4_096
        case .activity(let page): page.bytes + 4_096
        }
    }

    /// Writes it as the record `ReportQuery.Result` writes itself.
    package func write(_ writer: inout JSONWriter) {
        switch content {
        case .page(let page): writer.write(rest, but: page.field, as: page.write)
        case .activity(let page): writer.write(rest, but: "activity", as: page.write)
        }
    }

    /// The bytes that are sent.
    package func encoded() -> [UInt8] {
        var writer = JSONWriter(capacity: bytes)
        write(&writer)
        return writer.finish()
    }
}

extension JSONWriter {
    /// Writes a record, but one of its fields with the function `content`.
    mutating func write(
        _ record: some Record, but field: StaticString, as content: (inout JSONWriter) -> Void
    ) {
        withoutActuallyEscaping(content) { content in
            var record = record
            // Moved, not copied: a second owner would copy the buffer at the next write.
            var fields = ContentWriter(field: field, content: content, writer: JSONWriter(capacity: 0))
            swap(&fields.writer, &self)
            fields.writer.beginObject()
            do { try record.fields(&fields) } catch { preconditionFailure("writing never fails: \(error)") }
            fields.writer.endObject()
            swap(&fields.writer, &self)
        }
    }
}

/// Writes the fields of a record, but one of them with a function.
private struct ContentWriter: FieldVisitor {
    let field: StaticString
    let content: (inout JSONWriter) -> Void
    var writer: JSONWriter

    private func isContent(_ name: StaticString) -> Bool {
        name.utf8CodeUnitCount == field.utf8CodeUnitCount
            && memcmp(name.utf8Start, field.utf8Start, name.utf8CodeUnitCount) == 0
    }

    mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T, _ doc: StaticString) {
        if isContent(name) { writeContent(name) } else { writer.field(name, &value, doc) }
    }

    mutating func field<T: FieldValue>(_ name: StaticString, _ value: inout T?, _ doc: StaticString) {
        if isContent(name) { writeContent(name) } else { writer.field(name, &value, doc) }
    }

    private mutating func writeContent(_ name: StaticString) {
        writer.key(name)
        content(&writer)
    }
}
