import Contract
import JSON
import Store
import Units

/// What becomes of a row that cannot be read, the same in every ``RecordTable``. (Its page is as it was
/// written: damaged pages are found when the store is opened.) It is set aside, at the start of the service
/// or when somebody meets it: moved into the table `unreadable_row`. The service goes on without it and says
/// so until a backup is restored, or a person lets go of it (`screentime repair --discard-unreadable`,
/// `screentime forget`). Of a copy nothing is kept: it is asked of its owner again.
struct UnreadableRows {
    let database: Database
    let tables: [RecordTable]

    /// What was set aside.
    struct Found {
        /// Number of rows, by table.
        var rows: [String: Int] = [:]
        /// Whose records have to be copied again.
        var sources: Set<ServiceName> = []

        var isEmpty: Bool { rows.isEmpty }
    }

    /// Sets aside what cannot be read. Call inside a write.
    /// - Parameter now: milliseconds since 1970.
    func setAside(at now: Instant) throws(StoreError) -> Found {
        var found = Found()
        for table in tables {
            guard try exists(table) else { continue }
            let keys = try unreadableKeys(of: table)
            guard !keys.isEmpty else { continue }
            found.rows[table.name] = keys.count
            if let source = table.source { found.sources.insert(source) }
            try move(table, keys, at: now)
        }
        return found
    }

    /// Tables of extensions are made when they are first hosted.
    private func exists(_ table: RecordTable) throws(StoreError) -> Bool {
        try database.first("SELECT 1 FROM sqlite_schema WHERE name = ?1", table.name) { _ in true } ?? false
    }

    /// The keys as SQL literals.
    private func unreadableKeys(of table: RecordTable) throws(StoreError) -> [String] {
        let columns = "\(table.columns), \(Self.quoted(table.key))"
        let last = table.columns.split(separator: ",").count
        let keys = try database.query("SELECT \(columns) FROM \(table.name)") {
            row throws(StoreError) -> String? in
            do throws(StoreError) { try table.read(row) } catch {
                guard error.table != nil else { throw error }
                return row.text(last)
            }
            return nil
        }
        return keys.compactMap { $0 }
    }

    /// - Parameter keys: see ``unreadableKeys(of:)``.
    private func move(_ table: RecordTable, _ keys: [String], at now: Instant) throws(StoreError) {
        let isIt = "\(Self.quoted(table.key)) IN (SELECT value FROM json_each(?1))"
        let list = String(decoding: JSONValue.array(keys.map(JSONValue.string)).encoded(), as: UTF8.self)
        if table.source == nil {
            let columns = try database.query("SELECT name FROM pragma_table_info(?1)", table.name) {
                $0.text(0)
            }
            try database.run(
                """
                INSERT INTO unreadable_row (name, columns, literals, at_ms)
                    SELECT ?2, ?3, \(Self.quoted(columns)), ?4 FROM \(table.name) WHERE \(isIt)
                """, list, table.name, columns.joined(separator: ", "), now)
        }
        try database.run("DELETE FROM \(table.name) WHERE \(isIt)", list)
    }

    /// An expression for the values of these columns as SQL literals.
    private static func quoted(_ columns: [String]) -> String {
        // `quote` ends a text at its first NUL.
        columns.map { column in
            """
            CASE WHEN typeof("\(column)") = 'text' AND instr(CAST("\(column)" AS BLOB), x'00')
                THEN 'CAST(' || quote(CAST("\(column)" AS BLOB)) || ' AS TEXT)' ELSE quote("\(column)") END
            """
        }.joined(separator: " || ', ' || ")
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
