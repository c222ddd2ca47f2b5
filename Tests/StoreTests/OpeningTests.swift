import Glibc
import Store
import Testing

@Suite struct OpeningTests {
    @Test func keepsWhatWasCommitted() throws {
        let room = try Room()
        do {
            let database = try room.open()
            try database.write { try $0.note("first") }
            try database.commit()
        }
        #expect(try room.open().notes == ["first"])
    }

    @Test func losesWhatWasNotCommitted() throws {
        let room = try Room()
        do {
            let database = try room.open()
            try database.write { try $0.note("first") }
        }
        #expect(try room.open().notes == [])
    }

    @Test func refusesASecondOwnerAndNamesTheFirst() throws {
        let room = try Room()
        let database = try room.open()
        let error = try room.openingError()
        #expect(error.kind == .locked)
        #expect(error.message.contains("process \(getpid()) "))
        #expect(try database.notes == [])
    }

    @Test func makesPrivateFilesInAPrivateDirectory() throws {
        let room = try Room()
        let directory = "\(room.directory)/a"
        defer {
            for name in ["s", "s-wal", "s-shm", "s.lock"] { unlink("\(directory)/b/\(name)") }
            rmdir("\(directory)/b")
            rmdir(directory)
        }
        let database = try Database(path: "\(directory)/b/s", migrations: [])
        #expect(try mode(of: directory) == 0o700)
        #expect(try mode(of: "\(directory)/b") == 0o700)
        for name in ["s", "s-wal", "s-shm", "s.lock"] {
            #expect(try mode(of: "\(directory)/b/\(name)") == 0o600, "\(name)")
        }
        _ = database
    }

    /// What power cuts and deletions rely on, and cannot be seen by killing a process.
    @Test(arguments: 1...2) func everyOpeningSetsWhatSafetyNeeds(opening: Int) throws {
        let room = try Room()
        for _ in 1..<opening { _ = try room.open() }
        let database = try room.open()
        #expect(try database.integer("PRAGMA synchronous") == 2, "FULL")
        #expect(try database.first("PRAGMA journal_mode") { $0.text(0) } == "wal")
        #expect(try database.integer("PRAGMA foreign_keys") == 1)
        #expect(try database.integer("PRAGMA secure_delete") == 2, "FAST")
        #expect(try database.integer("PRAGMA cell_size_check") == 1)
    }

    private func mode(of path: String) throws -> mode_t {
        var status = stat()
        try #require(stat(path, &status) == 0, "\(path)")
        return status.st_mode & 0o777
    }
}
