package import Contract
package import JSON
package import Store

/// A table of a service whose rows are read as records, and how: ``UnreadableRows`` looks after it.
///
/// These are tables of things that pass (callbacks, notifications), each of which can be missing without harm
/// to the others, and copies of other services' records. All other records stay where they are: of a missing
/// member, authorization, event, limit or extension the effects would end, elsewhere, too. Whoever meets one
/// of them that cannot be read gets the error, and the service reports that its store is damaged.
package struct RecordTable: Sendable {
    let name: String
    /// The columns of its primary key.
    let key: [String]
    /// What `read` needs, separated by commas.
    let columns: String
    /// The service that has the same records, if they are copies.
    let source: ServiceName?
    let read: @Sendable (Statement) throws(StoreError) -> Void

    /// - Parameters:
    ///   - columns: what `read` needs, separated by commas.
    ///   - source: of which service's records they are copies; nil: this service has the only ones.
    ///   - read: reads one row as the service does.
    /// - Throws: `read` throws `StoreError.unreadable` for a row that makes no sense.
    package init<Row>(
        _ name: String, key: [String], columns: String, copyOf source: ServiceName? = nil,
        read: @escaping @Sendable (Statement) throws(StoreError) -> Row
    ) {
        self.name = name
        self.key = key
        self.columns = columns
        self.source = source
        self.read = { row throws(StoreError) in _ = try read(row) }
    }

    /// A table with one record as JSON per row, in the column `body`.
    package init<R: Record>(
        _ name: String, key: [String], of record: R.Type, copyOf source: ServiceName? = nil
    ) {
        self.init(name, key: key, columns: "body", copyOf: source) { row throws(StoreError) in
            try R.stored(row.bytes(0), in: name)
        }
    }
}
