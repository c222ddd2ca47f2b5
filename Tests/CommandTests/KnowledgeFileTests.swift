import CSQLite
import Contract
import Engine
import Foundation
import Testing

@testable import CommandCore

/// A knowledgeC.db that somebody made to harm: it is refused by name, or read without running what is in it.
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

    /// What the schema is, and what the refusal says.
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

    @Test func aLogThatIsNoneIsPassedOver() {
        var image: [UInt8] = [1, 2, 3]
        for log in [[], [UInt8](repeating: 0, count: 31), [UInt8](repeating: 0xFF, count: 10_000)] {
            #expect(KnowledgeLog.apply(log, to: &image, bytesMax: 100) && image == [1, 2, 3])
        }
    }
}
