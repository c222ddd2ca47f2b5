import Testing

@testable import Hosting

/// Property lists that want to take the host's memory, stack or time. libplist 2.2 and 2.6 fail the first and
/// the third of these tests: 253 bytes take all memory there is, and 65 KB end a thread's stack.
@Suite struct HostilePropertyListTests {
    /// A binary list of these objects with offsets and references of two bytes; the first object is the top.
    private static func binary(_ objects: [[UInt8]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        bytes += offsets.flatMap { big($0, 2) } + [0, 0, 0, 0, 0, 0, 2, 2]
        return bytes + big(objects.count, 8) + big(0, 8) + big(table, 8)
    }

    private static func list(_ references: [Int]) -> [UInt8] {
        [0xA0 | UInt8(references.count)] + references.flatMap { big($0, 2) }
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static let yes: [UInt8] = [0x09]

    private func reason(_ bytes: [UInt8]) -> String? {
        do { _ = try PropertyListReader.read(bytes) } catch { return error.reason }
        return nil
    }

    /// Each list names the next one twice: as a tree these 253 bytes are a thousand million objects. Few
    /// levels stay below the limit of depth, so that the one of objects is met.
    @Test func listsThatDoubleDoNotGrow() {
        let thirty = (0..<30).map { Self.list([$0 + 1, $0 + 1]) } + [Self.yes]
        #expect(Self.binary(thirty).count == 253 && reason(Self.binary(thirty)) != nil)
        let few = (0..<10).map { Self.list([Int](repeating: $0 + 1, count: 14)) } + [Self.yes]
        #expect(reason(Self.binary(few)) != nil)
    }

    @Test func whatContainsItselfIsRefused() {
        #expect(reason(Self.binary([Self.list([0])])) != nil)
        #expect(reason(Self.binary([Self.list([1]), Self.list([2]), Self.list([1])])) != nil)
        let dictionary: [UInt8] = [0xD1, 0, 1, 0, 0]
        #expect(reason(Self.binary([dictionary, [0x51, 0x61]])) != nil, "as a value")
        #expect(reason(Self.binary([[0xD1, 0, 0, 0, 1], Self.yes])) != nil, "as a key")
    }

    @Test func depthHasALimit() {
        func nested(_ count: Int) -> [UInt8] {
            Self.binary((0..<count).map { Self.list([$0 + 1]) } + [Self.yes])
        }
        let deepest = HostingLimits.propertyListDepthMax - 1
        #expect(reason(nested(deepest)) == nil)
        #expect(reason(nested(deepest + 1)) != nil)
        #expect(reason(nested(13_000)) != nil)
        func xml(_ count: Int, closed: Bool = true) -> [UInt8] {
            let open = String(repeating: "<array>", count: count)
            let close = closed ? String(repeating: "</array>", count: count) + "</plist>" : ""
            return Array("<plist>\(open)\(close)".utf8)
        }
        #expect(reason(xml(deepest + 1)) == nil)
        #expect(reason(xml(deepest + 2))?.contains("levels") == true)
        #expect(reason(xml(9_300, closed: false))?.contains("levels") == true)
    }

    /// Counts are compared with what the file has before anything is allocated.
    @Test(arguments: [0xA, 0xD, 0x4, 0x5, 0x6] as [UInt8])
    func countsBeyondTheFileAreRefused(kind: UInt8) {
        for count in [200, 0x7FFF_FFFF, .max] {
            #expect(reason(Self.binary([[kind << 4 | 15, 0x13] + Self.big(count, 8)])) != nil, "\(count)")
        }
        #expect(reason(Self.binary([[kind << 4 | 15, 0x13] + [UInt8](repeating: 0xFF, count: 8)])) != nil)
        #expect(reason(Self.binary([[kind << 4 | 15, 0x1F]])) != nil, "a count of 32 KiB")
    }

    @Test func trailersThatLieAreRefused() {
        let good = Self.binary([Self.yes])
        #expect(reason(good) == nil)
        for place in (good.count - 26)..<good.count {
            for value in [0x7F, 0xFF] as [UInt8] {
                var bytes = good
                bytes[place] = value
                #expect(reason(bytes) != nil, "\(value) at \(place - good.count)")
            }
        }
    }

    /// Kinds that nothing here asks for: dates, reals and data are empty texts, the rest is refused.
    @Test func otherKindsAreNoHarm() throws {
        let date: [UInt8] = [0x33, 0x41, 0xC0, 0, 0, 0, 0, 0, 0]
        let others = [Self.list([1, 2, 3]), date, [0x22, 0, 0, 0, 0], [0x41, 7]]
        let read = try PropertyListReader.read(Self.binary(others))
        #expect(read == .list([.text(""), .text(""), .text("")]))
        for object in [[0x80, 1], [0x00], [0x0F], [0x70], [0xC1, 0, 0], [0xE0], [0xF0], [0x14]] as [[UInt8]] {
            #expect(reason(Self.binary([object])) != nil, "a UID, null, fill, a set and what there is not")
        }
    }

    @Test func whatIsCutIsRefused() {
        let inside = "<dict><key>a</key><array><true/><string>x</string></array></dict>"
        let binary = Self.binary([[0xD1, 0, 1, 0, 2], [0x51, 0x61], Self.yes])
        for good in [Array("<plist>\(inside)</plist>".utf8), binary] {
            #expect(reason(good) == nil)
            for end in 0..<good.count { #expect(reason(Array(good[..<end])) != nil, "cut at \(end)") }
        }
    }

    /// "Billion laughs", and a file of the host: entities of a document's own are not known.
    @Test func entitiesAreNotExpanded() {
        let laughs = (1...9).map {
            "<!ENTITY l\($0) \"" + String(repeating: "&l\($0 - 1);", count: 10) + "\">"
        }
        let file = "<!ENTITY l9 SYSTEM \"file:///etc/passwd\">"
        for subset in ["<!ENTITY l0 \"lol\">" + laughs.joined(), file] {
            let text = "<!DOCTYPE plist [\(subset)]><plist><string>&l9;</string></plist>"
            #expect(reason(Array(text.utf8)) != nil)
        }
        #expect(reason(Array("<plist><string>&l9;</string></plist>".utf8))?.contains("&l9;") == true)
    }

    /// XML that is not UTF-8 is refused. In the binary form it is repaired: a text is always one.
    @Test func bytesThatAreNoTextStayOutside() throws {
        for bytes in [[0xFF, 0xFE], [0xC3], [0xED, 0xA0, 0x80]] as [[UInt8]] {
            let text = Array("<plist><string>".utf8) + bytes + Array("</string></plist>".utf8)
            #expect(reason(text) != nil, "\(bytes)")
        }
        #expect(reason([0xFF, 0xFE] + "<plist>".utf8.flatMap { [$0, 0] }) != nil, "UTF-16")
        for object in [[0x51, 0xFF], [0x61, 0xD8, 0]] as [[UInt8]] {
            #expect(try PropertyListReader.read(Self.binary([object])) == .text("\u{FFFD}"))
        }
    }

    /// Whatever is cut or changed in a binary list, it reads or refuses; it never stops the process.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func mutationsNeverTrap(seed: UInt64) {
        let good = Self.binary([
            [0xD2, 0, 1, 0, 2, 0, 3, 0, 4], [0x51, 0x61], [0x62, 0, 0x62, 0, 0xFC], Self.list([1, 5, 6]),
            [0x5F, 0x10, 20] + [UInt8](repeating: 0x63, count: 20), [0x13, 0, 0, 0, 0, 0, 0, 0, 7], Self.yes,
        ])
        #expect(reason(good) == nil)
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
            // Either way is fine; the process goes on.
            _ = try? PropertyListReader.read(bytes)
        }
    }
}
