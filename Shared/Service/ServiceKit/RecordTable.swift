package import Contract
package import JSON
package import Store

/// A table of a service whose rows are read as records, and how: ``UnreadableRows`` looks after it.
///
/// Not among them are those by whose absence other services act: the members and authorizations of
/// auth-service, and events. Set aside, they would end what depends on them elsewhere. Whoever meets one of
/// them that cannot be read gets the error, and the service reports that its store is damaged.
package struct RecordTable: Sendable {
    let name: String
    /// The columns of its primary key.
    let key: [String]
    /// Selects all rows as `read` expects them.
    let select: String
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
        select = "SELECT \(columns) FROM \(name)"
        self.source = source
        self.read = { row throws(StoreError) in _ = try read(row) }
    }

    /// A table with one record as JSON per row.
    package init<R: Record>(
        _ name: String, key: [String], of record: R.Type, in body: String = "body",
        copyOf source: ServiceName? = nil
    ) {
        self.init(name, key: key, columns: body, copyOf: source) { row throws(StoreError) in
            try R.stored(row.bytes(0), in: name)
        }
    }
}
