import JSON
import Synchronization
import Testing

@Suite struct RecordReadingTests {
    @Test(arguments: (0..<20).map { UInt64($0) })
    func anyOrderOfKeysGivesTheSameValue(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let members = try #require(try JSONValue.decode(Envelope.sample.encoded()).objectValue)
        for _ in 0..<50 {
            var shuffled = members.shuffled(using: &random)
            let unknown: JSONValue = ["x": [1, ["y": nil]]]
            shuffled.insert(("unknown", unknown), at: Int.random(in: 0...shuffled.count, using: &random))
            let document = JSONValue.object(shuffled).encoded()
            #expect(try Envelope.decode(document) == Envelope.sample, "seed \(seed): \(text(document))")
        }
    }

    @Test func keysMayBeSpeltWithEscapes() throws {
        let leaf = try Leaf.decode(bytes(#"{"n\u0061me":"n","\u0063olour":"red"}"#))
        #expect(leaf.name == "n" && leaf.colour == .red)
    }

    @Test(arguments: [
        #"{"name":"n"}"#, #"{"name":"n","colour":null}"#, #"{"colour":null,"name":"n"}"#,
        #"{"unknown":1,"name":"n"}"#, #"{"unknown":1,"colour":null,"name":"n"}"#,
    ])
    func absentAndNullAreNil(_ input: String) throws {
        let leaf = try Leaf.decode(bytes(input))
        #expect(leaf.name == "n" && leaf.colour == nil)
    }

    @Test func anOptionalWithADefaultIsNilWhenAbsent() throws {
        #expect(try Preset.decode(bytes("{}")).note == nil)
        #expect(try Preset.decode(bytes(#"{"unknown":1}"#)).note == nil)
    }

    @Test func fieldsThatWereReadInPlaceAreNotReadAgain() throws {
        let document = #"{"id":1,"size":2,"weight":3,"leaves":[],"notes":{},"children":[],"later":0}"#
        Counted.reads.withLock { $0 = 0 }
        _ = try Counter.decode(bytes(#"{"a":1,"b":2,"unknown":0}"#))
        #expect(Counted.reads.withLock { $0 } == 2)
        #expect(try Tree.decode(bytes(document)).children == [])
    }

    /// Every level has an unknown key, so every level takes the second pass; reading twice per level would
    /// take 2^20 times as long as reading once.
    @Test func nestedRecordsDoNotMultiplyTheWork() throws {
        let open = #"{"id":1,"size":1,"weight":1,"leaves":[],"notes":{},"children":["#
        let document = String(repeating: open, count: 20) + String(repeating: #"],"unknown":1}"#, count: 20)
        var tree = try Tree.decode(bytes(document))
        for _ in 0..<19 { tree = try #require(tree.children?.first) }
        #expect(tree.children == [])
    }

    @Test(arguments: [
        (#"{}"#, JSONError.Code.missingField, "name", 0),
        (#"{"colour":"red"}"#, .missingField, "name", 0),
        (#"{"name":null}"#, .wrongType, "name", 8),
        (#"{"name":7}"#, .wrongType, "name", 8),
        (#"{"x":1,"name":7}"#, .wrongType, "name", 14),
        (#"{"name":"n","colour":"pink"}"#, .unknownName, "colour", 27),
        (#"{"name":"n","name":"m"}"#, .duplicateKey, "name", 13),
        (#"{"name":"n","colour":"red","name":"m"}"#, .duplicateKey, "name", 28),
        (#"{"name":"n","x":1,"x":1}"#, .duplicateKey, "x", 19),
        (#"{"name":"n","x":{"y":[{"z":1,"z":2}]}}"#, .duplicateKey, "x.y[0].z", 30),
        (#"[]"#, .wrongType, "", 0), (#"7"#, .wrongType, "", 0), ("{\"name\":\"n\"", .unexpectedEnd, "", 11),
    ])
    func errorsNameTheFieldAndTheByte(_ input: String, _ code: JSONError.Code, _ path: String, _ offset: Int)
        throws
    {
        let error = try #require(throws: JSONError.self) { try Leaf.decode(bytes(input)) }
        #expect(error.code == code)
        #expect(error.path == path)
        #expect(error.offset == offset)
    }

    @Test func errorsNameTheWayToANestedField() throws {
        let document = #"{"id":1,"size":1,"weight":1,"leaves":[{"name":"a"},{"name":true}],"notes":{}}"#
        let error = try #require(throws: JSONError.self) { try Tree.decode(bytes(document)) }
        #expect(error.path == "leaves[1].name")
        #expect(
            error.message
                == "JSON refused at byte 59, in 'leaves[1].name': expected a string, found a boolean")
        #expect(error.description == "wrong_type: " + error.message)
    }

    @Test func anUnknownNameIsToldTheAllowedOnesAndNotRepeated() throws {
        let error = try #require(throws: JSONError.self) { try Colour.decode(bytes("\"secret\"")) }
        #expect(error.detail == "the name is none of: red, green, dark-blue")
        #expect(!error.message.contains("secret"))
    }

    @Test func rawJSONIsVerbatimAndChecked() throws {
        let raw = try RawJSON(bytes: bytes(" [1.50, {\"b\":\t1}] "))
        #expect(text(raw.bytes) == "[1.50, {\"b\":\t1}]")
        #expect(text(raw.encoded()) == "[1.50, {\"b\":\t1}]")
        #expect(try RawJSON(encoding: Leaf()).decoded(as: Leaf.self) == Leaf())
        #expect(RawJSON().encoded() == bytes("null"))
    }

    @Test func thePullInterfaceWalksADocument() throws {
        try bytes(#" {"a":[1,"x"],"b":null,"c":{"d":[]}} "#).withUnsafeBufferPointer { buffer in
            var reader = JSONReader(buffer)
            try reader.beginObject()
            #expect(try reader.nextKey() == "a")
            try reader.beginArray()
            #expect(try reader.nextElement())
            #expect(try reader.integer() == 1)
            #expect(try reader.nextElement())
            #expect(try reader.string() == "x")
            #expect(try !reader.nextElement())
            #expect(try reader.nextKey() == "b")
            #expect(try reader.takeNull())
            #expect(try reader.nextKey() == "c")
            #expect(try reader.peek() == .object)
            #expect(try reader.skipValue() == 27..<35)
            #expect(try reader.nextKey() == nil)
            try reader.requireEnd()
        }
    }

    @Test func whatNoFieldReadsIsRefusedOnRequest() throws {
        #expect(try Leaf.decodeStrictly(bytes(#"{"colour":"red","name":"n"}"#)).name == "n")
        for document in [
            #"{"name":"n","colour":"red","x":1}"#, #"{"x":1,"name":"n","colour":"red"}"#,
            #"{"name":"n","x":null,"colour":"red"}"#, #"{"name":"n","colour":"red","\u0078":1}"#,
        ] {
            #expect(throws: Never.self) { try Leaf.decode(bytes(document)) }
            let error = #expect(throws: JSONError.self) { try Leaf.decodeStrictly(bytes(document)) }
            #expect(error?.code == .unknownField && error?.path == "x", "\(document)")
        }
        let long = String(repeating: "k", count: 1_000)
        let error = #expect(throws: JSONError.self) {
            try Leaf.decodeStrictly(bytes("{\"name\":\"n\",\"colour\":\"red\",\"\(long)\":1}"))
        }
        #expect(error?.path.count == 64)
    }
}

/// An optional field that the empty initialiser fills.
private struct Preset: Record {
    var note: String? = "preset"
    mutating func fields<V: FieldVisitor>(_ v: inout V) throws(JSONError) {
        try v.field("note", &note, "anything")
    }
}

private struct Counter: Record {
    var first = Counted()
    var second = Counted()
    mutating func fields<V: FieldVisitor>(_ v: inout V) throws(JSONError) {
        try v.field("a", &first, "one")
        try v.field("b", &second, "two")
    }
}

/// Counts how often it is read; used by one test only.
private struct Counted: FieldValue, Equatable {
    static let reads = Mutex(0)
    static func read(_ reader: inout JSONReader) throws(JSONError) -> Counted {
        _ = try reader.integer()
        reads.withLock { $0 += 1 }
        return Counted()
    }
    func write(_ writer: inout JSONWriter) { writer.integer(0) }
    static func schema(_ builder: inout SchemaBuilder) -> JSONValue { Int.schema(&builder) }
}
