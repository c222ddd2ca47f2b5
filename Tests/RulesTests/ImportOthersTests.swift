import Contract
import Testing

@testable import Rules

/// knowledgeC, our own observations, and what all importers share.
struct ImportOthersTests {
    static func row(
        _ id: Int64, _ app: String?, _ start_s: Double?, _ end_s: Double?, _ stream: String = "/app/usage"
    ) -> KnowledgeC.Row {
        KnowledgeC.Row(id: id, stream: stream, app: app, start_s: start_s, end_s: end_s)
    }

    static func uses(_ file: ImportedFile) -> [String] {
        file.devices.flatMap { device in
            UsageTables.use(of: "x", device.changes, isLive: false).uses.flatMap { subject, time in
                time.intervals.map { "\(subject.id):\($0.start)-\($0.end)" }
            }
        }.sorted()
    }

    // MARK: knowledgeC

    /// Services accept names and refuse tokens in their place: a file with a token is refused completely.
    @Test func aTokenIsNoNameInAnyFormat() {
        let window =
            #""w_h": {"id": "w_h", "type": "currentwindow", "client": "c", "hostname": "h", "events": "#
        let event = #"{"timestamp": "2024-05-01T10:00:00Z", "duration": 5, "data": {"app": "token:AAAA"}}"#
        let files: [(ImportFormat, String)] = [
            (.digitalWellbeing, "id,timestamp_ms,type,package,instance_id\n1,1,1,token:AAAA,3\n"),
            (.observations, #"{"at_ms":1,"kind":"focus","app":"token:AAAA"}"# + "\n"),
            (.observations, #"{"at_ms":1,"kind":"visit","domain":"token:AAAA"}"# + "\n"),
            (.activityWatch, "{\"buckets\": {\(window)[\(event)]}}}"),
        ]
        for (format, text) in files {
            let error = #expect(throws: ImportError.self) { try format.parse(Array(text.utf8)) }
            #expect(error?.problem == .rawToken, "\(format): \(error?.description ?? "taken")")
            #expect(error?.description.contains("token:AAAA") == true)
        }
        let row = KnowledgeC.Row(
            id: 7, stream: KnowledgeC.usageStream, app: "token:AAAA", start_s: 1, end_s: 2)
        let error = #expect(throws: ImportError.self) { try KnowledgeC.parse([row]) }
        #expect(error?.problem == .rawToken && error?.line == 7)
        // What an app calls itself is no name of a subject.
        let named = #"{"at_ms":1,"kind":"focus","app":"x","app_name":"token: the game"}"# + "\n"
        #expect(throws: Never.self) { try ImportFormat.observations.parse(Array(named.utf8)) }
    }

    @Test func secondsSince2001BecomeMilliseconds() throws {
        let file = try KnowledgeC.parse([
            Self.row(1, "com.apple.Safari", 0, 10.0005), Self.row(2, "com.apple.Safari", 4, 12.123),
            Self.row(3, "com.apple.mail", 705_000_000.123, 705_000_001.999),
            Self.row(4, "com.apple.mail", 705_000_000.123, 705_000_001.999), Self.row(5, "x", 1, 1),
            Self.row(6, "com.apple.mail", 1, nil), Self.row(7, "y", 1, 5, "/app/inFocus"),
        ])
        #expect(
            Self.uses(file) == [
                "com.apple.Safari:978307200000-978307212123", "com.apple.mail:1683307200123-1683307201999",
            ])
        #expect(file.counts.rows == 7)
        #expect(file.counts.skipped.values.reduce(0, +) == 3)
    }

    @Test func focusStandsInWhereThereIsNoUsage() throws {
        let file = try KnowledgeC.parse([Self.row(7, "y", 1, 5, "/app/inFocus")])
        #expect(Self.uses(file) == ["y:978307201000-978307205000"])
    }

    @Test func aWrongRowRefusesTheDatabase() {
        let wrong: [(KnowledgeC.Row, ImportError.Problem, String)] = [
            (Self.row(9, nil, 1, 2), .emptyName, "ZVALUESTRING"),
            (Self.row(9, "a", 3, 2), .outOfRange, "ZENDDATE"),
            (Self.row(9, "a", nil, 2), .outOfRange, "ZSTARTDATE"),
            (Self.row(9, "a", -1e9, 2), .outOfRange, "ZSTARTDATE"),
            (Self.row(9, "a", 0, .infinity), .outOfRange, "ZENDDATE"),
            (Self.row(9, "a\u{7}", 0, 1), .controlCharacter, "ZVALUESTRING"),
        ]
        for (row, problem, column) in wrong {
            let error = #expect(throws: ImportError.self) { try KnowledgeC.parse([row]) }
            #expect(error?.problem == problem && error?.column == column && error?.line == 9)
        }
    }

    // MARK: observations

    static func lines(_ text: String) throws(ImportError) -> ImportedFile {
        try ImportFormat.observations.parse(Array(text.utf8))
    }

    @Test func aByteOrderMarkBeforeItIsNoPartOfIt() throws {
        let text = Array("\u{FEFF}{\"at_ms\":9,\"kind\":\"focus\",\"device\":\"b\"}".utf8)
        #expect(ImportFormat.recognise(text) == .observations)
        #expect(try ImportFormat.observations.parse(text).devices.count == 1)
    }

    @Test(arguments: [
        (#""boot_id":"x","boottime_ms":-1"#, "boottime_ms"),
        (#""boot_id":"x","boottime_ms":9223372036854775807"#, "boottime_ms"), (#""app":"""#, "app"),
    ])
    func whatALiveSensorMayNotSayNoFileMay(part: String, column: String) {
        let error = #expect(throws: ImportError.self) {
            try Self.lines(#"{"at_ms":9,"kind":"focus",\#(part),"device":"b"}"#)
        }
        #expect(error?.column == column && error?.line == 1)
    }

    @Test func aLineIsAnObservationWithItsDevice() throws {
        let file = try Self.lines(
            """
            {"at_ms":9,"kind":"focus","device":"b"}
            {"kind":"focus","at_ms":5,"app":"a","app_name":"A","app_categories":["Game"],"device":"b"}

            {"at_ms":1,"kind":"visit","domain":"X.org","device":"a","device_model":"web","more":[1]}
            {"at_ms":1,"kind":"visit","domain":"X.org","device":"a"}
            {"device":"c","observations":[{"at_ms":3,"kind":"unlocked"},{"at_ms":2,"kind":"locked"}]}
            """)
        #expect(file.devices.map(\.name) == ["a", "b", "c"])
        #expect(file.devices.map(\.model) == ["web", nil, nil])
        #expect(file.devices[0].changes == [UsageChange(at: 1, ordinal: 0, .visit("x.org"))])
        #expect(file.devices[1].changes.map(\.kind) == [.focus(.app("a")), .focus(.nothing)])
        #expect(file.devices[1].apps == ["a": ImportedApp(name: "A", categories: ["Game"])])
        #expect(file.devices[2].changes.map(\.kind) == [.locked, .unlocked])
        #expect(file.counts.rows == 6 && file.counts.repeated == 1)
    }

    @Test func aWrongLineRefusesTheFile() {
        let wrong: [(String, ImportError.Problem, Int)] = [
            ("", .emptyFile, 1), ("{\"at_ms\":1,\"kind\":\"alive\"}\n{", .notAnObservation, 2),
            ("\n{\"at_ms\":1,\"kind\":\"sleeping\"}", .notAnObservation, 2),
            ("{\"kind\":\"alive\"}", .notAnObservation, 1),
            ("{\"at_ms\":-1,\"kind\":\"alive\"}", .outOfRange, 1),
            ("{\"at_ms\":1,\"kind\":\"opened\"}", .notAnObservation, 1), ("[]", .notAnObservation, 1),
            ("{\"at_ms\":1,\"kind\":\"focus\",\"app\":\"a\\u0007\"}", .controlCharacter, 1),
            ("{\"at_ms\":1.5,\"kind\":\"alive\"}", .notAnObservation, 1),
        ]
        for (text, problem, line) in wrong {
            let error = #expect(throws: ImportError.self, "\(text)") { try Self.lines(text) }
            #expect(error?.problem == problem && error?.line == line, "\(text): \(error?.description ?? "")")
        }
    }

    // MARK: all

    @Test func aFileShowsWhatItIs() {
        let files: [(String, ImportFormat?)] = [
            ("SQLite format 3\0…", .knowledgeC), (" \n{ \"buckets\" : {}}", .activityWatch),
            ("{\"at_ms\":1}", .observations), ("\u{FEFF}\"panelist\",host,timestamp_ms\n", .webVisits),
            ("id,timestamp_ms,type,package,instance_id\r\n1,", .digitalWellbeing), ("name,age\n", nil),
            ("", nil),
        ]
        for (text, format) in files { #expect(ImportFormat.recognise(Array(text.utf8)) == format, "\(text)") }
    }

    /// Another export of the same phone may number its rows differently.
    @Test(arguments: (0..<200).map { UInt64($0) })
    func otherRowIdsCountNothingTwice(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let rows = (0..<40).map { _ in
            let type = [1, 2, 12, 12, 18, 23, 26].randomElement(using: &chance) ?? 1
            let app = Bool.random(using: &chance) ? "a" : "b"
            return "\(Int.random(in: 1...12, using: &chance)),\(type),\(app),0"
        }
        let shift = Int.random(in: 1...60, using: &chance)
        func changes(_ offset: Int) throws -> [UsageChange] {
            let text = rows.enumerated().map { "\($0.offset + offset),\($0.element)" }.joined(separator: "\n")
            return try DigitalWellbeing.parse(
                Array("id,timestamp_ms,type,package,instance_id\n\(text)\n".utf8)
            ).changes
        }
        let one = try changes(1)
        let both = Set(one + (try changes(1 + shift))).sorted()
        let use = UsageTables.use(of: "x", one, isLive: false)
        let twice = UsageTables.use(of: "x", both, isLive: false)
        #expect(use.uses == twice.uses)
        func marks(_ use: DeviceUse) -> [String] { use.marks.map { "\($0.kind) \($0.at)" }.sorted() }
        #expect(marks(use) == marks(twice))
    }
}
