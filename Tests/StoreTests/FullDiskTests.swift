import Glibc
import Store
import Testing

/// A file system of its own, that can really be full. Needs the right to mount.
final class SmallDisk {
    let room: Room

    /// nil where mounting is not allowed.
    init?(bytes: Int) throws {
        room = try Room()
        guard mount("tmpfs", room.directory, "tmpfs", 0, "size=\(bytes),mode=0700") == 0 else { return nil }
    }

    deinit { umount2(room.directory, Int32(MNT_DETACH)) }

    func resize(bytes: Int) throws {
        let flags = UInt(MS_REMOUNT)
        try #require(mount("tmpfs", room.directory, "tmpfs", flags, "size=\(bytes)") == 0, "errno \(errno)")
    }

    static let canMount: Bool = {
        // Any failure means that these tests cannot run here; they report that.
        (try? SmallDisk(bytes: 1 << 20)) != nil
    }()
}

@Suite struct FullDiskTests {
    /// Writes batches of three until the disk is full.
    /// - Returns: the number of acknowledged writes, and the error that ended it.
    private func fill(_ database: Database, _ name: String = "first") throws -> (Int, StoreError) {
        let text = String(repeating: "x", count: 3000)
        var acknowledged = 0
        do throws(StoreError) {
            while acknowledged < 100_000 {
                for index in 1...3 { try writeNote(database, "\(name) \(acknowledged + index) \(text)") }
                try database.commit()
                acknowledged += 3
            }
        } catch {
            if database.batchIsOpen { try database.rollback() }
            return (acknowledged, error)
        }
        throw NeverFull()
    }

    private struct NeverFull: Error {}

    private func writeNote(_ database: Database, _ text: String) throws(StoreError) {
        do { try database.write { try $0.note(text) } } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.misuse, message: "\(error)")
        }
    }

    @Test(.enabled(if: SmallDisk.canMount, "mounting a tmpfs needs root"))
    func aFullDiskLosesNothingAcknowledged() throws {
        let disk = try #require(try SmallDisk(bytes: 1 << 20))
        var database: Database? = try disk.room.open()
        let (acknowledged, error) = try fill(#require(database))
        #expect(error.kind == .full, "\(error)")
        #expect(acknowledged > 30)
        #expect(database?.batchIsOpen == false)
        #expect(try database?.notes.count == acknowledged)
        let (more, secondError) = try fill(#require(database), "second")
        #expect(secondError.kind == .full, "\(secondError)")
        database = nil
        try disk.resize(bytes: 4 << 20)
        let again = try disk.room.open()
        let kept = try again.notes.count
        #expect(kept == acknowledged + more)
        try again.write { try $0.note("room again") }
        try again.commit()
        #expect(try again.notes.count == kept + 1)
        #expect(try again.query("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
    }

    @Test(.enabled(if: SmallDisk.canMount, "mounting a tmpfs needs root"))
    func writingGoesOnWhenThereIsRoomAgain() throws {
        let disk = try #require(try SmallDisk(bytes: 1 << 20))
        let database = try disk.room.open()
        let (acknowledged, _) = try fill(database)
        try disk.resize(bytes: 4 << 20)
        try database.write { try $0.note("room again") }
        try database.commit()
        #expect(try database.notes.count == acknowledged + 1)
    }

    /// One batch larger than SQLite's page cache, so that the disk fills inside of a write and not at the
    /// commit.
    @Test(.enabled(if: SmallDisk.canMount, "mounting a tmpfs needs root"))
    func aBatchThatFillsTheDiskIsKnownToBeLost() throws {
        let disk = try #require(try SmallDisk(bytes: 1 << 20))
        let database = try disk.room.open()
        try database.run("PRAGMA cache_size = 10")
        try database.write { try $0.note("acknowledged") }
        try database.commit()
        let text = String(repeating: "x", count: 3000)
        let error = try #require(throws: StoreError.self) {
            for index in 0..<1000 { try writeNote(database, "\(index) \(text)") }
        }
        #expect(error.kind == .full, "\(error)")
        // Either the whole batch is lost, which is reported until it is closed, or its earlier writes can be
        // committed.
        let waiting = database.writesWaiting
        do throws(StoreError) {
            try database.commit()
            #expect(try database.notes.count == 1 + waiting)
        } catch {
            #expect(error.kind == .full)
            #expect(try database.notes == ["acknowledged"])
        }
    }

    @Test(.enabled(if: SmallDisk.canMount, "mounting a tmpfs needs root"))
    func openingOnAFullDiskSaysSo() throws {
        let disk = try #require(try SmallDisk(bytes: 8192))
        let error = try disk.room.openingError()
        #expect(error.kind == .full, "\(error)")
        try disk.resize(bytes: 1 << 20)
        #expect(try disk.room.open().notes == [])
    }

    /// The same without any rights: SQLite's own limit on pages.
    @Test func aPageLimitLosesNothingAcknowledged() throws {
        let room = try Room()
        var database: Database? = try room.open()
        let pages = try #require(database).integer("PRAGMA page_count")
        try #require(database).run("PRAGMA max_page_count = \(pages + 100)")
        let (acknowledged, error) = try fill(#require(database))
        #expect(error.kind == .full, "\(error)")
        #expect(error.sqliteCode == 13)
        #expect(acknowledged > 30)
        #expect(try database?.notes.count == acknowledged)
        database = nil
        #expect(try room.open().notes.count == acknowledged)
    }
}
