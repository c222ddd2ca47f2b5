import CSQLite
import Glibc
import Store
import Testing

@Suite struct StatementTests {
    @Test func everyValueComesBackAsItWas() throws {
        let database = try Room().open()
        try database.run("CREATE TABLE t (i, r, s, b, e, z, n, yes)")
        let text = "h\u{e4}\0\u{1F600}"
        try database.run(
            "INSERT INTO t VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            Int64.min, 0.1, text, [0, 255] as [UInt8], "", [] as [UInt8], nil, true)
        let found: Void? = try database.first("SELECT *, typeof(e), typeof(z) FROM t") { row in
            #expect(row.int64(0) == .min)
            #expect(row.double(1) == 0.1)
            #expect(row.text(2) == text)
            #expect(row.bytes(3) == [0, 255])
            #expect(row.text(4) == "" && !row.isNull(4))
            #expect(row.bytes(5) == [] && !row.isNull(5))
            #expect(row.isNull(6) && row.text(6) == "" && row.bytes(6) == [] && row.int64(6) == 0)
            #expect(row.int64(7) == 1)
            #expect((row.text(8), row.text(9)) == ("text", "blob"))
        }
        #expect(found != nil)
    }

    @Test func twoUsersOfOneTextDoNotShareBindings() throws {
        let database = try Room().open()
        let outer = try database.prepare("SELECT ?1")
        try outer.bind(1, Int64(1))
        #expect(try database.first("SELECT ?1", 2) { $0.int64(0) } == 2)
        #expect(try outer.step())
        #expect(outer.int64(0) == 1)
    }

    @Test func aStatementTakenAgainHasNoOldBindings() throws {
        let database = try Room().open()
        try database.run("SELECT ?1", 1)
        #expect(try database.first("SELECT ?1") { $0.isNull(0) } == true)
    }

    /// A reader left on a row would make the next batch see an old state, and fail.
    @Test func queriesDoNotStayOnARow() throws {
        struct Stop: Error {}
        let room = try Room()
        let database = try room.open()
        for text in ["a", "b"] { try database.write { try $0.note(text) } }
        try database.commit()
        #expect(try database.first("SELECT text FROM note") { $0.text(0) } == "a")
        #expect(throws: Stop.self) { try database.each("SELECT text FROM note") { _ in throw Stop() } }
        try RawDatabase(room.path).execute("INSERT INTO note (text) VALUES ('from outside')")
        try database.write { try $0.note("c") }
        try database.commit()
        #expect(try database.notes == ["a", "b", "from outside", "c"])
    }

    @Test(arguments: ["SELEC 1", "", "SELECT 1; SELECT 2", "SELECT ?1"]) func badStatementsAreMisuse(
        sql: String
    ) throws {
        let database = try Room().open()
        let error = try #require(throws: StoreError.self) {
            if sql == "SELECT ?1" { try database.run(sql, 1, 2) } else { try database.run(sql) }
        }
        #expect(error.kind == .misuse)
        #expect(error.sql == sql)
        #expect(!error.remedy.isEmpty)
    }

    @Test func aStatementMayOutliveItsDatabaseObject() throws {
        let room = try Room()
        let statement = try room.open().prepare("SELECT 1")
        #expect(try room.openingError().kind == .locked)
        #expect(try statement.step())
    }

    private static let shortage = SQLITE_IOERR | 3 << 8
    private static let codes: [(Int32, Int32, StoreError.Kind)] = [
        (SQLITE_FULL, 0, .full), (shortage, EDQUOT, .full), (shortage, ENOSPC, .full), (shortage, EIO, .io),
        (SQLITE_CORRUPT, 0, .damaged), (SQLITE_NOTADB, 0, .damaged), (SQLITE_BUSY, 0, .busy),
        (SQLITE_READONLY, 0, .io), (SQLITE_RANGE, 0, .misuse),
    ]

    @Test(arguments: codes) func codesBecomeKinds(code: Int32, system: Int32, kind: StoreError.Kind) {
        #expect(StoreError.Kind(sqliteCode: code, systemError: system) == kind)
    }
}
