import Foundation
@testable import Schedules
import Testing
import Units

/// Time zones as they are read from the system's data.
struct ZoneDataTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "offsets.py").path

    private static func output(of arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }

    /// Python reads the same files with code of its own. Instants of six centuries, and both sides of
    /// changes.
    @Test func everyZoneHasTheOffsetsThatPythonReads() throws {
        let seed = UInt32.random(in: 0...UInt32.max)
        var zones: [String: Zone] = [:]
        var count = 0
        for line in try Self.output(of: [Self.script, String(seed)]).split(separator: "\n") {
            let parts = line.split(separator: " ")
            let name = String(parts[0])
            let second = try #require(Int64(parts[1]))
            let zone = try zones[name] ?? Zone(name)
            zones[name] = zone
            let offset = zone.offset(at: Instant(.seconds(second)))
            #expect(offset == .seconds(try #require(Int64(parts[2]))), "\(line), seed \(seed)")
            count += 1
        }
        #expect(zones.count > 300 && count > 40 * zones.count, "\(zones.count) zones, \(count) instants")
    }

    @Test func onlyNamesOfZonesAreZones() throws {
        let names = [
            "Europe/../Europe/Berlin", "../zoneinfo/Europe/Berlin", "/usr/share/zoneinfo/Europe/Berlin",
            "posix/Europe/Berlin", "right/Europe/Berlin", "localtime", "Europe", "europe/berlin",
            "Europe/Berlin\0", "Europe//Berlin", "Europe/Berlin/",
            "GMT+1900", "GMT+0160", "GMT+01:00", "GMT++100", "GMT+١٢٣٤",
            "CET-1CEST,M3.5.0,M10.5.0/3", String(repeating: "A", count: 5000),
        ]
        for name in names {
            #expect(throws: CivilTimeError.unknownZone(name)) { try Zone(name) }
        }
    }

    @Test func fixedOffsetsHaveFoundationsNames() throws {
        for seconds in [3 * 3600, -(5 * 3600 + 1800), 18 * 3600, -12 * 3600] {
            let name = try #require(TimeZone(secondsFromGMT: seconds)).identifier
            #expect(try Zone(name).offset(at: .epoch) == .seconds(Int64(seconds)), "\(name)")
        }
        #expect(try Zone("UTC").offset(at: .epoch) == .zero && Zone("GMT").offset(at: .epoch) == .zero)
    }

    /// A TZif file of version 2 whose two blocks are equal but for the width of a time.
    private static func file(
        changes: [(Int64, UInt8)] = [], offsets: [Int32], footer: String, leap: Int = 0
    ) -> [UInt8] {
        func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }
        func block(_ time: (Int64) -> [UInt8], _ leapBytes: Int) -> [UInt8] {
            let counts = [0, 0, leap, changes.count, offsets.count, 4].flatMap { bytes(Int32($0)) }
            return Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + counts
                + changes.flatMap { time($0.0) } + changes.map(\.1) + offsets.flatMap { bytes($0) + [0, 0] }
                + Array("LMT\0".utf8) + [UInt8](repeating: 0, count: leap * leapBytes)
        }
        return block({ bytes(Int32(truncatingIfNeeded: $0)) }, 8) + block({ bytes($0) }, 12)
            + Array("\n\(footer)\n".utf8)
    }

    @Test func rulesOfAllFormsAreRead() throws {
        func offset(_ footer: String, _ date: String, _ time: Int64) throws -> Int? {
            let midnight = try #require(LocalDate(date)).dayNumber
            return ZoneRules(Self.file(offsets: [0], footer: footer))?
                .offset(at: Int64(midnight) * 86_400 + time)
        }
        #expect(try offset("", "2026-06-01", 0) == 0)
        #expect(try offset("<-0330>3:30", "2026-06-01", 0) == -12_600)
        // Day 60 is 1 March with and without a leap day, or by its number from 0, 29 February in a leap year.
        for (rule, year, first) in [
            ("J60", "2028", "03-01"), ("J60", "2027", "03-01"), ("59", "2028", "02-29"),
            ("59", "2027", "03-01"),
        ] {
            let footer = "AAA0BBB,\(rule)/0,J365/25"
            let begin = Int64(try #require(LocalDate("\(year)-\(first)")).dayNumber) * 86_400
            let rules = try #require(ZoneRules(Self.file(offsets: [0], footer: footer)))
            #expect(rules.offset(at: begin - 1) == 0 && rules.offset(at: begin) == 3600, "\(rule) of \(year)")
        }
        // All of the year, as RFC 9636 writes it.
        for date in ["2026-01-01", "2026-07-01", "2026-12-31"] {
            #expect(try offset("EST5EDT,0/0,J365/25", date, 18_000) == -14_400)
        }
        // The last Sunday of December, a negative time, and one of a week.
        #expect(try offset("AAA0BBB,M12.5.0/-1,M1.1.0", "2026-12-26", 23 * 3600 - 1) == 0)
        #expect(try offset("AAA0BBB,M12.5.0/-1,M1.1.0", "2026-12-26", 23 * 3600) == 3600)
        #expect(try offset("AAA0BBB,M6.1.0/167,M7.1.0", "2026-06-13", 23 * 3600) == 3600)
        #expect(try offset("AAA0BBB,M6.1.0/167,M7.1.0", "2026-06-13", 23 * 3600 - 1) == 0)
        // Far away the calendar goes on.
        let far = try #require(ZoneRules(Self.file(offsets: [0], footer: "AAA0BBB,M3.5.0,M10.5.0")))
        let cycle: Int64 = 146_097 * 86_400
        for second in stride(from: Int64(0), to: 31_536_000, by: 86_400 * 7) {
            #expect(far.offset(at: second + 250 * cycle) == far.offset(at: second))
            #expect(far.offset(at: second - 250 * cycle) == far.offset(at: second))
        }
        for wrong in [
            "A0", "AAA", "AAA0BBB", "AAA0BBB,M3.5.0", "AAA0BBB,M13.1.0,M1.1.0", "AAA0BBB,M3.6.0,M1.1.0",
            "AAA0BBB,M3.1.7,M1.1.0", "AAA0BBB,J0,J1", "AAA0BBB,366,1", "AAA168", "AAA0:60", "<AAA0", "AAA0 ",
        ] {
            #expect(ZoneRules(Self.file(offsets: [0], footer: wrong)) == nil, "\(wrong)")
        }
    }

    @Test func damagedFilesAreRefused() throws {
        let good = Self.file(changes: [(0, 1), (100, 0)], offsets: [0, 3600], footer: "AAA0")
        #expect(ZoneRules(good)?.offset(at: 50) == 3600)
        for count in good.indices { #expect(ZoneRules(Array(good[..<count])) == nil, "\(count) bytes") }
        #expect(ZoneRules(Self.file(changes: [(100, 1), (0, 0)], offsets: [0, 3600], footer: "AAA0")) == nil)
        #expect(ZoneRules(Self.file(changes: [(0, 2)], offsets: [0, 3600], footer: "AAA0")) == nil)
        #expect(ZoneRules(Self.file(offsets: [], footer: "AAA0")) == nil)
        #expect(ZoneRules(Self.file(offsets: [100_000], footer: "AAA0")) == nil)
        #expect(ZoneRules(Self.file(offsets: [0], footer: "AAA0", leap: 1)) == nil)
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        var chance = Chance(seed: seed)
        for _ in 0..<20_000 {
            var file = good
            for _ in 0..<Int.random(in: 1...4, using: &chance) {
                file[Int.random(in: file.indices, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
            }
            // It is refused, or has a sane offset everywhere; it never traps.
            for second in [Int64.min / 4, -1, 0, 50, 100, Int64.max / 4] {
                let offset = ZoneRules(file)?.offset(at: second) ?? 0
                #expect(abs(offset) < 8 * 86_400, "seed \(seed)")
            }
        }
    }

    @Test func aZoneIsReadOnce() throws {
        try withDirectory { directory in
            let place = directory.appending(path: "Here")
            for offset in [3600, 7200] as [Int32] {
                try Data(Self.file(offsets: [offset], footer: "")).write(to: place, options: .atomic)
                #expect(ZoneFiles.rules("Here", in: directory.path)?.offset(at: 0) == 3600)
            }
            #expect(ZoneFiles.rules("There", in: directory.path) == nil)
        }
    }

    @Test func aCopyOfAFileIsFoundByItsContent() throws {
        try withDirectory { directory in
            let files = ["Asia/Tokyo": 9, "Asia/Seoul": 9, "Japan": 9, "Etc/GMT-9": 8, "lower/Tokyo": 9]
            for (name, hours) in files {
                let place = directory.appending(path: name)
                try FileManager.default.createDirectory(
                    at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                let footer = name == "Asia/Seoul" ? "KST-9" : "JST-9"
                try Data(Self.file(offsets: [Int32(hours) * 3600], footer: footer)).write(to: place)
            }
            let bytes = Self.file(offsets: [32_400], footer: "JST-9")
            #expect(ZoneFiles.name(of: bytes, in: directory.path) == "Asia/Tokyo")
            #expect(ZoneFiles.name(of: bytes + [0], in: directory.path) == nil)
        }
        let berlin = try #require(ZoneFiles.contents("/usr/share/zoneinfo/Europe/Berlin"))
        let found = try #require(ZoneFiles.name(of: berlin))
        #expect(ZoneFiles.contents("/usr/share/zoneinfo/" + found) == berlin)
    }

    private func withDirectory(_ body: (URL) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "zones-\(UInt64.random(in: 0...UInt64.max))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        // Nothing else is made in it.
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(directory)
    }
}
