import CSQLite
import Glibc

/// The system call behind an SQLITE_CORRUPT. SQLite's VFS turns EIO, ENXIO and ERANGE of a read into
/// SQLITE_IOERR_CORRUPTFS, and a statement turns that into SQLITE_CORRUPT; but a disk that could not be read
/// says nothing about what is on it.
struct FailedRead {
    /// Its errno.
    let code: Int32
    /// What follows the path of the database in the name of the file.
    let suffix: String

    /// Nil if no system call on the database's files failed: what they contain is wrong. SQLite keeps the
    /// last errno of a file, so damage found after a failed call is named as such only after the next start.
    init?(_ database: OpaquePointer) {
        for (pointer, suffix) in [(SQLITE_FCNTL_FILE_POINTER, ""), (SQLITE_FCNTL_JOURNAL_POINTER, "-wal")] {
            var file: UnsafeMutablePointer<sqlite3_file>?
            guard sqlite3_file_control(database, "main", pointer, &file) == SQLITE_OK,
                let file, let methods = file.pointee.pMethods
            else { continue }
            var code: Int32 = 0
            guard methods.pointee.xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &code) == SQLITE_OK,
                [EIO, ENXIO, ERANGE].contains(code)
            else { continue }
            (self.code, self.suffix) = (code, suffix)
            return
        }
        return nil
    }
}
