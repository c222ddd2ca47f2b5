import JSON
import Testing

@Suite struct WriterTests {
    @Test func commasSetThemselves() throws {
        var writer = JSONWriter(capacity: 0)
        writer.beginObject()
        writer.key("empty" as StaticString)
        writer.beginArray()
        writer.endArray()
        writer.key("list" as StaticString)
        writer.beginArray()
        writer.integer(1)
        writer.beginObject()
        writer.endObject()
        writer.null()
        writer.raw(bytes("[ ]"))
        writer.number(0.5)
        writer.endArray()
        writer.key("a\"b")
        writer.boolean(true)
        writer.key("s" as StaticString)
        writer.string("")
        writer.endObject()
        let expected = #"{"empty":[],"list":[1,{},null,[ ],0.5],"a\"b":true,"s":""}"#
        #expect(text(writer.bytes) == expected)
        #expect(text(writer.finish()) == expected)
    }

    @Test(arguments: [
        ("\"", #"\""#), ("\\", #"\\"#), ("/", "/"), ("\u{8}\t\n\u{C}\r", #"\b\t\n\f\r"#), ("\0", #"\u0000"#),
        ("\u{1F}", #"\u001f"#), ("\u{1B}", #"\u001b"#), ("\u{7F}", "\u{7F}"), ("é\u{2028}🎉", "é\u{2028}🎉"),
    ])
    func onlyWhatMustBeEscapedIs(_ character: String, _ escaped: String) throws {
        // At every place relative to the eight bytes that are looked at together.
        for before in 0..<18 {
            for after in [0, 1, 7, 8, 9] {
                let start = String(repeating: "x", count: before)
                let end = String(repeating: "y", count: after)
                let written = (start + character + end).encoded()
                #expect(text(written) == "\"" + start + escaped + end + "\"")
                #expect(try String.decode(written) == start + character + end)
            }
        }
    }

    @Test(arguments: (0..<8).map { UInt64($0) })
    func anyStringSurvives(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        for _ in 0..<500 {
            let length = Int.random(in: 0..<60, using: &random)
            let value = String(
                String.UnicodeScalarView(
                    (0..<length).compactMap { _ in
                        Unicode.Scalar(
                            UInt32.random(in: 0..<[0x30, 0x80, 0x800, 0x11_0000][Int(random.next() % 4)]))
                    }))
            #expect(Array(try String.decode(value.encoded()).utf8) == Array(value.utf8), "seed \(seed)")
        }
    }

    @Test func dictionariesAreSortedByKey() {
        #expect(text(["b": 1, "a": 2, "B": 3].encoded()) == #"{"B":3,"a":2,"b":1}"#)
    }

    @Test func everyEscapeIsRead() throws {
        let input = #""\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83c\uDF89\u0000""#
        #expect(try String.decode(bytes(input)) == "\"\\/\u{8}\u{C}\n\r\tAé€🎉\0")
    }

    @Test func aValueIsSeenFromOutside() throws {
        let value = try JSONValue.decode(bytes(#"{"a":[1,"x",2.5,true,null],"b":{"c":7}}"#))
        #expect(value["a"]?[0]?.integerValue == 1)
        #expect(value["a"]?[1]?.stringValue == "x")
        #expect(value["a"]?[2]?.numberValue == 2.5)
        #expect(value["a"]?[3]?.boolValue == true)
        #expect(value["a"]?[4]?.isNull == true)
        #expect(value["a"]?.arrayValue?.count == 5)
        #expect(value["b"]?["c"]?.numberValue == 7)
        #expect(value["a"]?[5] == nil && value["z"] == nil && value[0] == nil)
        #expect(value.objectValue?.map(\.key) == ["a", "b"])
    }

    @Test func objectsAreEqualInAnyOrder() {
        let value: JSONValue = ["a": 1, "b": [2.0, nil]]
        #expect(value == ["b": [2.0, nil], "a": 1])
        #expect(value != ["a": 1, "b": [2, nil]])
        #expect(value != ["a": 1])
    }
}
