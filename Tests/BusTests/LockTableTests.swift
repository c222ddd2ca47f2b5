import Glibc
import Testing

@testable import Bus

/// Who holds a lock, by a table that the kernel gives in pieces.
@Suite struct LockTableTests {
    private static func line(_ pid: Int, _ inode: ino_t) -> String {
        "1: FLOCK  ADVISORY  WRITE \(pid) 08:01:\(inode) 0 EOF\n"
    }

    /// Between two pieces a lock of the first was let go, so that one of the second was left out.
    @Test func aLockThatOneReadingLeftOutIsFound() throws {
        var file = stat()
        try #require(stat("/proc/self/exe", &file) == 0)
        let ours = Self.line(7, file.st_ino)
        var readings = [("", 2), (ours, 2), ("", 2)]
        let table = LockTable { readings.removeFirst() }
        #expect(table.holder(of: "/proc/self/exe") == 7)
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
        var template = Array("/tmp/stt-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        let path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        defer {
            close(descriptor)
            unlink(path)
        }
        #expect(LockTable.holder(of: path) == nil)
        try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        #expect(LockTable.holder(of: path) == Int64(getpid()))
    }
}
