import Contract
import Store
import Units

/// What becomes of a row that cannot be read, the same in every table of records. (Its page is as it was
/// written: damaged pages are found when the store is opened.) It is set aside, at the start of the service
/// or when somebody meets it: moved into the table `unreadable_row`, with the rows that refer to it. The
/// service goes on without it and says so until a backup is restored, or a person lets go of it (`screentime
/// repair --discard-unreadable`, `screentime forget`). Of a copy nothing is kept: it is asked of its owner
/// again.
struct UnreadableRows {
    let database: Database
    let tables: [RecordTable]

    /// What was set aside.
    struct Found {
        /// Table and key of each row, as SQL literals.
        var rows: [String] = []
        /// Whose records have to be copied again.
        var sources: Set<ServiceName> = []
    }

    /// Sets aside what cannot be read. Call inside a write.
    /// - Parameter now: milliseconds since 1970.
    func setAside(at now: Instant) throws(StoreError) -> Found {
        var found = Found()
        for table in tables {
            guard try exists(table), try !isReadable(table) else { continue }
            let keys = try unreadableKeys(of: table)
            found.rows += keys.map { "\(table.name) \($0)" }
            if let source = table.source {
                for key in keys {
                    try database.run("DELETE FROM \(table.name) WHERE \(Self.quoted(table.key)) = ?1", key)
                }
                found.sources.insert(source)
            } else {
                for key in keys { try move(table.name, where: Self.quoted(table.key), key, at: now) }
            }
        }
        return found
    }

    /// Tables of extensions are made when they are first hosted.
    private func exists(_ table: RecordTable) throws(StoreError) -> Bool {
        try database.first("SELECT 1 FROM sqlite_schema WHERE name = ?1", table.name) { _ in true } ?? false
    }

    private func isReadable(_ table: RecordTable) throws(StoreError) -> Bool {
        do {
            _ = try database.query(table.select, row: table.read)
            return true
        } catch {
            guard error.table != nil else { throw error }
            return false
        }
    }

    private func unreadableKeys(of table: RecordTable) throws(StoreError) -> [String] {
        let key = Self.quoted(table.key)
        var unreadable: [String] = []
        for text in try database.query("SELECT \(key) FROM \(table.name)", row: { $0.text(0) }) {
            do {
                _ = try database.first(table.select + " WHERE \(key) = ?1", text, row: table.read)
            } catch {
                guard error.table != nil else { throw error }
                unreadable.append(text)
            }
        }
        return unreadable
    }

    /// An expression for the values of these columns as SQL literals.
    private static func quoted(_ columns: [String]) -> String {
        columns.map(quoted).joined(separator: " || ', ' || ")
    }

    /// `quote` ends a text at its first NUL.
    private static func quoted(_ column: String) -> String {
        """
        CASE WHEN typeof("\(column)") = 'text' AND instr(CAST("\(column)" AS BLOB), x'00')
            THEN 'CAST(' || quote(CAST("\(column)" AS BLOB)) || ' AS TEXT)' ELSE quote("\(column)") END
        """
    }

    /// Moves rows, and before them the rows that refer to them, since SQLite would refuse to delete them, or
    /// delete those, too.
    private func move(
        _ table: String, where expression: String, _ value: String, at now: Instant
    ) throws(StoreError) {
        for reference in try references(to: table) {
            let named = try database.query(
                "SELECT \(Self.quoted(reference.to)) FROM \(table) WHERE \(expression) = ?1", value
            ) { $0.text(0) }
            for name in named {
                try move(reference.table, where: Self.quoted(reference.from), name, at: now)
            }
        }
        let columns = try database.query("SELECT name FROM pragma_table_info(?1)", table) { $0.text(0) }
        try database.run(
            """
            INSERT INTO unreadable_row (name, columns, literals, at_ms)
                SELECT ?1, ?2, \(Self.quoted(columns)), ?3 FROM \(table) WHERE \(expression) = ?4
            """, table, columns.joined(separator: ", "), now, value)
        try database.run("DELETE FROM \(table) WHERE \(expression) = ?1", value)
    }

    private struct Reference {
        let table: String
        let from: String
        let to: String
    }

    private func references(to table: String) throws(StoreError) -> [Reference] {
        try database.query(
            """
            SELECT child.name, reference."from", ifnull(reference."to",
                (SELECT name FROM pragma_table_info(?1) WHERE pk = 1))
            FROM sqlite_schema AS child, pragma_foreign_key_list(child.name) AS reference
            WHERE child.type = 'table' AND reference."table" = ?1
            """, table
        ) { Reference(table: $0.text(0), from: $0.text(1), to: $0.text(2)) }
    }

    // MARK: what is set aside

    /// Numbers by table, as "2 in delivery, 1 in channel"; nil if there is nothing.
    func summary() throws(StoreError) -> String? {
        let counts = try database.query(
            "SELECT name, count(*) FROM unreadable_row GROUP BY name ORDER BY name"
        ) { "\($0.int64(1)) in \($0.text(0))" }
        return counts.isEmpty ? nil : counts.joined(separator: ", ")
    }

    /// Deletes what was set aside before `end`. Call inside a write.
    /// - Returns: the number of rows.
    func letGo(until end: Instant) throws(StoreError) -> Int64 {
        try database.run("DELETE FROM unreadable_row WHERE at_ms < ?1", end)
        return database.changedRows
    }
}
