package import JSON
package import Store

extension Record {
    /// A record as a store has it.
    /// - Parameter table: its table, for the error.
    /// - Throws: `.damaged` with the table if it cannot be read.
    package static func stored(_ bytes: [UInt8], in table: String) throws(StoreError) -> Self {
        do { return try decode(bytes) } catch { throw .unreadable(table, error.message) }
    }
}
