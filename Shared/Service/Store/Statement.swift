import CSQLite
package import Units

/// One prepared statement. Placeholders count from 1 and columns from 0, as in SQLite.
///
/// It keeps the file open, so release it with the database. A statement on a row prevents SQLite from
/// truncating the log: step to the end or call `reset()`.
package final class Statement {
    let raw: OpaquePointer
    private let connection: Connection
    /// The SQL text.
    package let sql: String

    init(_ sql: String, _ connection: Connection) throws(StoreError) {
        try connection.checkOpen()
        var handle: OpaquePointer?
        var onlyOne = true
        let code = sql.withCString { text in
            var tail: UnsafePointer<CChar>?
            let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
            let code = sqlite3_prepare_v3(connection.raw, text, -1, flags, &handle, &tail)
            if let tail { onlyOne = !Self.hasStatement(tail) }
            return code
        }
        try connection.check(code, sql: sql, tried: "preparing")
        guard let handle, onlyOne else {
            sqlite3_finalize(handle)
            let message = "preparing in \(connection.path): the text holds no or several statements"
            throw StoreError(.misuse, sql: sql, message: message)
        }
        raw = handle
        self.connection = connection
        self.sql = sql
    }

    deinit {
        // Repeats the error of the last step, which was thrown then.
        if !connection.isClosed { sqlite3_finalize(raw) }
    }

    private static func hasStatement(_ tail: UnsafePointer<CChar>) -> Bool {
        String(cString: tail).contains { !$0.isWhitespace && $0 != ";" }
    }

    // MARK: stepping

    /// Moves to the next row. At the end it returns false and can run again; bindings stay.
    /// - Throws: the statement's error, after a reset.
    package func step() throws(StoreError) -> Bool {
        try connection.checkTransaction()
        let code = sqlite3_step(raw)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE {
            sqlite3_reset(raw)
            return false
        }
        let error = connection.error(code, sql: sql, tried: "running")
        sqlite3_reset(raw)
        if connection.depth > 0, connection.isIdle { connection.lost = error }
        throw error
    }

    /// Leaves the present row; bindings stay.
    package func reset() {
        // Repeats the error of the last step, which was thrown then.
        if !connection.isClosed { sqlite3_reset(raw) }
    }

    /// Runs to the end, discarding rows.
    package func run() throws(StoreError) {
        while try step() {}
    }

    /// Resets the statement and removes its bindings.
    func clear() {
        guard !connection.isClosed else { return }
        sqlite3_reset(raw)
        sqlite3_clear_bindings(raw)
    }

    // MARK: binding

    /// Binds an integer to a placeholder.
    package func bind(_ index: Int, _ value: Int64) throws(StoreError) {
        try connection.checkOpen()
        try bound(sqlite3_bind_int64(raw, Int32(index), value))
    }

    /// Binds a duration in milliseconds.
    package func bind(_ index: Int, _ time: Milliseconds) throws(StoreError) { try bind(index, time.count) }

    /// Binds milliseconds since 1970.
    package func bind(_ index: Int, _ instant: Instant) throws(StoreError) {
        try bind(index, instant.milliseconds)
    }

    /// Binds a floating point number.
    package func bind(_ index: Int, _ value: Double) throws(StoreError) {
        try connection.checkOpen()
        try bound(sqlite3_bind_double(raw, Int32(index), value))
    }

    /// Binds a text.
    package func bind(_ index: Int, _ value: String) throws(StoreError) {
        try connection.checkOpen()
        var value = value
        try bound(
            value.withUTF8 { utf8 in
                // A null pointer would bind NULL, so even an empty text needs an address.
                utf8.withMemoryRebound(to: CChar.self) { text in
                    guard let start = text.baseAddress else {
                        return sqlite3_bind_text(raw, Int32(index), "", 0, Self.copied)
                    }
                    return sqlite3_bind_text(raw, Int32(index), start, Int32(text.count), Self.copied)
                }
            })
    }

    /// Binds a blob.
    package func bind(_ index: Int, _ value: [UInt8]) throws(StoreError) {
        try connection.checkOpen()
        if value.isEmpty {
            try bound(sqlite3_bind_zeroblob(raw, Int32(index), 0))
        } else {
            try bound(
                value.withUnsafeBytes {
                    sqlite3_bind_blob64(raw, Int32(index), $0.baseAddress, UInt64($0.count), Self.copied)
                })
        }
    }

    /// Binds NULL.
    package func bindNull(_ index: Int) throws(StoreError) {
        try connection.checkOpen()
        try bound(sqlite3_bind_null(raw, Int32(index)))
    }

    /// SQLITE_TRANSIENT, a macro that Swift cannot import: "SQLite makes its own private copy of the data".
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    private func bound(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else { throw connection.error(code, sql: sql, tried: "binding a value") }
    }

    // MARK: reading the current row

    /// Whether a column is NULL.
    package func isNull(_ column: Int) -> Bool { sqlite3_column_type(raw, Int32(column)) == SQLITE_NULL }

    /// The integer, 0 for NULL.
    package func int64(_ column: Int) -> Int64 { sqlite3_column_int64(raw, Int32(column)) }

    /// An integer of milliseconds, 0 for NULL.
    package func milliseconds(_ column: Int) -> Milliseconds { Milliseconds(int64(column)) }

    /// An integer of UTC milliseconds, 1970 for NULL.
    package func instant(_ column: Int) -> Instant { Instant(milliseconds(column)) }

    /// The number, 0 for NULL.
    package func double(_ column: Int) -> Double { sqlite3_column_double(raw, Int32(column)) }

    /// The text, empty for NULL. Bytes that are not UTF-8 become U+FFFD.
    package func text(_ column: Int) -> String {
        guard let start = sqlite3_column_text(raw, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(raw, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A copy of the bytes, empty for NULL.
    package func bytes(_ column: Int) -> [UInt8] { withBytes(column) { Array($0) } }

    /// SQLite's own bytes, valid only inside `body`.
    package func withBytes<Result>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = sqlite3_column_blob(raw, Int32(column))
        return body(
            UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, Int32(column)))))
    }

    /// Length of the text or blob in bytes.
    package func bytesCount(_ column: Int) -> Int { Int(sqlite3_column_bytes(raw, Int32(column))) }
}
