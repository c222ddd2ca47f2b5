/// How far a service has followed the logs of others. A cursor is set in the write that has the event's
/// effect, so that an effect is never had twice.
package struct Cursors {
    /// A place in somebody's log.
    package struct Cursor: Sendable, Equatable {
        /// The log's epoch: sequences of another epoch say nothing.
        package let epoch: String
        /// The last event whose effect is kept; 0 for none.
        package let sequence: Int64

        package init(epoch: String, sequence: Int64) {
            self.epoch = epoch
            self.sequence = sequence
        }
    }

    private let database: Database

    package init(_ database: Database) {
        self.database = database
    }

    /// The cursor in the log of `source` (a service's name, with its instance when there are several).
    package func get(_ source: String) throws(StoreError) -> Cursor? {
        try database.first("SELECT epoch, sequence FROM cursor WHERE source = ?1", source) {
            Cursor(epoch: $0.text(0), sequence: $0.int64(1))
        }
    }

    /// Moves the cursor, in any direction: going back on purpose means to have the events again.
    /// - Throws: `.misuse` outside of a write.
    package func set(_ source: String, _ cursor: Cursor) throws(StoreError) {
        try database.checkInsideWrite("setting a cursor")
        try database.run(
            "INSERT INTO cursor (source, epoch, sequence) VALUES (?1, ?2, ?3) "
                + "ON CONFLICT (source) DO UPDATE SET epoch = excluded.epoch, sequence = excluded.sequence",
            source, cursor.epoch, cursor.sequence)
    }

    /// All cursors by source.
    package func all() throws(StoreError) -> [(source: String, cursor: Cursor)] {
        try database.query("SELECT source, epoch, sequence FROM cursor ORDER BY source") {
            (source: $0.text(0), cursor: Cursor(epoch: $0.text(1), sequence: $0.int64(2)))
        }
    }
}
