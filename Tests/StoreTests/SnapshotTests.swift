import CSQLite
import Glibc
import Store
import Testing

/// Copies of an open store, and the check of a store in use.
@Suite struct SnapshotTests {
    @Test func aCopyHasWhatWasCommittedWhenTheSnapshotWasTaken() throws {
        let room = try Room()
        let database = try room.open()
        let writer = try Writer(database)
        for _ in 0..<20 { try writer.commit() }
        try database.write { try Cursors($0).set("them", Cursors.Cursor(epoch: "e", sequence: 7)) }
        try database.commit()
        let content = try StoreContent(database)
        let snapshot = try database.snapshot()
        for _ in 0..<20 { try writer.commit() }
        let path = room.directory + "/copy"
        let written = try snapshot.copy(to: path)
        snapshot.close()
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let copy = try StoredCopy(path: path)
        #expect(copy.findings == [] && copy.sum == written.sum && copy.bytes == written.bytes)
        #expect(copy.head == 15 && copy.epoch == "0123456789abcdef")
        #expect(copy.cursors.map { "\($0.source) \($0.epoch) \($0.sequence)" } == ["them e 7"])
        #expect(access(path + "-wal", F_OK) != 0 && access(path + "-shm", F_OK) != 0)
        #expect(throws: StoreError.self) { try database.snapshot().copy(to: path) }

        let restored = try Room()
        try write(bytes(of: path), to: restored.path)
        #expect(try StoreContent(restored.open()) == content)
    }

    @Test func everyFlippedBitOfACopyChangesItsSum() throws {
        let room = try Room()
        let database = try room.open()
        let writer = try Writer(database)
        for _ in 0..<20 { try writer.commit() }
        let path = room.directory + "/copy"
        let written = try database.snapshot().copy(to: path)
        let whole = try bytes(of: path)
        var random = SeededGenerator()
        for _ in 0..<60 {
            let bit = Int.random(in: 0..<whole.count * 8, using: &random)
            var damaged = whole
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            try write(damaged, to: path)
            // One that cannot be read at all is refused, too.
            let sum = try? StoredCopy(path: path).sum
            #expect(sum != written.sum, "seed \(random.seed), bit \(bit)")
        }
    }

    /// While the store is in use: a page that changed on the disk is named, whatever checkpoints ran.
    @Test func aFlippedBitIsFoundWhileTheStoreIsInUse() throws {
        let room = try Room()
        let database = try room.open()
        let writer = try Writer(database)
        for _ in 0..<30 { try writer.commit() }
        try database.checkpoint(.passive)
        for _ in 0..<3 {
            let snapshot = try database.snapshot()
            #expect(try snapshot.findings() == [])
            try writer.commit()
            #expect(try snapshot.findings() == [], "a snapshot is not changed by later commits")
            snapshot.close()
        }
        try database.checkpoint(.truncate)
        let page = 9
        // Through a descriptor that stays open: closing it would drop SQLite's locks of this process.
        let file = open(room.path, O_RDWR | O_CLOEXEC)
        var byte: UInt8 = 0
        try #require(pread(file, &byte, 1, off_t(page * 4096 - 700)) == 1)
        byte ^= 4
        try #require(pwrite(file, &byte, 1, off_t(page * 4096 - 700)) == 1)
        let findings = try database.snapshot().findings()
        let expected = "pages that differ from what was committed: \(page)"
        #expect(findings.first?.contains(expected) == true, "\(findings)")
    }

    /// A snapshot keeps a checkpoint from finishing, and nothing else.
    @Test func theStoreGoesOnBesideASnapshot() throws {
        let room = try Room()
        let database = try room.open()
        let writer = try Writer(database)
        let snapshot = try database.snapshot()
        for _ in 0..<400 { try writer.commit(textBytes: 3000) }
        #expect(database.recordingFailure == nil)
        #expect(try snapshot.findings() == [])
        snapshot.close()
        #expect(try database.checkpoint(.truncate))
        #expect(try StoreContent(StoreImage(of: room.path).room().open()) == StoreContent(database))
    }
}
