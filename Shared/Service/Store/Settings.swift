/// A few named texts of a service that need no table of their own.
package struct Settings {
    private let database: Database

    /// The settings in a store.
    package init(_ database: Database) {
        self.database = database
    }

    /// The text stored under `name`; nil if there is none.
    package func get(_ name: String) throws(StoreError) -> String? {
        try database.first("SELECT value FROM setting WHERE name = ?1", name) { $0.text(0) }
    }

    /// Stores a text; nil removes it.
    /// - Throws: `.misuse` outside a write.
    package func set(_ name: String, _ value: String?) throws(StoreError) {
        try database.checkInsideWrite("changing a setting")
        guard let value else { return try database.run("DELETE FROM setting WHERE name = ?1", name) }
        try database.run(
            "INSERT INTO setting (name, value) VALUES (?1, ?2) "
                + "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            name, value)
    }
}
