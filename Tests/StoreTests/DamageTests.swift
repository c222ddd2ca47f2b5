import Glibc
import Store
import Testing

/// Whatever loses committed data must be named at opening, and the file left as it was.
@Suite struct DamageTests {
    /// A closed store of about 100 pages; its log is gone into the main file.
    private func closedStore() throws -> Room {
        let room = try Room()
        let database = try room.open()
        try fill(database, 200)
        return room
    }

    private func fill(_ database: Database, _ count: Int, from first: Int = 0, commitEach: Bool = false)
        throws
    {
        for index in first..<first + count {
            try database.write { try $0.note("note \(index) " + String(repeating: "x", count: 1500)) }
            if commitEach { try database.commit() }
        }
        try database.commit()
    }

    /// A copy of an open store, as a killed process leaves it: the log holds the last writes, the main file
    /// does not.
    private func killedStore(_ count: Int) throws -> Room {
        try killedStore { try fill($0, count, commitEach: true) }
    }

    /// - Parameter before: its writes are moved into the main file.
    private func killedStore(
        after before: ((Database) throws -> Void)? = nil, _ writes: (Database) throws -> Void,
        _ migrations: [Migration] = Room.notes
    ) throws -> Room {
        let living = try Room()
        let dead = try Room()
        let database = try living.open(migrations)
        if let before {
            try before(database)
            try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try writes(database)
        for name in ["", "-wal", ".lock"] { try write(bytes(of: living.path + name), to: dead.path + name) }
        _ = try database.notes
        return dead
    }

    private func expectDamage(_ room: Room, _ suffix: String = "", _ damage: (inout [UInt8]) -> Void) throws {
        var content = try bytes(of: room.path + suffix)
        damage(&content)
        try write(content, to: room.path + suffix)
        let error = try room.openingError()
        #expect(error.kind == .damaged, "\(error)")
        #expect(error.message.contains(room.path), "\(error)")
        #expect(try bytes(of: room.path + suffix) == content, "the damaged file was changed")
    }

    @Test func namesOverwrittenPages() throws {
        try expectDamage(closedStore()) {
            $0.replaceSubrange(40960..<49152, with: [UInt8](repeating: 0xA5, count: 8192))
        }
    }

    @Test func namesZeroedPages() throws {
        try expectDamage(closedStore()) {
            $0.replaceSubrange(40960..<49152, with: [UInt8](repeating: 0, count: 8192))
        }
    }

    @Test(arguments: [100, 4096, 40960, 41000]) func namesATruncatedFile(length: Int) throws {
        try expectDamage(closedStore()) { $0.removeSubrange(length...) }
    }

    @Test func namesAnEmptiedFile() throws {
        try expectDamage(closedStore()) { $0 = [] }
    }

    @Test func namesAGarbageHeader() throws {
        try expectDamage(closedStore()) {
            $0.replaceSubrange(0..<100, with: [UInt8](repeating: 0x5A, count: 100))
        }
    }

    @Test func namesAZeroedFile() throws {
        try expectDamage(closedStore()) { $0 = [UInt8](repeating: 0, count: $0.count) }
    }

    @Test func namesAMissingFile() throws {
        let room = try closedStore()
        try #require(unlink(room.path) == 0)
        #expect(try room.openingError().kind == .damaged)
        #expect(access(room.path, F_OK) != 0, "an empty file was put in its place")
    }

    /// Without the mark in the lock file only the log shows that the store was used.
    @Test func namesAnEmptiedFileBesideALog() throws {
        let room = try killedStore(3)
        try #require(unlink(room.path + ".lock") == 0)
        try expectDamage(room) { $0 = [] }
        #expect(try bytes(of: room.log).count > 4096, "SQLite has deleted the log")
    }

    /// What a crash leaves between making the file and its first commit.
    @Test func anEmptyFileWithoutAnyHistoryIsNew() throws {
        let room = try Room()
        try write([], to: room.path)
        #expect(try room.open().notes == [])
    }

    @Test func recoversAKilledStore() throws {
        let notes = try killedStore(10).open().notes
        #expect(notes.count == 10)
    }

    /// SQLite alone would continue with the notes before the broken frame.
    @Test(arguments: [0, 3, 10]) func namesABrokenFrameBeforeACommit(frame: Int) throws {
        try expectDamage(killedStore(10), "-wal") { $0[32 + frame * (24 + 4096) + 24 + 100] ^= 1 }
    }

    @Test func namesABrokenLogHeader() throws {
        try expectDamage(killedStore(10), "-wal") { $0[20] ^= 1 }
    }

    /// The last transaction may be torn by a power cut: it was never acknowledged.
    @Test func aTornLastTransactionIsNoDamage() throws {
        let room = try killedStore(10)
        var log = try bytes(of: room.log)
        log[log.count - 10] ^= 1
        try write(log, to: room.log)
        #expect(try room.open().notes.count == 9)
    }

    /// A log with one transaction only, of several frames.
    @Test func namesABrokenHeaderOfALogWithOneCommit() throws {
        let room = try killedStore(after: { try self.fill($0, 1) }, { try self.fill($0, 3, from: 1) })
        try expectDamage(room, "-wal") { $0[20] ^= 1 }
    }

    /// The last page of a long note: its zeros would break no page structure, and SQLite would read them.
    @Test func namesAMainFileCutBelowItsLog() throws {
        let long = String(repeating: "x", count: 40_000)
        let room = try killedStore(
            after: {
                try $0.write { try $0.run("INSERT INTO long VALUES (?1)", long) }
                try $0.commit()
            },
            {
                try $0.write { try $0.note("last") }
                try $0.commit()
            }, Room.notes + [Migration(version: 2, name: "long", sql: "CREATE TABLE long (text)")])
        try expectDamage(room) { $0.removeLast(4096) }
    }

    @Test func namesAGarbageHeaderBesideALog() throws {
        try expectDamage(killedStore(3)) {
            $0.replaceSubrange(0..<100, with: [UInt8](repeating: 0x5A, count: 100))
        }
    }

    /// After the torn last commit are frames that an undone batch had spilled: intact, of the same log, of no
    /// commit.
    @Test func leftoversOfAnUndoneBatchAreNoDamage() throws {
        let room = try killedStore(
            after: { try $0.run("PRAGMA cache_size = 5") },
            {
                for index in 0..<300 {
                    try $0.write { try $0.note("undone \(index) " + String(repeating: "y", count: 1500)) }
                }
                try $0.rollback()
                try self.fill($0, 2, commitEach: true)
            })
        var log = try bytes(of: room.log)
        let frames = Array(stride(from: 32, to: log.count - 4119, by: 4120))
        let commits = frames.filter { log[$0 + 4..<$0 + 8] != [0, 0, 0, 0] }
        let last = try #require(commits.last)
        try #require(frames.count(where: { $0 > last }) > 10, "nothing was spilled")
        log[last + 500] ^= 1
        try write(log, to: room.log)
        #expect(try room.open().notes.count == 1)
    }

    @Test func refusesAForeignFileAndLeavesIt() throws {
        let room = try Room()
        try RawDatabase(room.path).execute("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)")
        let before = try bytes(of: room.path)
        #expect(try room.openingError().kind == .foreign)
        #expect(try bytes(of: room.path) == before)
    }
}
