import JSON
import Testing

@Suite struct NumberTests {
    @Test(arguments: [
        ("0", 0), ("-0", 0), ("7", 7), ("-1", -1), ("9007199254740991", 9_007_199_254_740_991),
        ("-9007199254740991", -9_007_199_254_740_991), ("1000000000000000", 1_000_000_000_000_000),
    ])
    func integersAreRead(_ input: String, _ expected: Int64) throws {
        #expect(try Int64.decode(bytes(input)) == expected)
        #expect(try Int.decode(bytes(input)) == Int(expected))
        #expect(try JSONValue.decode(bytes(input)) == .integer(expected))
    }

    /// Numbers that a program computes with must not be near the limits of 64 bits; numbers that are passed
    /// on unchanged may be.
    @Test(arguments: [
        ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
        ("9007199254740992", 9_007_199_254_740_992), ("-9007199254740992", -9_007_199_254_740_992),
    ])
    func largerIntegersAreForFieldsThatSaySo(_ input: String, _ expected: Int64) throws {
        #expect(refusal(input, as: Int64.self) == .numberOutOfRange)
        #expect(refusal(input, as: Int.self) == .numberOutOfRange)
        #expect(try JSONValue.decode(bytes(input)) == .integer(expected))
        let document = #"{"any":\#(input)}"#
        #expect(try Ranged.decode(bytes(document)).any == expected)
        #expect(try Ranged.decode(bytes(#"{"x":1,"any":\#(input)}"#)).any == expected)
        #expect(try Ranged.decode(bytes(document)).encoded() == bytes(document))
        #expect(refusal(#"{"few":\#(input)}"#, as: Ranged.self) == .numberOutOfRange)
    }

    @Test func aFieldRefusesWhatIsOutsideOfItsRange() throws {
        #expect(try Ranged.decode(bytes(#"{"few":3}"#)).few == 3)
        #expect(try Ranged.decode(bytes(#"{"few":null}"#)).few == nil)
        for input in [#"{"few":4}"#, #"{"few":0}"#, #"{"x":1,"few":4}"#] {
            #expect(refusal(input, as: Ranged.self) == .numberOutOfRange)
        }
    }

    /// Integers with ranges of their own.
    private struct Ranged: Record {
        var few: Int64?
        var any: Int64?
        mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("few", &few, in: 1...3, "One to three.")
            try visitor.field("any", &any, in: .min ... .max, "Any.")
        }
    }

    @Test(arguments: [
        ("9223372036854775808", JSONError.Code.numberOutOfRange), ("-9223372036854775809", .numberOutOfRange),
        ("99999999999999999999", .numberOutOfRange), ("184467440737095516160", .numberOutOfRange),
        ("1.0", .notAnInteger), ("1e3", .notAnInteger), ("1E0", .notAnInteger), ("-0.0", .notAnInteger),
        ("1.", .invalidNumber), ("01", .invalidNumber), ("-", .invalidNumber), ("\"1\"", .wrongType),
        ("true", .wrongType), ("null", .wrongType),
    ])
    func otherNumbersAreNoInteger(_ input: String, _ code: JSONError.Code) {
        #expect(refusal(input, as: Int64.self) == code)
        #expect(refusal(input, as: Int.self) == code)
    }

    @Test func unsignedIntegersReachTwiceAsFar() throws {
        #expect(try UInt64.decode(bytes("18446744073709551615")) == .max)
        #expect(try UInt64.decode(bytes("-0")) == 0)
        #expect(refusal("18446744073709551616", as: UInt64.self) == .numberOutOfRange)
        #expect(refusal("-1", as: UInt64.self) == .numberOutOfRange)
        #expect(refusal("1.5", as: UInt64.self) == .notAnInteger)
    }

    @Test(arguments: [
        "0", "-0.0", "1", "0.1", "1.5e3", "1E+2", "1e-2", "123456789012345678901234567890", "5e-324", "1e22",
        "1e23",
        "9007199254740993", "2.2250738585072011e-308", "1.7976931348623157e308", "0e99999", "0.3125",
        "1e-400",
        "100000000000000000000000000000000000e-30", "8.98846567431158e307", "179769313486231580793e288",
    ])
    func numbersAreReadToTheNearestDouble(_ input: String) throws {
        let expected = try #require(Double(input))
        #expect(try Double.decode(bytes(input)).bitPattern == expected.bitPattern)
    }

    @Test(arguments: [10, 400, 9_999, 10_010, 100_000])
    func manyDigitsAndAGreatExponentMakeUpForEachOther(_ zeros: Int) throws {
        let many = String(repeating: "0", count: zeros)
        #expect(try Double.decode(bytes("0.\(many)125e\(zeros)")) == 0.125)
        #expect(try Double.decode(bytes("125\(many)e-\(zeros)")) == 125)
    }

    @Test(arguments: ["1e309", "-1e309", "1e99999999999999999999", "1.7976931348623159e308"])
    func aNumberBeyondDoubleIsRefused(_ input: String) {
        #expect(refusal(input, as: Double.self) == .numberOutOfRange)
    }

    @Test(arguments: (0..<4).map { UInt64($0) })
    func everyDoubleSurvives(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        for _ in 0..<5_000 {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            let written = value.encoded()
            #expect(
                try Double.decode(written).bitPattern == value.bitPattern, "seed \(seed): \(text(written))")
        }
    }

    @Test(arguments: [0.0, -0.0, 1.0, 0.1, 1e16, 1e-7, 123456.789])
    func aNumberIsWrittenInItsShortestForm(_ value: Double) {
        #expect(text(value.encoded()) == value.description)
    }

    @Test(arguments: [0, 9, 10, 99, 100, -1, .max, .min] as [Int64])
    func anIntegerIsWrittenInDecimal(_ value: Int64) {
        #expect(text(value.encoded()) == value.description)
        #expect(text(UInt64(bitPattern: value).encoded()) == UInt64(bitPattern: value).description)
    }
}

/// A small generator whose seed makes a test repeatable.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
