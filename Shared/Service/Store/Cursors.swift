/// How far a service has followed the logs of others. A cursor is set in the write that has the event's
/// effect, so that no event takes effect twice.
package struct Cursors {
    /// A position in a log.
    package struct Cursor: Sendable, Equatable {
        /// The log's epoch; sequences of different epochs cannot be compared.
        package let epoch: String
        /// The last event whose effect is stored; 0 for none.
        package let sequence: Int64
        /// The source's run that appended that event; empty if unknown.
        package let run: String
        /// The copy of the source is being rebuilt, so the position does not describe it.
        package let isRebuilding: Bool

        /// A position; the defaults mean an unknown run and no rebuild.
        package init(epoch: String, sequence: Int64, run: String = "", isRebuilding: Bool = false) {
            self.epoch = epoch
            self.sequence = sequence
            self.run = run
            self.isRebuilding = isRebuilding
        }
    }

    let database: Database

    /// The cursors in a store.
    package init(_ database: Database) {
        self.database = database
    }

    /// The cursor in the log of `source` (a service's name, with its instance if there are several); nil if
    /// there is none.
    package func get(_ source: String) throws(StoreError) -> Cursor? {
        try database.first(
            "SELECT epoch, sequence, run, rebuilding FROM cursor WHERE source = ?1", source
        ) { Self.cursor($0, from: 0) }
    }

    /// Moves the cursor in any direction; moving it back delivers events again.
    /// - Throws: `.misuse` outside a write.
    package func set(_ source: String, _ cursor: Cursor) throws(StoreError) {
        try database.checkInsideWrite("setting a cursor")
        try database.run(
            "INSERT INTO cursor (source, epoch, sequence, run, rebuilding) VALUES (?1, ?2, ?3, ?4, ?5) "
                + "ON CONFLICT (source) DO UPDATE SET epoch = excluded.epoch, sequence = excluded.sequence, "
                + "run = excluded.run, rebuilding = excluded.rebuilding",
            source, cursor.epoch, cursor.sequence, cursor.run, cursor.isRebuilding)
    }

    private static func cursor(_ row: Statement, from column: Int) -> Cursor {
        Cursor(
            epoch: row.text(column), sequence: row.int64(column + 1), run: row.text(column + 2),
            isRebuilding: row.int64(column + 3) != 0)
    }

    /// All cursors, sorted by source.
    package func all() throws(StoreError) -> [(source: String, cursor: Cursor)] {
        try database.query(
            "SELECT source, epoch, sequence, run, rebuilding FROM cursor ORDER BY source"
        ) { (source: $0.text(0), cursor: Self.cursor($0, from: 1)) }
    }
}
