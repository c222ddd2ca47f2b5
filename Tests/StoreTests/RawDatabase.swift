import CSQLite
import Testing

/// SQLite without our store: for foreign files, for looking from outside, and as the measure of speed.
final class RawDatabase {
    let handle: OpaquePointer
    /// Keeps the directory for as long as the connection.
    var room: Room?

    init(_ path: String) throws {
        var handle: OpaquePointer?
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        self.handle = try #require(handle)
    }

    deinit { sqlite3_close(handle) }

    func execute(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        try #require(code == SQLITE_OK, "\(sql): \(String(cString: sqlite3_errmsg(handle)))")
    }

    func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
        return try #require(statement)
    }

    /// The first column of the first row.
    func integer(_ sql: String) throws -> Int64 {
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        try #require(sqlite3_step(statement) == SQLITE_ROW)
        return sqlite3_column_int64(statement, 0)
    }
}
