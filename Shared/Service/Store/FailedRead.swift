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

extension Connection {
    /// What SQLite finds wrong with the pages; empty if nothing is.
    /// - Throws: `.io` if a page could not be read, which SQLite reports as a finding.
    func pageFindings(limit: Int) throws(StoreError) -> [String] {
        let check = "PRAGMA integrity_check(\(limit))"
        let found = try texts(check)
        guard found != ["ok"] else { return [] }
        if let code = found.lazy.compactMap(FailedRead.code).first {
            throw StoreError(
                .io, sqliteCode: code, sql: check,
                message: "checking \(path): a page could not be read (SQLite's error \(code))")
        }
        return found
    }
}

extension FailedRead {
    /// The error of the page that a finding says it could not read; nil for findings about what was read.
    static func code(in finding: String) -> Int32? {
        // Of an overflow page or a page of the free list only the failure is reported. A number that no page
        // has is "invalid page number".
        let failure = ": failed to get page "
        if finding.indices.contains(where: { finding[$0...].hasPrefix(failure) }) { return SQLITE_IOERR }
        let words = "unable to get the page. error code="
        // Not firstRange(of:), for which the service would load _StringProcessing.
        guard let start = finding.indices.first(where: { finding[$0...].hasPrefix(words) }),
            let code = Int32(finding[start...].dropFirst(words.count).prefix { $0.isNumber }),
            code & 0xff == SQLITE_IOERR
        else { return nil }
        return code
    }
}
