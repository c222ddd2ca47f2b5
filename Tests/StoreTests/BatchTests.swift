import CSQLite
import Store
import Testing

@Suite struct BatchTests {
    private struct Refused: Error, Equatable {}

    /// Frames in the log: every commit adds at least one, and syncs.
    private func commitFrames(_ room: Room) throws -> Int {
        let log = try bytes(of: room.log)
        var commits = 0
        for start in stride(from: 32, to: log.count - 4119, by: 4120)
        where log[start + 4..<start + 8] != [0, 0, 0, 0] {
            commits += 1
        }
        return commits
    }

    @Test func threeWritesAreOneCommit() throws {
        let room = try Room()
        let database = try room.open()
        let before = try commitFrames(room)
        #expect(!database.batchIsOpen)
        for text in ["a", "b", "c"] { try database.write { try $0.note(text) } }
        #expect(database.batchIsOpen)
        #expect(database.writesWaiting == 3)
        #expect(try commitFrames(room) == before)
        let outside = try RawDatabase(room.path)
        #expect(try outside.integer("SELECT count(*) FROM note") == 0)
        try database.commit()
        #expect(!database.batchIsOpen)
        #expect(try commitFrames(room) == before + 1)
        #expect(try outside.integer("SELECT count(*) FROM note") == 3)
    }

    @Test func aFailingWriteIsUndoneAlone() throws {
        let room = try Room()
        let database = try room.open()
        try database.write { try $0.note("a") }
        #expect(throws: Refused()) {
            try database.write {
                try $0.note("b")
                throw Refused()
            }
        }
        let error = #expect(throws: StoreError.self) {
            try database.write {
                try $0.note("c")
                try $0.note("a")
            }
        }
        #expect(error?.kind == .constraint)
        #expect(error?.sqliteCode == 2067, "SQLITE_CONSTRAINT_UNIQUE")
        try database.write { try $0.note("d") }
        try database.commit()
        #expect(try database.notes == ["a", "d"])
    }

    @Test func aWriteInsideAWriteIsPartOfIt() throws {
        let database = try Room().open()
        #expect(throws: Refused()) {
            try database.write {
                try $0.note("outer")
                try $0.write { try $0.note("inner") }
                throw Refused()
            }
        }
        try database.write { outer in
            try outer.note("kept")
            #expect(throws: Refused()) {
                try outer.write { inner in
                    try inner.note("inner")
                    throw Refused()
                }
            }
        }
        #expect(database.writesWaiting == 1)
        try database.commit()
        #expect(try database.notes == ["kept"])
    }

    @Test func rollbackDropsTheBatch() throws {
        let database = try Room().open()
        try database.write { try $0.note("a") }
        try database.rollback()
        #expect(!database.batchIsOpen)
        try database.write { try $0.note("b") }
        try database.commit()
        #expect(try database.notes == ["b"])
    }

    @Test func commitWithoutABatchDoesNothing() throws {
        let database = try Room().open()
        try database.commit()
        try database.rollback()
    }

    @Test func commitInsideAWriteIsMisuse() throws {
        let database = try Room().open()
        try database.write { inner in
            let commit = #expect(throws: StoreError.self) { try inner.commit() }
            #expect(commit?.kind == .misuse)
            let rollback = #expect(throws: StoreError.self) { try inner.rollback() }
            #expect(rollback?.kind == .misuse)
            try inner.note("kept")
        }
        try database.commit()
        #expect(try database.notes == ["kept"])
    }

    /// A transaction that ends inside of a write is what SQLite does by itself on some I/O errors: from then
    /// on nothing of the batch may look like a success, even if the body has swallowed the error.
    @Test(arguments: [true, false]) func aLostTransactionFailsTheWholeBatch(swallow: Bool) throws {
        let database = try Room().open()
        try database.write { try $0.note("a") }
        let first = try #require(throws: StoreError.self) {
            try database.write { inner in
                try inner.note("b")
                try inner.run("ROLLBACK")
                #expect(throws: StoreError.self) { try inner.note("would commit by itself") }
                #expect(throws: StoreError.self) { try inner.write { try $0.note("would commit by itself") } }
                if !swallow { throw Refused() }
            }
        }
        #expect(first.message.contains("all 2 writes"), "\(first)")
        #expect(throws: first) { try database.write { try $0.note("c") } }
        #expect(throws: first) { try database.commit() }
        try database.write { try $0.note("d") }
        try database.commit()
        #expect(try database.notes == ["d"])
    }

    /// The statement's own error is thrown, even if the body ignores it; the next loss has its own reason.
    @Test func aLostBatchTellsItsOwnReason() throws {
        let database = try Room().open()
        try database.write { try $0.note("a") }
        for (sql, kind) in [
            ("INSERT OR ROLLBACK INTO note (text) VALUES ('a')", StoreError.Kind.constraint),
            ("ROLLBACK", .misuse),
        ] {
            let error = try #require(throws: StoreError.self) {
                try database.write { inner throws(any Error) in
                    do { try inner.run(sql) } catch { #expect(kind == .constraint) }
                    throw Refused()
                }
            }
            #expect(error.kind == kind, "\(error)")
            try database.rollback()
        }
        #expect(try database.notes == [])
    }

    /// SQLite leaves the transaction open after this error: it must not leak into the next batch.
    @Test func aCommitThatTheSchemaRefusesDropsTheBatch() throws {
        let sql = "CREATE TABLE child (parent REFERENCES note (id) DEFERRABLE INITIALLY DEFERRED)"
        let database = try Room().open(Room.notes + [Migration(version: 2, name: "child", sql: sql)])
        try database.write { try $0.run("INSERT INTO child VALUES (99)") }
        let error = #expect(throws: StoreError.self) { try database.commit() }
        #expect(error?.kind == .constraint)
        #expect(!database.batchIsOpen)
        try database.write { try $0.note("next") }
        try database.commit()
        #expect(try database.notes == ["next"])
        #expect(try database.integer("SELECT count(*) FROM child") == 0)
    }

    @Test func aForeignWriterMakesItBusy() throws {
        let room = try Room()
        let database = try room.open()
        let outside = try RawDatabase(room.path)
        try outside.execute("BEGIN IMMEDIATE")
        let error = #expect(throws: StoreError.self) { try database.write { try $0.note("a") } }
        #expect(error?.kind == .busy)
        #expect(!database.batchIsOpen)
        try outside.execute("ROLLBACK")
        try database.write { try $0.note("b") }
        try database.commit()
        #expect(try database.notes == ["b"])
    }
}
