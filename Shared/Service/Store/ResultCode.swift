import CSQLite
import Glibc

extension StoreError.Kind {
    /// The kind of an extended SQLite result code.
    /// - Parameter systemError: errno of the failed system call, 0 if there was none. SQLite reports a full
    ///   disk (ENOSPC) as SQLITE_FULL only for plain writes, and an exhausted quota never.
    package init(sqliteCode: Int32, systemError: Int32) {
        switch sqliteCode & 0xff {
        case SQLITE_FULL: self = .full
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_CONSTRAINT: self = .constraint
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            self = systemError == ENOSPC || systemError == EDQUOT ? .full : .io
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_NOMEM, SQLITE_PROTOCOL, SQLITE_NOLFS: self = .io
        default: self = .misuse
        }
    }
}

extension StoreError {
    /// The error of a failed system call; read errno before anything else.
    init(errno code: Int32, tried: String) {
        self.init(
            code == ENOSPC || code == EDQUOT ? .full : .io,
            message: "\(tried): \(String(cString: strerror(code)))")
    }
}
