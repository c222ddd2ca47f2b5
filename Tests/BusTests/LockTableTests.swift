import Glibc
import Testing

@testable import Bus

/// Who holds a lock, by a table that the kernel gives in pieces.
@Suite struct LockTableTests {
    private static func line(_ pid: pid_t, _ inode: ino_t) -> String {
        "1: FLOCK  ADVISORY  WRITE \(pid) 08:01:\(inode) 0 EOF\n"
    }

    private static func withFile(_ body: (_ path: String, _ descriptor: Int32) throws -> Void) throws {
        var template = Array("/tmp/stt-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        let path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        defer {
            close(descriptor)
            unlink(path)
        }
        try body(path, descriptor)
    }

    /// Between two pieces a lock of the first was released, so one of the second was skipped.
    @Test func aLockThatOneReadingLeftOutIsFound() throws {
        try Self.withFile { path, descriptor in
            var file = stat()
            try #require(fstat(descriptor, &file) == 0)
            let ours = Self.line(getpid(), file.st_ino)
            var readings = [("", 2), (ours, 2), ("", 2)]
            let table = LockTable { readings.removeFirst() }
            #expect(table.holder(of: path) == Int64(getpid()))
        }
    }

    /// Inodes are unique within a file system only: the holder of a lock elsewhere is not the one asked for.
    @Test(arguments: [true, false]) func aLockOfTheSameNumberElsewhereIsAnother(isFirst: Bool) throws {
        try Self.withFile { path, descriptor in
            var file = stat()
            try #require(fstat(descriptor, &file) == 0)
            let (other, ours) = (Self.line(getppid(), file.st_ino), Self.line(getpid(), file.st_ino))
            #expect(LockTable { (other, 1) }.holder(of: path) == nil)
            let both = LockTable { (isFirst ? ours + other : other + ours, 1) }
            #expect(both.holder(of: path) == Int64(getpid()))
        }
    }

    @Test func whatCameInOnePieceIsWholeAndReadOnce() {
        var count = 0
        let table = LockTable {
            count += 1
            return ("", 1)
        }
        #expect(count == 1 && table.holder(of: "/proc/self/exe") == nil)
    }

    @Test func aLockOfThisProcessIsSeen() throws {
        try Self.withFile { path, descriptor in
            #expect(LockTable.holder(of: path) == nil)
            try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
            #expect(LockTable.holder(of: path) == Int64(getpid()))
        }
    }
}
