import Units
import Schedules
import Contract
import Domains
import Testing

@testable import Rules

/// Visits of web pages as CSV.
struct ImportVisitsTests {
    static let header = "panelist,timestamp_ms,host,device\n"

    static func parse(_ rows: String) throws(ImportError) -> ImportedFile {
        try ImportFormat.webVisits.parse(Array((header + rows).utf8))
    }

    /// `host:milliseconds` by host of one panelist.
    static func totals(_ file: ImportedFile, _ panelist: String) -> [String: Milliseconds] {
        guard let device = file.devices.first(where: { $0.name == panelist }) else { return [:] }
        let use = UsageTables.use(of: panelist, device.changes, isLive: false)
        return Dictionary(uniqueKeysWithValues: use.uses.map { ($0.key.id, $0.value.total) })
    }

    @Test func aVisitLastsUntilThePanelistsNextOneOrFiveMinutes() throws {
        let file = try Self.parse(
            """
            p,1000,A.org,mobile
            q,1500,c.org,mobile
            p,2000,b.org,desktop
            p,302000,,mobile
            p,302500,10.0.0.1,mobile
            p,902500,a.org,mobile
            p,902600,a.org,mobile
            q,1600,d.org,mobile

            """)
        #expect(file.devices.map(\.name) == ["p", "q"])
        #expect(
            Self.totals(file, "p")
                == ["a.org": 1_100, "b.org": 300_000, "": 500, "10.0.0.1": 300_000])
        #expect(Self.totals(file, "q") == ["c.org": 100])
        #expect(file.counts.rows == 8)
    }

    @Test func aHostIsTakenInItsOneSpelling() throws {
        let file = try Self.parse(
            """
            p,1000,Example.ORG.,mobile
            p,2000,bücher.de,mobile
            p,3000,https://u:p@Example.org:443/a?b#c,mobile
            p,4000,xn--bcher-kva.de,mobile
            p,5000,[::1],mobile
            p,6000,,mobile

            """)
        #expect(
            Self.totals(file, "p")
                == ["example.org": 2_000, "xn--bcher-kva.de": 2_000, "::1": 1_000])
    }

    @Test func ofVisitsInOneMillisecondTheLastRowCounts() throws {
        let file = try Self.parse("p,10,z.org,x\np,10,a.org,x\np,10,m.org,x\np,40,b.org,x\n")
        #expect(Self.totals(file, "p") == ["m.org": 30])
    }

    @Test(arguments: (0..<50).map { UInt64($0) })
    func theOrderOfRowsAndPiecesMeanNothing(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        var at: Instant = 0
        let rows = (0..<60).map { _ in
            at += Milliseconds.random(in: 1...400_000, using: &chance)
            return "p,\(at),\(["a.org", "b.org", ""].randomElement(using: &chance) ?? ""),x"
        }
        let whole = try Self.parse(rows.joined(separator: "\n"))
        let shuffled = try Self.parse(rows.shuffled(using: &chance).joined(separator: "\n"))
        #expect(whole.devices == shuffled.devices)
        // Rows of two files, imported together, give the same as one file.
        let isFirst = rows.map { _ in Bool.random(using: &chance) }
        let pieces = try [true, false].map { side in
            try Self.parse(zip(rows, isFirst).filter { $0.1 == side }.map(\.0).joined(separator: "\n"))
        }
        let together = pieces.flatMap { $0.devices.flatMap(\.changes) }.sorted()
        #expect(together == whole.devices.flatMap(\.changes))
    }

    @Test(arguments: [
        ("p,1,a.org\n", ImportError.Problem.fieldCount, 2, nil),
        ("p,soon,a,x\n", .notANumber, 2, "timestamp_ms"),
        ("p,1,a,x\n,2,a,x\n", .emptyName, 3, "panelist"), ("p,-1,a,x\n", .outOfRange, 2, "timestamp_ms"),
        ("p,1,a\u{1}b,x\n", .controlCharacter, 2, "host"), ("p,1", .truncated, 2, nil),
        ("p,1,a.org,x\np,2,exa%00mple..com/<b>,x\n", .notAHost, 3, "host"),
        ("p,1,a b,x\n", .notAHost, 2, "host"),
        ("p,1,https://exa mple.com/,x\n", .notAHost, 2, "host"),
        ("p,1,\(String(repeating: "h", count: 513)),x\n", .outOfRange, 2, "host"),
    ])
    func aWrongRowRefusesTheFile(row: String, problem: ImportError.Problem, line: Int, column: String?) {
        let error = #expect(throws: ImportError.self) { try Self.parse(row) }
        #expect(
            error?.problem == problem && error?.line == line && error?.column == column,
            "\(error?.description ?? "")")
    }

    @Test func theHeaderNamesTheColumns() throws {
        let file = try ImportFormat.webVisits.parse(
            Array("host,x,timestamp_ms,panelist\na.org,1,2,p\n\"b.org\",1,5,p".utf8))
        #expect(Self.totals(file, "p") == ["a.org": 3])
        let error = #expect(throws: ImportError.self) {
            try ImportFormat.webVisits.parse(Array("host,panelist\n".utf8))
        }
        #expect(error?.problem == .missingColumn && error?.column == "timestamp_ms")
    }

    @Test(.enabled(if: SharedData.has("web-visits/visits.csv"), SharedData.absence))
    func thePanelistsDaysAreRightToTheMillisecond() throws {
        let file = try ImportFormat.webVisits.parse(try SharedData.bytes("web-visits/visits.csv"))
        let list = try #require(RegistrableDomains())
        var found: [String: Int64] = [:]
        for zoneName in ["UTC", "America/New_York", "America/Los_Angeles"] {
            let zone = try Zone(zoneName)
            for device in file.devices {
                let name = try #require(device.name)
                let use = UsageTables.use(of: name, device.changes, isLive: false)
                var folded = DeviceUse(device: name)
                for (subject, time) in use.uses {
                    let domain = Subject.domain(list.registrable(subject.id))
                    folded.uses[domain] = (folded.uses[domain] ?? IntervalSet()).union(time)
                }
                let segments = zone.segments(
                    .daily, from: zone.date(at: device.changes[0].at),
                    through: zone.date(at: device.changes[device.changes.count - 1].at))
                for row in Totals.durations(of: [folded], by: .domain, in: segments.map(\.interval)) {
                    found["\(zoneName),\(name),\(segments[row.segment].label),\(row.key)"] = row.value
                }
            }
        }
        let text = String(decoding: try SharedData.bytes("web-visits/expected.csv"), as: UTF8.self)
        var expected: [String: Int64] = [:]
        for line in text.split(whereSeparator: \.isNewline).dropFirst() {
            let comma = try #require(line.lastIndex(of: ","))
            expected[String(line[..<comma])] = Int64(line[line.index(after: comma)...])
        }
        #expect(found == expected)
        #expect(found.count == 4_354)
    }
}
