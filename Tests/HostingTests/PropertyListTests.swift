import Testing

@testable import Hosting

/// Info.plist in Apple's XML form.
@Suite struct PropertyListTests {
    private func read(_ body: String) throws -> PropertyList {
        try PropertyListReader.read(Array("<plist version=\"1.0\">\(body)</plist>".utf8))
    }

    @Test func everyKindIsRead() throws {
        let value = try read(
            """
            <!-- a -- comment --><dict><key>a &amp; b</key><string>&#65;&#x42;&lt;</string><key>n</key>
            <integer>-7</integer><key>t</key><true/><key>f</key><false /><key>l</key>
            <array><string/><dict/><array/></array></dict>
            """)
        #expect(
            value
                == .dictionary([
                    "a & b": .text("AB<"), "n": .integer(-7), "t": .bool(true), "f": .bool(false),
                    "l": .list([.text(""), .dictionary([:]), .list([])]),
                ]))
    }

    /// As editors on other systems, and programs that quote everything, write them.
    @Test(arguments: [
        ("\u{FEFF}<plist><string>a</string></plist>", "a"),
        ("\u{FEFF}<?xml version=\"1.0\"?><plist><string>a</string></plist>", "a"),
        ("<plist><string><![CDATA[<a> & b]]></string></plist>", "<a> & b"),
        ("<plist><string>x <![CDATA[&lt;]]><![CDATA[]]] > ]]>&lt;</string></plist>", "x &lt;]]] > <"),
        ("<plist><string>a<!-- <b> -->c</string></plist>", "ac"),
    ]) func byteOrderMarksAndQuotedTextAreRead(list: String, text: String) throws {
        #expect(try PropertyListReader.read(Array(list.utf8)) == .text(text))
    }

    @Test(arguments: [
        "<plist><string><![CDATA[a</string></plist>", "<plist><![CDATA[a]]></plist>",
        "<plist><string>\u{FEFF}</string>\u{FEFF}</plist>", "<plist><string><!-- a</string></plist>",
    ]) func quotedTextMustEndAndBelongToAValue(list: String) {
        #expect(throws: PropertyListError.self) { try PropertyListReader.read(Array(list.utf8)) }
    }

    @Test(arguments: [
        "", "<dict>", "<dict></array>", "<dict><key>a</key></dict>", "<dict><string>a</string></dict>",
        "<dict><key>a</key><true/><key>a</key><true/></dict>", "<integer>1.5</integer>",
        "<string>&nope;</string>",
        "<string>&amp</string>", "<string>&#xD800;</string>", "<true/><true/>", "<what/>", "text", "<",
        String(repeating: "<array>", count: 100), "<!-- never ends",
    ])
    func whatIsNoPropertyListIsRefused(body: String) {
        #expect(throws: PropertyListError.self) { try read(body) }
    }

    /// Whatever is cut or changed, it reads or refuses; it never stops the process.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func mutationsNeverTrap(seed: UInt64) {
        let good = Array(
            "<?xml ?><plist><dict><key>a&lt;</key><array><true/><string>x</string></array></dict></plist>"
                .utf8)
        var state = seed
        func random(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % below
        }
        for _ in 0..<5_000 {
            var bytes = good
            for _ in 0...random(4) {
                switch random(3) {
                case 0: bytes.remove(at: random(bytes.count))
                case 1: bytes[random(bytes.count)] = UInt8(random(256))
                default: bytes.insert(good[random(good.count)], at: random(bytes.count))
                }
            }
            // Either result is fine; the process continues.
            _ = try? PropertyListReader.read(bytes)
        }
    }

    /// A binary list in which many lists name the same text.
    private static func sharing(textBytes: Int, times: Int) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets = [bytes.count]
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        // Object 0: a list of one list after the other, each of 200 references to object 1.
        bytes += [0xAF, 0x11] + number(times, 2) + (0..<times).flatMap { _ in number(2, 2) }
        offsets.append(bytes.count)
        bytes += [0x5F, 0x12] + number(textBytes, 4) + [UInt8](repeating: 0x61, count: textBytes)
        offsets.append(bytes.count)
        bytes += [0xAF, 0x11] + number(200, 2) + (0..<200).flatMap { _ in number(1, 2) }
        let table = bytes.count
        bytes += offsets.flatMap { number($0, 4) }
        return bytes + [0, 0, 0, 0, 0, 0, 4, 2] + number(offsets.count, 8) + number(0, 8) + number(table, 8)
    }

    /// What is named a thousand times is not read a thousand times: in texts, and in objects.
    @Test func oneObjectDoesNotBecomeAThousand() throws {
        // 20 kB, which would be 200 MB.
        #expect(throws: PropertyListError.self) {
            _ = try PropertyListReader.read(Self.sharing(textBytes: 20_000, times: 50))
        }
        #expect(throws: PropertyListError.self) {
            _ = try PropertyListReader.read(Self.sharing(textBytes: 0, times: 1_000))
        }
        // Xcode shares equal texts, too.
        let shared = try PropertyListReader.read(Self.sharing(textBytes: 20, times: 2))
        let texts = [PropertyList](repeating: .text(String(repeating: "a", count: 20)), count: 200)
        #expect(shared == .list([.list(texts), .list(texts)]))
    }
}
