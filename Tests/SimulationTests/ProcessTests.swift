import CSQLite
import Glibc
import SimulatedDisk
import Store
import Testing

/// Several processes on one disk.
@Suite struct ProcessTests {
    @Test func oneProcessOwnsAStore() throws {
        let test = TestDisk()
        var database: Database? = try test.open(committing: ["a"], "first")
        let error = try #require(throws: StoreError.self) { _ = try test.open("second") }
        #expect(error.kind == .locked && error.message.contains("first"), "\(error)")
        test.disk.processDied("first")
        #expect(try test.open("second").notes == ["a"], "a dead process holds no lock")
        #expect(throws: StoreError.self) { try database?.commit(note: "b") }
        database = nil
        #expect(try test.open("third").notes == ["a"], "an object that is gone holds no lock")
    }

    /// The objects of a dead process fail and change nothing, wherever it died.
    @Test func aDeadProcessIsInert() throws {
        for batchIsOpen in [false, true] {
            let test = TestDisk()
            var database: Database? = try test.open(committing: ["a"])
            if batchIsOpen {
                try database?.write { try $0.run("INSERT INTO note (text) VALUES (?1)", "never") }
            }
            test.disk.processDied("service")
            let digest = test.disk.digest
            let counts = test.disk.counts
            let next = try test.open(committing: [], "next")
            let digestOfNext = test.disk.digest
            #expect(throws: StoreError.self) { try database?.commit(note: "b") }
            #expect(throws: StoreError.self) { try database?.checkpoint(.truncate) }
            #expect(throws: StoreError.self) { try database?.scrub() }
            #expect(throws: StoreError.self) { try database?.close() }
            database = nil
            #expect(test.disk.digest == digestOfNext && digestOfNext != digest)
            #expect(test.disk.counts != counts, "the next process was counted")
            try next.commit(note: "c")
            #expect(try next.notes == ["a", "c"])
            #expect(try next.query("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
        }
    }

    /// A plain connection of another process: it waits for the writer, sees what is committed, and is not
    /// disturbed by what is left of the dead one.
    @Test func connectionsOfTwoProcessesLockEachOther() throws {
        let test = TestDisk()
        var database: Database? = try test.open(committing: ["a"])
        let other = test.disk.files(of: "other")
        var handle: OpaquePointer?
        let opened = sqlite3_open_v2(TestDisk.path, &handle, SQLITE_OPEN_READWRITE, other.vfsName)
        try #require(opened == SQLITE_OK)
        defer { sqlite3_close(handle) }
        try database?.write { try $0.run("INSERT INTO note (text) VALUES ('b')") }
        #expect(sqlite3_exec(handle, "SELECT * FROM note", nil, nil, nil) == SQLITE_OK)
        #expect(sqlite3_exec(handle, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_BUSY)
        test.disk.processDied("service")
        #expect(
            sqlite3_exec(handle, "INSERT INTO note (text) VALUES ('c')", nil, nil, nil) == SQLITE_OK,
            "the lock of a dead process is released")
        // Whether it finds out that it is dead depends on what SQLite has in memory.
        try? database?.rollback()
        database = nil
        #expect(sqlite3_exec(handle, "INSERT INTO note (text) VALUES ('d')", nil, nil, nil) == SQLITE_OK)
        var count: Int32 = 0
        let code = sqlite3_exec(
            handle, "SELECT count(*) FROM note WHERE text IN ('a', 'c', 'd')",
            { context, _, values, _ in
                context?.storeBytes(of: values?[0].map { atoi($0) } ?? 0, as: Int32.self)
                return 0
            }, &count, nil)
        #expect(code == SQLITE_OK && count == 3)
    }

    /// The files are those of SQLite: its own VFS opens them.
    @Test func aSavedDiskIsAnOrdinaryStore() throws {
        let test = TestDisk()
        let database = try test.open(committing: ["a", "b"])
        var template = Array("/tmp/simulated-disk-XXXXXX".utf8CString)
        let directory = String(cString: try #require(mkdtemp(&template)))
        defer {
            for path in test.disk.content.keys {
                unlink("\(directory)/\(path.split(separator: "/").last ?? "")")
            }
            unlink("\(directory)/store.sqlite-shm")
            unlink("\(directory)/store.sqlite-wal")
            rmdir(directory)
        }
        try test.disk.save(to: directory)
        let saved = try Database(path: "\(directory)/store.sqlite", migrations: Workload.migrations)
        let notes = try database.notes
        #expect(try saved.notes == notes)
    }

    /// Whenever the disk gets full, a commit fails or is there, and with space the store goes on.
    @Test func aFullDiskLosesNothing() throws {
        var failures = 0
        for operation in 0..<60 {
            let test = TestDisk()
            var acknowledged = ["a"]
            var database: Database? = try test.open(committing: acknowledged)
            var remaining = operation
            test.disk.fault = { operation in
                guard [.write, .create, .truncate].contains(operation.kind) else { return nil }
                remaining -= 1
                return remaining < 0 ? .full : nil
            }
            for text in ["b", "c", "d"] {
                do {
                    try database?.commit(note: text)
                    acknowledged.append(text)
                } catch let error as StoreError {
                    #expect(error.kind == .full, "\(operation): \(error)")
                    failures += 1
                }
            }
            test.disk.fault = nil
            try database?.commit(note: "e")
            acknowledged.append("e")
            #expect(try database?.notes == acknowledged, "\(operation)")
            if operation % 2 == 0 { test.disk.processDied("service") }
            database = nil
            #expect(try test.open().notes == acknowledged, "\(operation), the next start")
        }
        #expect(failures > 10)
    }
}
