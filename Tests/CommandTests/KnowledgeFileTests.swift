import CSQLite
import CommandKit
import Contract
import Rules
import Foundation
import Testing

@testable import CommandCore

/// A malicious knowledgeC.db: it is refused with a reason, or read without executing its content.
@Suite(.timeLimit(.minutes(2))) struct KnowledgeFileTests {
    private static let columns =
        "Z_PK INTEGER PRIMARY KEY, ZSTREAMNAME VARCHAR, ZVALUESTRING VARCHAR, ZSTARTDATE TIMESTAMP, "
        + "ZENDDATE TIMESTAMP"
    private static let table = "CREATE TABLE ZOBJECT (\(columns));"
    private static let row = "INSERT INTO ZOBJECT VALUES (1, '/app/usage', 'com.apple.Safari', 1000, 2000);"

    private static func inDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
        let directory = NSTemporaryDirectory() + "/knowledge-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }  // Only tidies up.
        return try body(directory)
    }

    private static func make(_ path: String, _ script: String) throws -> OpaquePointer? {
        var handle: OpaquePointer?
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        var message: UnsafeMutablePointer<CChar>?
        let code = sqlite3_exec(handle, script, nil, nil, &message)
        try #require(code == SQLITE_OK, "\(message.map { String(cString: $0) } ?? "")")
        return handle
    }

    private static func rows(_ script: String) throws -> [KnowledgeC.Row] {
        try inDirectory { directory in
            sqlite3_close(try make(directory + "/k.db", script))
            return try read(directory + "/k.db")
        }
    }

    private static func read(_ path: String) throws -> [KnowledgeC.Row] {
        try KnowledgeFile.rows(path, InputFile.whole(path, bytesMax: 1 << 24, remedy: ""))
    }

    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        + "SELECT i AS Z_PK, '/app/usage' AS ZSTREAMNAME, 'a' AS ZVALUESTRING, i AS ZSTARTDATE, "
        + "i AS ZENDDATE FROM n"

    /// The schema, and the expected error.
    static let hostile: [(script: String, says: String)] = [
        ("CREATE VIEW ZOBJECT AS \(endless);", "no table"),
        (
            "CREATE VIEW ZOBJECT AS SELECT 1 AS Z_PK, '/app/usage' AS ZSTREAMNAME, hex(zeroblob(900000000)) "
                + "AS ZVALUESTRING, 1 AS ZSTARTDATE, 2 AS ZENDDATE;", "no table"
        ),
        ("CREATE VIRTUAL TABLE ZOBJECT USING fts5(ZSTREAMNAME, ZVALUESTRING);", "no table"),
        ("CREATE TABLE other (a);", "it has no table ZOBJECT"),
        (
            "CREATE TABLE ZOBJECT (Z_PK INTEGER PRIMARY KEY, ZSTREAMNAME AS ('/app/usage'), "
                + "ZVALUESTRING AS (hex(zeroblob(400000000))), ZSTARTDATE, ZENDDATE);"
                + "INSERT INTO ZOBJECT (ZSTARTDATE, ZENDDATE) VALUES (1, 2);", "generated column"
        ),
        (
            "\(table) INSERT INTO ZOBJECT VALUES (1, '/app/usage', hex(zeroblob(4000)), 1, 2);",
            "a name in it has"
        ),
        (
            "\(table) INSERT INTO ZOBJECT VALUES (1, '/app/usage', zeroblob(2000000), 1, 2);", "too big"
        ),
        ("CREATE TABLE ZOBJECT (a);", "no such column"),
    ]

    @Test(arguments: hostile) func whatIsNoTableIsRefused(script: String, says: String) throws {
        let error = #expect(throws: CommandError.self) { try Self.rows(script) }
        #expect(
            error?.code == ExitCode.badData && error?.message.contains(says) == true,
            "\(error?.message ?? "")")
    }

    /// Beside a good table these have no effect.
    static let harmless: [String] = [
        "CREATE VIEW v AS \(endless);",
        "CREATE TRIGGER t AFTER INSERT ON ZOBJECT BEGIN DELETE FROM ZOBJECT; END;",
        "CREATE INDEX i ON ZOBJECT (ZSTREAMNAME) WHERE ZSTREAMNAME = 'none';",
        "CREATE INDEX i ON ZOBJECT (hex(ZVALUESTRING));", "CREATE VIRTUAL TABLE f USING fts5(a);",
        "CREATE TABLE o (a CHECK (length(hex(zeroblob(100000))) > 0)); INSERT INTO o VALUES (1);",
        "CREATE TABLE g (a, b AS (hex(zeroblob(100000)))); INSERT INTO g VALUES (1);",
    ]

    @Test(arguments: harmless) func theRestOfTheSchemaDoesNotRun(script: String) throws {
        let rows = try Self.rows(Self.table + Self.row + script)
        #expect(rows.map(\.app) == ["com.apple.Safari"])
    }

    @Test func aLargeOneIsReadWithinItsSteps() throws {
        let count = 60_000
        let fill =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) "
            + "INSERT INTO ZOBJECT SELECT i, '/app/usage', 'a', i, i + 1 FROM n;"
        #expect(try Self.rows(Self.table + fill).count == count)
    }

    /// A database whose pages refer to each other in a circle ends by its steps.
    @Test func damagedPagesAreRefused() throws {
        try Self.inDirectory { directory in
            let path = directory + "/k.db"
            sqlite3_close(try Self.make(path, Self.table + Self.row))
            let whole = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
            let seed = UInt64.random(in: 0...UInt64.max)
            print("KnowledgeFileTests.damagedPagesAreRefused: seed \(seed)")
            var state = seed
            for _ in 0..<300 {
                var bytes = whole
                for _ in 0..<4 {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 13)
                }
                do { _ = try KnowledgeFile.rows(path, bytes) } catch {
                    #expect((error as? CommandError)?.code == ExitCode.badData)
                }
            }
            for length in [0, 1, 99, 100, 4_000, 4_096, 5_000] {
                #expect(throws: CommandError.self) {
                    try KnowledgeFile.rows(path, Array(whole.prefix(length)))
                }
            }
        }
    }

    // MARK: the log

    @Test func theLogIsReadAndNothingIsWritten() throws {
        try Self.inDirectory { directory in
            let path = directory + "/k.db"
            let handle = try Self.make(
                path, "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;" + Self.table + Self.row)
            defer { sqlite3_close(handle) }
            #expect(try Self.read(path).map(\.id) == [1])
            let more =
                "INSERT INTO ZOBJECT VALUES (2, '/app/usage', 'b', 1, 2); BEGIN; "
                + "INSERT INTO ZOBJECT VALUES (3, '/app/usage', 'c', 1, 2);"
            #expect(sqlite3_exec(handle, more, nil, nil, nil) == SQLITE_OK)
            #expect(try Self.read(path).map(\.id) == [1, 2], "what is not committed is not there")
            let before = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
            var log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
            #expect(try Self.read(path).count == 2)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == before)
            // The last frames are broken: SQLite goes as far as the checksums do.
            log[log.count - 1] ^= 1
            var image = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
            #expect(KnowledgeLog.apply([UInt8](log), to: &image, bytesMax: 1 << 24))
            #expect(!KnowledgeLog.apply([UInt8](log), to: &image, bytesMax: 4_096))
        }
    }

    /// Each commit contains the size of the database, and may change it each time: the work is proportional
    /// to the log's own length.
    @Test(.timeLimit(.minutes(1))) func aLogOfManyCommitsCostsWhatItsBytesCost() {
        let pages = (64 << 20) / 512
        var log = MadeLog()
        for number in 0..<20_000 {
            let size = number % 2 == 0 ? pages : 1
            log.commit(page: 1 + number % 4, pagesCount: size, byte: UInt8(number % 251))
        }
        log.commit(page: 3, pagesCount: 5, byte: 7)
        var image = [UInt8](repeating: 9, count: 512)
        #expect(KnowledgeLog.apply(log.bytes, to: &image, bytesMax: 64 << 20))
        #expect(image.count == 5 * 512)
        // Pages 1, 2 and 4 are from commits 19,996, 19,997 and 19,999; page 5 was never written.
        let newest: [UInt8] = [167, 168, 7, 170, 0]
        #expect((0..<5).map { image[$0 * 512 + 511] } == newest)
    }

    @Test func aLogThatIsNoneIsPassedOver() {
        var image: [UInt8] = [1, 2, 3]
        for log in [[], [UInt8](repeating: 0, count: 31), [UInt8](repeating: 0xFF, count: 10_000)] {
            #expect(KnowledgeLog.apply(log, to: &image, bytesMax: 100) && image == [1, 2, 3])
        }
    }
}

/// A write-ahead log of pages of 512 bytes, made frame by frame.
private struct MadeLog {
    private(set) var bytes: [UInt8]
    private var checksum: (UInt32, UInt32) = (0, 0)
    private static let salts: [UInt32] = [11, 12]

    init() {
        bytes = Self.bytes([0x377F_0682, 3_007_000, 512, 0] + Self.salts)
        add(bytes[...])
        bytes += Self.bytes([checksum.0, checksum.1])
    }

    mutating func commit(page: Int, pagesCount: Int, byte: UInt8) {
        let head = Self.bytes([UInt32(page), UInt32(pagesCount)])
        let content = [UInt8](repeating: byte, count: 512)
        add(head[...])
        add(content[...])
        bytes += head + Self.bytes(Self.salts + [checksum.0, checksum.1]) + content
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { bytes in
            for at in stride(from: 0, to: bytes.count, by: 8) {
                let one = bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)
                let two = bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)
                checksum.0 &+= UInt32(littleEndian: one) &+ checksum.1
                checksum.1 &+= UInt32(littleEndian: two) &+ checksum.0
            }
        }
    }

    private static func bytes(_ numbers: [UInt32]) -> [UInt8] {
        numbers.flatMap { number in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
        }
    }
}
