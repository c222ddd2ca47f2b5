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

    private func fill(_ database: Database, _ count: Int, commitEach: Bool = false) throws {
        for index in 0..<count {
            try database.write { try $0.note("note \(index) " + String(repeating: "x", count: 1500)) }
            if commitEach { try database.commit() }
        }
        try database.commit()
    }

    /// A copy of an open store, as a killed process leaves it: main file without, log with the last writes.
    private func killedStore(_ count: Int) throws -> Room {
        let living = try Room()
        let dead = try Room()
        let database = try living.open()
        try fill(database, count, commitEach: true)
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
        try expectDamage(closedStore()) { $0.replaceSubrange(40960..<49152, with: [UInt8](repeating: 0xA5, count: 8192)) }
    }

    @Test func namesZeroedPages() throws {
        try expectDamage(closedStore()) { $0.replaceSubrange(40960..<49152, with: [UInt8](repeating: 0, count: 8192)) }
    }

    @Test(arguments: [100, 4096, 40960, 41000]) func namesATruncatedFile(length: Int) throws {
        try expectDamage(closedStore()) { $0.removeSubrange(length...) }
    }

    @Test func namesAnEmptiedFile() throws {
        try expectDamage(closedStore()) { $0 = [] }
    }

    @Test func namesAGarbageHeader() throws {
        try expectDamage(closedStore()) { $0.replaceSubrange(0..<100, with: [UInt8](repeating: 0x5A, count: 100)) }
    }

    @Test func namesAZeroedFile() throws {
        try expectDamage(closedStore()) { $0 = [UInt8](repeating: 0, count: $0.count) }
    }

    @Test func namesAMissingFile() throws {
        let room = try closedStore()
        try #require(unlink(room.path) == 0)
        #expect(try room.openingError().kind == .damaged)
    }

    /// Without the lock file's mark only the log tells that something was there.
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

    /// SQLite alone would go on with the notes before the broken frame.
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

    @Test func namesAMainFileCutBelowItsLog() throws {
        let room = try Room()
        let copy = try Room()
        let database = try room.open()
        try fill(database, 200)
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        try database.write { try $0.note("last") }
        try database.commit()
        for name in ["", "-wal", ".lock"] { try write(bytes(of: room.path + name), to: copy.path + name) }
        try expectDamage(copy) { $0.removeLast(4096 * 40) }
        _ = try database.notes
    }

    @Test func refusesAForeignFileAndLeavesIt() throws {
        let room = try Room()
        try RawDatabase(room.path).execute("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)")
        let before = try bytes(of: room.path)
        #expect(try room.openingError().kind == .foreign)
        #expect(try bytes(of: room.path) == before)
    }
}
