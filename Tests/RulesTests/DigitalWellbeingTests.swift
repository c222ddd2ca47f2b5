import Rules
import Testing

struct DigitalWellbeingTests {
    static let header = "id,timestamp_ms,type,package,instance_id"

    static func parse(_ text: String) throws(ImportError) -> DigitalWellbeing.Log {
        try DigitalWellbeing.parse(Array(text.utf8))
    }

    @Test func rowsBecomeChangesInOrderOfInstantAndId() throws {
        let log = try Self.parse(
            """
            \(Self.header)
            9,2000,2,org.a,-5
            3,2000,1,org.b,7
            4,1000,1,org.a,-5
            1,3000,26,android,0
            2,3000,12,org.b,0
            8,1500,18,,0
            7,1500,19,org.c,0

            """)
        #expect(log.changes.map(\.at) == [1000, 1500, 2000, 2000, 3000, 3000])
        #expect(log.changes.map(\.ordinal) == [4, 0, 3, 9, 0, 1])
        #expect(
            log.changes.map(\.kind) == [
                .opened(.app("org.a"), instance: -5), .unlocked, .opened(.app("org.b"), instance: 7),
                .closed(.app("org.a"), instance: -5), .notification(.app("org.b")), .reset,
            ])
        #expect(log.counts.rows == 7)
        #expect(log.counts.skipped == [19: 1])
    }

    @Test func columnsMayComeInAnyOrderWithOthersBetween() throws {
        let log = try Self.parse("package,note,type,instance_id,id,timestamp_ms\r\norg.a,x,1,2,3,4\r\n")
        #expect(log.changes == [UsageChange(at: 4, ordinal: 3, .opened(.app("org.a"), instance: 2))])
    }

    @Test func quotesFollowRFC4180() throws {
        let log = try Self.parse(
            "\"id\",timestamp_ms,type,package,instance_id\n\"1\",2,\"1\",\"a, \"\"b\"\" \",\"3\"")
        #expect(log.changes.map(\.kind) == [.opened(.app("a, \"b\" "), instance: 3)])
    }

    @Test func repeatedRowsCountOnce() throws {
        let log = try Self.parse("\(Self.header)\n1,5,1,a,0\n2,5,1,a,0\n1,5,1,a,0\n1,5,1,b,0\n")
        #expect(log.changes.count == 3)
        #expect(log.counts.repeated == 1)
        #expect(log.counts.rows == 4)
        #expect(log.counts.taken == ["opened": 3])
    }

    @Test(arguments: ["", "\n", "\r\n\r\n"]) func aHeaderAloneIsAnEmptyLog(end: String) throws {
        #expect(try Self.parse(Self.header + end).changes == [])
        #expect(try Self.parse("\u{FEFF}" + Self.header + end).changes == [])
    }

    @Test(arguments: [
        (header + "\n1,5,1,a,1775\n2,6,2,a,17", "instance_id"),
        (header + "\n1,5,1,a,1775\n2,6,2,a,1775\n3,7,1,a,177", "instance_id"),
        ("id,timestamp_ms,type,instance_id,package\n1,5,1,3,org.app\n2,6,2,3,org.a", "package"),
    ])
    func aLastFieldThatIsTheBeginningOfAnotherWasCut(text: String, column: String) {
        let error = #expect(throws: ImportError.self) { try Self.parse(text) }
        #expect(error?.problem == .truncated && error?.column == column)
        #expect(error?.line == text.count { $0 == "\n" } + 1)
        // With its final line end the same file is complete.
        #expect(throws: Never.self) { try Self.parse(text + "\n") }
    }

    @Test(arguments: [
        "1,5,1,a,1775\n2,6,2,a,1775", "1,5,1,a,17\n2,5,1,a,1775\n3,6,2,a,17", "1,5,1,b,1775\n2,6,1,a,17",
        "1,5,1,a,-5\n2,6,1,a,5", "1,5,12,a,0",
    ])
    func aLastLineMayLackItsEnd(rows: String) throws {
        let text = "\(Self.header)\n\(rows)"
        #expect(try Self.parse(text) == Self.parse(text + "\n"))
    }

    struct Broken: CustomTestStringConvertible, Sendable {
        let text: String
        let problem: ImportError.Problem
        let line: Int
        var column: String?
        var testDescription: String { text.replacing("\n", with: "⏎") }
    }

    static let broken = [
        Broken(text: "", problem: .emptyFile, line: 1),
        Broken(text: "\n\n", problem: .missingColumn, line: 1),
        Broken(
            text: "id,type,package,instance_id\n", problem: .missingColumn, line: 1, column: "timestamp_ms"),
        Broken(text: "1,2,1,a,0\n", problem: .missingColumn, line: 1, column: "id"),
        Broken(text: header + ",id\n", problem: .repeatedColumn, line: 1, column: "id"),
        Broken(
            text: header + "\n1,2,1,a,0\n2,soon,1,a,0\n", problem: .notANumber, line: 3,
            column: "timestamp_ms"),
        Broken(text: header + "\n1, 2,1,a,0\n", problem: .notANumber, line: 2, column: "timestamp_ms"),
        Broken(text: header + "\n1,,1,a,0\n", problem: .notANumber, line: 2, column: "timestamp_ms"),
        Broken(text: header + "\n1,2.5,1,a,0\n", problem: .notANumber, line: 2, column: "timestamp_ms"),
        Broken(text: header + "\n1,+2,1,a,0\n", problem: .notANumber, line: 2, column: "timestamp_ms"),
        Broken(text: header + "\n1,-2,1,a,0\n", problem: .outOfRange, line: 2, column: "timestamp_ms"),
        Broken(
            text: header + "\n1,253402300800000,1,a,0\n", problem: .outOfRange, line: 2,
            column: "timestamp_ms"),
        Broken(
            text: header + "\n1,99999999999999999999,1,a,0\n", problem: .outOfRange, line: 2,
            column: "timestamp_ms"),
        Broken(text: header + "\n1,2,-1,a,0\n", problem: .outOfRange, line: 2, column: "type"),
        Broken(text: header + "\nx,2,19,a,0\n", problem: .notANumber, line: 2, column: "id"),
        Broken(text: header + "\n1,2,1,a,zero\n", problem: .notANumber, line: 2, column: "instance_id"),
        Broken(
            text: header + "\n1,2,1,a,9223372036854775808\n", problem: .outOfRange, line: 2,
            column: "instance_id"),
        Broken(text: header + "\n1,2,1,,0\n", problem: .emptyName, line: 2, column: "package"),
        Broken(text: header + "\n1,2,12,,0\n", problem: .emptyName, line: 2, column: "package"),
        Broken(text: header + "\n1,2,1,a\u{0}b,0\n", problem: .controlCharacter, line: 2, column: "package"),
        Broken(text: header + "\n1,2,1,a\n", problem: .fieldCount, line: 2),
        Broken(text: header + "\n1,2,1,a,0,9\n", problem: .fieldCount, line: 2),
        Broken(text: header + "\n\n1,2,1,a,0\n", problem: .fieldCount, line: 2),
        Broken(text: header + "\n1,2,1,a,0\n2,3,1,or", problem: .truncated, line: 3),
        Broken(text: header + "\n1,2,1,a,0\n2,3,1,org,", problem: .truncated, line: 3, column: "instance_id"),
        Broken(text: header + "\n1,2,1,a,0\n2,3,1,\"org", problem: .truncated, line: 3),
        Broken(text: header + "\n1,2,1,a,0\r", problem: .truncated, line: 2),
        Broken(text: header + "\n1,2,1,\"a\nb,0\n", problem: .truncated, line: 2),
        Broken(
            text: header + "\n1,2,19,\"a\nb\",0\n1,2,x,a,0\n", problem: .notANumber, line: 4, column: "type"),
        Broken(text: header + "\n1,2,1,a\"b,0\n", problem: .quoting, line: 2),
        Broken(text: header + "\n1,2,1,\"a\"b,0\n", problem: .quoting, line: 2),
        Broken(text: header + "\r1,2,1,a,0\r", problem: .controlCharacter, line: 1),
    ]

    @Test(arguments: broken) func aFileThatIsNotWhatItClaimsIsRefused(file: Broken) {
        let error = #expect(throws: ImportError.self) { try Self.parse(file.text) }
        #expect(error?.problem == file.problem)
        #expect(error?.line == file.line)
        #expect(error?.column == file.column)
    }

    @Test func theErrorNamesLineColumnAndWhatStoodThere() {
        let error = #expect(throws: ImportError.self) {
            try Self.parse(Self.header + "\n1,so\u{1}on,1,a,0\n")
        }
        #expect(
            error.map(String.init(describing:)) == "line 2, column timestamp_ms: expected a whole number "
                + "from 0 to 253402300799999, found 'so\\u{01}on'")
    }

    @Test func bytesThatAreNotUTF8AreRefusedWithTheirLine() {
        let bytes = Array("\(Self.header)\n1,2,1,a,0\n1,2,1,".utf8) + [0xFF, 0xFE] + Array(",0\n".utf8)
        let error = #expect(throws: ImportError.self) { try DigitalWellbeing.parse(bytes) }
        #expect(error?.problem == .notUTF8)
        #expect(error?.line == 3)
    }
}

