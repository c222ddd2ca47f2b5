import JSON
import Testing

/// A document that has to be refused, and why.
struct Refused: Sendable, CustomTestStringConvertible {
    let input: [UInt8]
    let code: JSONError.Code
    init(_ input: String, _ code: JSONError.Code) { self.init(Array(input.utf8), code) }
    init(_ input: [UInt8], _ code: JSONError.Code) {
        self.input = input
        self.code = code
    }
    var testDescription: String { "\(code.rawValue): \(String(decoding: input.prefix(24), as: UTF8.self))" }
}

/// Refused as a document and as a value inside one.
let refusedValues: [Refused] = [
    Refused("tru", .unexpectedEnd), Refused("nul]", .unexpectedByte), Refused("True", .unexpectedByte),
    Refused("'a'", .unexpectedByte), Refused("NaN", .unexpectedByte), Refused("Infinity", .unexpectedByte),
    Refused("[1,]", .unexpectedByte), Refused("[,1]", .unexpectedByte), Refused("[1 2]", .unexpectedByte),
    Refused("[1}", .unexpectedByte), Refused(#"{"a":1]"#, .unexpectedByte),
    Refused(#"{"a":1,}"#, .unexpectedByte),
    Refused(#"{,"a":1}"#, .unexpectedByte), Refused(#"{"a" 1}"#, .unexpectedByte),
    Refused("{a:1}", .unexpectedByte),
    Refused(#"{1:1}"#, .unexpectedByte), Refused(#"{"a"}"#, .unexpectedByte),
    Refused("[/* */1]", .unexpectedByte),
    Refused("\u{A0}1", .unexpectedByte), Refused("\u{0B}1", .unexpectedByte), Refused("+1", .unexpectedByte),
    Refused(".5", .unexpectedByte), Refused("[01]", .invalidNumber), Refused("-01", .invalidNumber),
    Refused("1.", .invalidNumber), Refused("1.e3", .invalidNumber), Refused("1e", .invalidNumber),
    Refused("1e+", .invalidNumber), Refused("-", .invalidNumber), Refused("-a", .invalidNumber),
    Refused("-Infinity", .invalidNumber), Refused("[1.5.5]", .unexpectedByte),
    Refused("[0x10]", .unexpectedByte),
    Refused("\"a\u{1}b\"", .controlCharacter), Refused("\"line\nbreak\"", .controlCharacter),
    Refused("\"12345678\u{1F}\"", .controlCharacter), Refused("\"\0\"", .controlCharacter),
    Refused(#""\x41""#, .invalidEscape), Refused(#""\'""#, .invalidEscape),
    Refused(#""\u12G4""#, .invalidEscape),
    Refused(#""\u+123""#, .invalidEscape), Refused(#""\U0041""#, .invalidEscape),
    Refused(#""\ud800""#, .loneSurrogate), Refused(#""\ud800 \udc00""#, .loneSurrogate),
    Refused(#""\udc00""#, .loneSurrogate), Refused(#""\udc00\udc00""#, .loneSurrogate),
    Refused(#""\ud800\ud800""#, .loneSurrogate),
    Refused(#""\ud800\u0041""#, .loneSurrogate), Refused(#""\ud800\n""#, .loneSurrogate),
    Refused([0x22, 0xFF, 0x22], .invalidUTF8), Refused([0x22, 0xC3, 0x22], .invalidUTF8),
    Refused([0x22, 0xC0, 0x80, 0x22], .invalidUTF8), Refused([0x22, 0xED, 0xA0, 0x80, 0x22], .invalidUTF8),
    Refused([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], .invalidUTF8),
    Refused(Array("\"12345678".utf8) + [0x80] + Array("12345678\"".utf8), .invalidUTF8),
    Refused([0x22, 0xC3] + Array(#"\u00a9""#.utf8), .invalidUTF8),
    Refused([0x7B, 0x22, 0xFF, 0x22] + Array(":1}".utf8), .invalidUTF8),
    Refused(#"{"a":1,"a":2}"#, .duplicateKey), Refused(#"{"a":1,"\u0061":2}"#, .duplicateKey),
    Refused(#"{"é":1,"\u00e9":2}"#, .duplicateKey), Refused(#"[{"x":{"":1,"":1}}]"#, .duplicateKey),
    Refused(#"{"\ud83c\udf89":1,"🎉":2}"#, .duplicateKey),
]

/// Refused only because the document ends, or begins, there.
let refusedDocuments: [Refused] = [
    Refused("", .emptyInput), Refused(" \n\r\t", .emptyInput),
    Refused("\u{FEFF}1", .byteOrderMark), Refused("\u{FEFF}", .byteOrderMark),
    Refused("1 2", .trailingBytes), Refused("{}}", .trailingBytes), Refused("null,", .trailingBytes),
    Refused("\"a\"\0", .trailingBytes), Refused("1\u{FEFF}", .trailingBytes), Refused("12x", .trailingBytes),
    Refused("[", .unexpectedEnd), Refused("{", .unexpectedEnd), Refused("[1", .unexpectedEnd),
    Refused("[1,", .unexpectedEnd), Refused(#"{"a"#, .unexpectedEnd), Refused(#"{"a""#, .unexpectedEnd),
    Refused(#"{"a":"#, .unexpectedEnd), Refused(#"{"a":1,"#, .unexpectedEnd),
    Refused(#""abc"#, .unexpectedEnd),
    Refused(#""abc\"#, .unexpectedEnd), Refused(#""\u12"#, .unexpectedEnd),
    Refused(#""\ud800\u"#, .unexpectedEnd),
    Refused([0x31, 0x00], .trailingBytes), Refused([0xFF, 0xFE, 0x31, 0x00], .unexpectedByte),
]

@Suite struct StrictnessTests {
    @Test(arguments: refusedValues + refusedDocuments)
    func aDocumentIsRefused(_ sample: Refused) {
        #expect(refusal(sample.input, as: JSONValue.self) == sample.code)
        #expect(refusal(sample.input, as: RawJSON.self) == sample.code)
    }

    /// Values that nobody reads are validated, too: here the value of an unknown field.
    @Test(arguments: refusedValues)
    func aSkippedValueIsRefused(_ sample: Refused) {
        let around = bytes(#"{"name":"n","unknown":["#) + sample.input + bytes(#"],"colour":"red"}"#)
        if sample.code == .unexpectedEnd {
            #expect(refusal(around, as: Leaf.self) == .unexpectedByte)
        } else {
            #expect(refusal(around, as: Leaf.self) == sample.code)
        }
    }

    @Test func everyCodeHasItsSample() {
        let byRecord: Set<JSONError.Code> = [
            .wrongType, .missingField, .unknownName, .unknownField, .notAnInteger, .numberOutOfRange,
            .depthExceeded,
        ]
        let seen = Set((refusedValues + refusedDocuments).map(\.code)).union(byRecord)
        #expect(seen == Set(JSONError.Code.allCases))
    }

    @Test func whiteSpaceMayStandBetweenAllTokens() throws {
        let spaced = " \n{ \t\"a\" : [ 1 , \r2 ] , \"b\" : { } , \"c\" : [ ] } \n"
        let expected: JSONValue = ["a": [1, 2], "b": [:], "c": []]
        #expect(try JSONValue.decode(bytes(spaced)) == expected)
        let record = try Leaf.decode(bytes("\n{ \"name\" : \"n\" , \"colour\" : \"green\" }\n"))
        #expect(record.name == "n" && record.colour == .green)
    }

    @Test func depth64IsReadAnd65Refused() throws {
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        }
        for (open, close) in [("[", "]"), (#"{"a":"#, "}"), (#"[{"a":"#, "}]")] {
            let step = open.count == 6 ? 2 : 1
            let deepest = nested(JSONLimits.depthMax / step, open, close)
            #expect(refusal(deepest, as: JSONValue.self) == nil)
            #expect(refusal(deepest, as: RawJSON.self) == nil)
            for depth in [JSONLimits.depthMax / step + 1, 10_000] {
                let deeper = nested(depth, open, close)
                #expect(refusal(deeper, as: JSONValue.self) == .depthExceeded)
                #expect(refusal(deeper, as: RawJSON.self) == .depthExceeded)
                #expect(refusal(#"{"name":"n","x":\#(deeper)}"#, as: Leaf.self) == .depthExceeded)
            }
        }
        let trees = nested(10_000, #"{"id":1,"size":1,"weight":1,"leaves":[],"notes":{},"children":["#, "]}")
        #expect(refusal(trees, as: Tree.self) == .depthExceeded)
    }

    @Test func aBufferWithoutMemoryIsEmptyInput() {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        let error = #expect(throws: JSONError.self) { try Leaf.decode(nothing) }
        #expect(error?.code == .emptyInput)
    }

    /// Seventeen keys and more are compared by hashing; the sixteen before them one by one.
    @Test(arguments: [2, 16, 17, 18, 100])
    func aDuplicateIsFoundAmongManyKeys(_ count: Int) {
        for repeated in [0, min(count / 2, count - 2), count - 2] {
            var keys = (0..<count).map { "k\($0)" }
            #expect(refusal(object(keys)) == nil)
            keys[count - 1] = #"\u006b\#(repeated)"#
            #expect(refusal(object(keys)) == .duplicateKey)
            #expect(refusal(object(keys), as: RawJSON.self) == .duplicateKey)
            #expect(refusal(object(keys), as: [String: Int].self) == .duplicateKey)
        }
    }

    /// Swift takes both spellings of é for one string; JSON does not.
    @Test func keysThatUnicodeCallsEquivalentAreTwoKeys() throws {
        let both = "{\"e\u{301}\":1,\"\u{E9}\":2}"
        #expect(try JSONValue.decode(bytes(both)).objectValue?.count == 2)
        #expect(refusal(both, as: RawJSON.self) == nil)
        #expect(refusal(both, as: [String: Int].self) == .duplicateKey)
    }

    private func object(_ keys: [String]) -> String {
        "{" + keys.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
    }
}
