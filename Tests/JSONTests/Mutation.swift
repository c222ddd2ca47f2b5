import JSON

/// Documents that are nearly JSON.
enum Mutation {
    static let tree = bytes(
        #"""
        {"id":42,"size":-7,"weight":1.25e2,"leaves":[{"name":"a\"b\\c\u00e9","colour":"red"},{"name":"é🎉"}],
        "notes":{"zoe":"\ud83c\udf89","adam":""},
        "extra":{"list":[0,2.5,null,true,false,"x",{}],"deep":[[[[]]]]},
        "data":{"any" : [1.50]},"children":[{"id":0,"size":0,"weight":-0.0,"leaves":[],"notes":{}}]}
        """#)

    private static let seeds: [[UInt8]] = [
        tree, bytes(Envelope.sampleText), bytes("[]"), bytes(" [1, -2.5e-3, 12345678901234567890, 1e308]\n"),
        bytes(#""a string\n with \u20ac and \ud83d\ude00 and plain text after it""#),
        bytes(#"{"a":{"b":{"c":[{"d":null}]}},"b":[true,false],"c":"日本語のテキスト"}"#), bytes("-0.5E+10"),
        bytes(String(repeating: "[", count: 60) + "1" + String(repeating: "]", count: 60)),
    ]

    /// What is likely to hurt.
    private static let tokens: [[UInt8]] =
        [
            "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "00", "-", "-0", "+", ".", "e", "E5", "1e5", "1.0",
            "1e400",
            "9223372036854775808", "null", "true", "nul", #"\u"#, #"\u0000"#, #"\ud800"#, #"\udc00"#,
            #"\ud83d\ude00"#,
            #"\u00e9"#, #"\x"#, #"\/"#, #""a":1,"#, #","a":1"#, #","id":42"#, " ", "\n", "\t", "\u{0B}",
            "\u{A0}",
            "\0", "\u{1F}", "\u{7F}", "é", "\u{FEFF}", "\u{2028}", "NaN", "Infinity", "//",
            "[[[[[[[[[[[[[[[[",
        ].map(bytes) + [
            [0x80], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
        ]

    static func document(_ random: inout SplitMix) -> [UInt8] {
        mutated(seeds[Int.random(in: seeds.indices, using: &random)], &random)
    }

    /// One to three changes.
    static func mutated(_ document: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var result = document
        for _ in 0..<Int.random(in: 1...3, using: &random) { change(&result, &random) }
        return result
    }

    private static func change(_ document: inout [UInt8], _ random: inout SplitMix) {
        let place = Int.random(in: 0...document.count, using: &random)
        let end = min(document.count, place + Int.random(in: 1...12, using: &random))
        switch Int.random(in: 0..<7, using: &random) {
        case 0: document.insert(contentsOf: tokens[Int.random(in: tokens.indices, using: &random)], at: place)
        case 1:
            document.replaceSubrange(
                place..<end, with: tokens[Int.random(in: tokens.indices, using: &random)])
        case 2: document.removeSubrange(place..<end)
        case 3:
            let copy = Array(document[place..<end])
            document.insert(contentsOf: copy, at: Int.random(in: 0...document.count, using: &random))
        case 4: if place < document.count { document[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
        case 5: if place < document.count { document[place] = UInt8.random(in: 0...255, using: &random) }
        default: document.removeSubrange(max(place, document.count * 9 / 10)...)
        }
    }
}