/// The order of the rows, and how the file is cut into files, mean nothing.
@Suite(.enabled(if: SharedData.has("android-wellbeing/events.csv"), SharedData.absence))
struct PhoneMonthOrderTests {
    @Test(arguments: (0..<3).map { UInt64($0) })
    func cutsInAnyOrderGiveTheSame(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let text = String(decoding: try SharedData.bytes("android-wellbeing/events.csv"), as: UTF8.self)
        var lines = text.split(whereSeparator: \.isNewline)
        let header = lines.removeFirst()
        let whole = try DigitalWellbeingTests.parse(text).changes

        lines.shuffle(using: &chance)
        let shuffled = ([header] + lines).joined(separator: "\n")
        #expect(try DigitalWellbeingTests.parse(shuffled).changes == whole)

        var known: Set<UsageChange> = []
        var start = 0
        while start < lines.count {
            let end = min(lines.count, start + .random(in: 1...3000, using: &chance))
            let from = max(0, start - 50)
            let cut = ([header] + lines[from..<end]).joined(separator: "\r\n") + "\r\n"
            known.formUnion(try DigitalWellbeingTests.parse(cut).changes)
            start = end
        }
        #expect(known.sorted() == whole)
    }

    @Test(arguments: (0..<12).map { UInt64($0) })
    func aFileCutAnywhereIsRefusedOrALineShorter(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let bytes = try SharedData.bytes("android-wellbeing/events.csv")
        let count = Int.random(in: 60..<bytes.count, using: &chance)
        let cut = Array(bytes.prefix(count))
        let line = cut.count { $0 == UInt8(ascii: "\n") } + 1
        let isWhole = cut.last == UInt8(ascii: "\n") || bytes[count] == UInt8(ascii: "\r")
        do {
            let log = try DigitalWellbeing.parse(cut)
            let lastField = cut.split(separator: UInt8(ascii: ",")).last ?? []
            #expect(isWhole || lastField.allSatisfy { (0x30...0x39).contains($0) })
            #expect(log.counts.rows == line - (cut.last == UInt8(ascii: "\n") ? 2 : 1))
        } catch {
            #expect(!isWhole)
            #expect(error.line == line)
        }
    }
}
