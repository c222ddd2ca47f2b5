import CSQLite
import Store
import Testing

/// Prints how much of SQLite's own speed is left. Nothing is asserted about time: other work shares the
/// machine.
@Suite(.serialized) struct SpeedTests {
    private static let rows = 50_000
    private static let batch = 100
    private static let table =
        "CREATE TABLE row (id INTEGER PRIMARY KEY, time_ms INTEGER, type TEXT, source TEXT, body BLOB)"
    private static let insert = "INSERT INTO row VALUES (?1, ?2, ?3, ?4, ?5)"
    private static let body = [UInt8](repeating: 0x20, count: 110)

    @Test func bulkInsertAgainstTheRawInterface() throws {
        let clock = ContinuousClock()
        var raws: [Duration] = []
        var ours: [Duration] = []
        for _ in 1...3 {
            let raw = try rawDatabase()
            raws.append(try clock.measure { try insertRaw(raw) })
            let database = try Room().open([Migration(version: 1, name: "rows", sql: Self.table)])
            ours.append(try clock.measure { try insertOurs(database) })
            #expect(try raw.integer("SELECT count(*) FROM row") == Int64(Self.rows))
            #expect(try database.integer("SELECT count(*) FROM row") == Int64(Self.rows))
        }
        report("insert, \(Self.batch) rows a commit", ours: ours.sorted()[1], raw: raws.sorted()[1])
    }

    @Test func appendingEvents() throws {
        let database = try Room().open()
        let log = try EventLog(database, now: 1)
        let took = try ContinuousClock().measure {
            for first in stride(from: 0, to: Self.rows, by: Self.batch) {
                for _ in first..<first + Self.batch {
                    try database.write { _ in
                        _ = try log.append(type: "usage.recorded", time: 1) { _, _ in Self.body }
                    }
                }
                try database.commit()
            }
        }
        let rate = Int(Double(Self.rows) / (took / .seconds(1)))
        print("store: append, one write each, \(Self.batch) a commit: \(rate) events/s")
        #expect(try log.head() == Int64(Self.rows))
    }

    private func report(_ what: String, ours: Duration, raw: Duration) {
        let rate = Int(Double(Self.rows) / (ours / .seconds(1)))
        let percent = Int((raw / ours * 100).rounded())
        print("store: \(what): \(rate) rows/s, \(percent) % of raw SQLite in the same run")
    }

    private func rawDatabase() throws -> RawDatabase {
        let room = try Room()
        let raw = try RawDatabase(room.path)
        try raw.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \(Self.table)")
        raw.room = room
        return raw
    }

    private func insertOurs(_ database: Database) throws {
        for first in stride(from: 0, to: Self.rows, by: Self.batch) {
            try database.write { inner in
                let statement = try inner.prepare(Self.insert)
                for id in first..<first + Self.batch {
                    try statement.bind(1, Int64(id))
                    try statement.bind(2, 1_700_000_000_000 as Int64)
                    try statement.bind(3, "usage.recorded")
                    try statement.bind(4, "activity-center")
                    try statement.bind(5, Self.body)
                    try statement.run()
                }
            }
            try database.commit()
        }
    }

    private func insertRaw(_ raw: RawDatabase) throws {
        let statement = try raw.prepare(Self.insert)
        defer { sqlite3_finalize(statement) }
        for first in stride(from: 0, to: Self.rows, by: Self.batch) {
            try raw.execute("BEGIN IMMEDIATE")
            for id in first..<first + Self.batch {
                sqlite3_bind_int64(statement, 1, Int64(id))
                sqlite3_bind_int64(statement, 2, 1_700_000_000_000)
                // Null destructor: SQLITE_STATIC. The literals are never freed, the array lives until the row
                // is stepped.
                sqlite3_bind_text(statement, 3, Self.type.text, 14, nil)
                sqlite3_bind_text(statement, 4, Self.source.text, 15, nil)
                Self.body.withUnsafeBytes { bytes in
                    sqlite3_bind_blob(statement, 5, bytes.baseAddress, 110, nil)
                    sqlite3_step(statement)
                }
                sqlite3_reset(statement)
            }
            try raw.execute("COMMIT")
        }
    }

    private static let type: StaticString = "usage.recorded"
    private static let source: StaticString = "activity-center"
}

extension StaticString {
    fileprivate var text: UnsafePointer<CChar> {
        UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
