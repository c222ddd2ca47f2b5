import CSQLite
import Engine
import Glibc

/// Reads macOS's knowledgeC.db. The file and its `-wal` are copied to a directory of our own first, since
/// SQLite must write beside a database to read its log, and the original stays as it is.
enum KnowledgeFile {
    /// - Throws: `noInput` when it cannot be read or copied, `badData` when it is no such database.
    static func rows(_ path: String) throws(CommandError) -> [KnowledgeC.Row] {
        var template = Array((temporaryDirectory + "/screentime-import-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw ImportCommandFile.unreadable(path, errno) }
        let directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let copy = directory + "/knowledge"
        defer {
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(copy + suffix) }
            rmdir(directory)
        }
        try copyFile(path, to: copy)
        if access(path + "-wal", F_OK) == 0 { try copyFile(path + "-wal", to: copy + "-wal") }
        return try Reader(copy, shownAs: path).rows()
    }

    private static var temporaryDirectory: String {
        getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    private static func copyFile(_ path: String, to copy: String) throws(CommandError) {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw ImportCommandFile.unreadable(path, errno) }
        defer { close(source) }
        let target = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw ImportCommandFile.unreadable(copy, errno) }
        defer { close(target) }
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(source, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ImportCommandFile.unreadable(path, errno) }
            guard count > 0 else { return }
            guard piece.withUnsafeBytes({ writeAll($0.prefix(count), to: target) }) else {
                throw ImportCommandFile.unreadable(copy, errno)
            }
        }
    }

    private static func writeAll(_ bytes: Slice<UnsafeRawBufferPointer>, to target: Int32) -> Bool {
        var rest = UnsafeRawBufferPointer(rebasing: bytes)
        while !rest.isEmpty {
            let count = write(target, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }

    /// The owner of one SQLite handle.
    private struct Reader: ~Copyable {
        private let handle: OpaquePointer?
        private let path: String

        init(_ file: String, shownAs path: String) throws(CommandError) {
            var handle: OpaquePointer?
            let code = sqlite3_open_v2(file, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
            self.handle = handle
            self.path = path
            guard code == SQLITE_OK else { throw Self.wrong(path, handle) }
        }

        deinit { sqlite3_close(handle) }

        /// - Throws: `badData` when SQLite finds the file damaged; a cut one may still answer.
        private func requireWhole() throws(CommandError) {
            var statement: OpaquePointer?
            guard sqlite3_prepare_v2(handle, "PRAGMA quick_check(1)", -1, &statement, nil) == SQLITE_OK else {
                throw Self.wrong(path, handle)
            }
            defer { sqlite3_finalize(statement) }
            guard sqlite3_step(statement) == SQLITE_ROW else { throw Self.wrong(path, handle) }
            guard let word = Self.text(statement, 0), word != "ok" else { return }
            throw Self.damaged(path, word)
        }

        func rows() throws(CommandError) -> [KnowledgeC.Row] {
            try requireWhole()
            let sql = """
                SELECT Z_PK, ZSTREAMNAME, ZVALUESTRING, ZSTARTDATE, ZENDDATE FROM ZOBJECT
                WHERE ZSTREAMNAME IN ('\(KnowledgeC.usageStream)', '\(KnowledgeC.focusStream)')
                ORDER BY Z_PK
                """
            var statement: OpaquePointer?
            guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
                throw Self.wrong(path, handle)
            }
            defer { sqlite3_finalize(statement) }
            var rows: [KnowledgeC.Row] = []
            while true {
                let code = sqlite3_step(statement)
                guard code != SQLITE_DONE else { return rows }
                guard code == SQLITE_ROW else { throw Self.wrong(path, handle) }
                rows.append(
                    KnowledgeC.Row(
                        id: sqlite3_column_int64(statement, 0), stream: Self.text(statement, 1) ?? "",
                        app: Self.text(statement, 2), start_s: Self.number(statement, 3),
                        end_s: Self.number(statement, 4)))
            }
        }

        private static func text(_ statement: OpaquePointer?, _ column: Int32) -> String? {
            sqlite3_column_text(statement, column).map { String(cString: $0) }
        }

        /// nil for NULL and for what is no number.
        private static func number(_ statement: OpaquePointer?, _ column: Int32) -> Double? {
            let type = sqlite3_column_type(statement, column)
            guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { return nil }
            return sqlite3_column_double(statement, column)
        }

        private static func wrong(_ path: String, _ handle: OpaquePointer?) -> CommandError {
            damaged(path, String(cString: sqlite3_errmsg(handle)))
        }

        private static func damaged(_ path: String, _ reason: String) -> CommandError {
            CommandError(
                ExitCode.badData, "'\(path)' is no whole knowledgeC.db: \(reason)",
                remedy: "\(ImportCommandFile.nothing) Copy the file again, with its -wal beside it.")
        }
    }
}
