import JSON
import Testing

/// Prepared parts are written as the ordinary functions write them.
struct PreparedOutputTests {
    @Test func preparedValuesAreOrdinaryOnes() {
        let numbers: [Int64] = [0, 9, 10, 99, 100, 1_234_567, .max / 10, .max - 1, .max]
        var parts = PreparedParts()
        parts.add("{\"number\":".utf8)
        parts.add("".utf8)
        parts.add("}".utf8)
        #expect((0..<3).map { parts.count(of: $0) } == [10, 0, 1])
        var ordinary = JSONWriter()
        var prepared = JSONWriter(capacity: 1)
        for writeAnother in [true, false] {
            ordinary.beginArray()
            prepared.beginArray()
            if writeAnother {
                ordinary.boolean(true)
                prepared.boolean(true)
            }
            for number in numbers {
                ordinary.beginObject()
                ordinary.key("number")
                ordinary.integer(number)
                ordinary.endObject()
            }
            parts.lend { parts in
                prepared.prepared(numbers.count * (12 + PreparedOutput.integerBytesMax)) { out in
                    for (index, number) in numbers.enumerated() {
                        if index > 0 { out.add(UInt8(ascii: ",")) }
                        out.add(0, of: parts)
                        out.add(number)
                        out.add(1, of: parts)
                        out.add(2, of: parts)
                    }
                }
            }
            ordinary.string("after")
            prepared.string("after")
            ordinary.endArray()
            prepared.endArray()
        }
        #expect(prepared.bytes == ordinary.bytes)
    }

    @Test func aFinishedWriterIsEmpty() {
        var writer = JSONWriter()
        writer.beginArray()
        writer.integer(1)
        writer.endArray()
        #expect(writer.finish() == Array("[1]".utf8))
        writer.beginArray()
        writer.endArray()
        #expect(writer.finish() == Array("[]".utf8))
    }
}
