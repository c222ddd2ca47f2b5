/// How far a service has followed the logs of others. A cursor is set in the write that has the event's
/// effect, so that an effect is never had twice.
package struct Cursors {
    /// A place in somebody's log.
    package struct Cursor: Sendable, Equatable {
        /// The log's epoch: sequences of another epoch say nothing.
        package let epoch: String
        /// The last event whose effect is kept; 0 for none.
        package let sequence: Int64
        /// The run of the source that made that event; empty: it is not known.
        package let run: String
        /// What was built from the source is being built again: the cursor says nothing.
        package let isRebuilding: Bool

        package init(epoch: String, sequence: Int64, run: String = "", isRebuilding: Bool = false) {
            self.epoch = epoch
            self.sequence = sequence
            self.run = run
            self.isRebuilding = isRebuilding
        }
    }

    let database: Database

    package init(_ database: Database) {
        self.database = database
    }

    /// The cursor in the log of `source` (a service's name, with its instance when there are several).
    package func get(_ source: String) throws(StoreError) -> Cursor? {
        try database.first(
            "SELECT epoch, sequence, run, rebuilding FROM cursor WHERE source = ?1", source
        ) { Self.cursor($0, from: 0) }
    }

    /// Moves the cursor, in any direction: going back on purpose means to have the events again.
    /// - Throws: `.misuse` outside of a write.
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

    /// All cursors by source.
    package func all() throws(StoreError) -> [(source: String, cursor: Cursor)] {
        try database.query(
            "SELECT source, epoch, sequence, run, rebuilding FROM cursor ORDER BY source"
        ) { (source: $0.text(0), cursor: Self.cursor($0, from: 1)) }
    }
}
