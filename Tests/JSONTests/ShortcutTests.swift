import JSON
import Testing

/// Where the reader and the writer have a shorter way for what is usual, its limits.
@Suite struct ShortcutTests {
    private static let integers: [Int64] =
        (0...18).flatMap { power -> [Int64] in
            let ten = (0..<power).reduce(Int64(1)) { product, _ in product * 10 }
            return [ten - 1, ten, ten + 1, ten / 3, -ten, 1 - ten]
        } + [.max, .min, .max - 1, .min + 1, 99, 100, 101, 9_999, 10_000]

    @Test(arguments: integers) func integersOfAnyLengthAreWrittenAndRead(_ value: Int64) throws {
        let written = Array(value.description.utf8)
        var writer = JSONWriter()
        writer.integer(value)
        #expect(writer.bytes == written)
        try (written + Array(" ".utf8)).withUnsafeBufferPointer { buffer in
            var reader = JSONReader(buffer)
            let read = try reader.integer(in: Int64.min...Int64.max)
            #expect(read == value && reader.position == written.count)
        }
    }

    @Test(arguments: [
        ("01", JSONError.Code.invalidNumber), ("-01", .invalidNumber), ("-", .invalidNumber),
        ("1.0", .notAnInteger), ("1e3", .notAnInteger), ("1.", .invalidNumber),
        ("9223372036854775808", .numberOutOfRange), ("8", .numberOutOfRange), ("-8", .numberOutOfRange),
    ])
    func otherIntegersAreRefused(_ text: String, _ code: JSONError.Code) throws {
        let error = try #require(throws: JSONError.self) {
            try bytes(text).withUnsafeBufferPointer { buffer in
                var reader = JSONReader(buffer)
                _ = try reader.integer(in: -7...7)
            }
        }
        #expect(error.code == code)
    }

    /// Keys of a skipped object: more than fit into the place for a few, with and without escapes.
    @Test(arguments: [1, 2, 15, 16, 17, 40])
    func aKeyThatIsThereTwiceIsFoundInASkippedObject(_ count: Int) throws {
        for escapes in [false, true] {
            let keys = (0..<count).map { escapes && $0 == count / 2 ? "\\u006b\($0)" : "k\($0)" }
            let members = keys.map { "\"\($0)\":1" }
            func object(_ more: String) -> [UInt8] {
                bytes("{" + (members + [more]).joined(separator: ",") + "}")
            }
            #expect(throws: Never.self) { _ = try RawJSON(bytes: object(#""k":1"#)) }
            for index in 0..<count {
                let error = try #require(throws: JSONError.self) {
                    _ = try RawJSON(bytes: object("\"k\(index)\":1"))
                }
                #expect(error.code == .duplicateKey && error.path == "k\(index)")
                #expect(error.offset == object("").count)
            }
        }
    }

    @Test(arguments: [
        (#"{"ab":1}"#, true), (#"{"ab" :1}"#, true), (#"{ "ab":1}"#, true), (#"{"abc":1}"#, false),
        (#"{"a":1}"#, false), (#"{"ac":1}"#, false), (#"{"ab"}"#, false), (#"{"a"#, false), ("{", false),
        (#"{"ab"#, false), (#"{}"#, false), (#"{"\u0061b":1}"#, false),
    ])
    func aKeyIsTakenIfItIsNext(_ text: String, _ isTaken: Bool) throws {
        try bytes(text).withUnsafeBufferPointer { buffer in
            var reader = JSONReader(buffer)
            try reader.beginObject()
            let before = reader.position
            #expect(reader.takeKey("ab") == isTaken)
            #expect(isTaken ? reader.position > before : reader.position == before)
        }
    }

    @Test func longKeysAreComparedToTheirEnd() throws {
        let name: StaticString = "abcdefghijklmnopqrstuvwxyz_of_a_long_name"
        let plain = name.description
        for index in plain.indices {
            var other = plain
            other.replaceSubrange(index...index, with: "X")
            for (key, isTaken) in [(plain, true), (other, false)] {
                try bytes("{\"\(key)\":1}").withUnsafeBufferPointer { buffer in
                    var reader = JSONReader(buffer)
                    try reader.beginObject()
                    #expect(reader.takeKey(name) == isTaken)
                }
            }
        }
    }

    @Test func aStringIsWrittenInPlace() {
        var writer = JSONWriter(capacity: 1)
        writer.beginArray()
        for letter in [UInt8(ascii: "a"), UInt8(ascii: "b")] {
            writer.string(length: 3) { place in for index in 0..<3 { place[index] = letter } }
        }
        writer.endArray()
        #expect(writer.bytes == bytes(#"["aaa","bbb"]"#))
    }
}
