import Loop
import Rules
import Store

/// The known facts about an app.
struct KnownApp: Equatable {
    var facts = AppFacts()
    /// Name or path of its icon.
    var icon: String?
    /// StartupWMClass.
    var windowClass: String?
    /// Devices on which it is installed.
    var devices: Set<String> = []
}

/// The stored apps.
@LoopActor final class AppTable {
    private let database: Database

    init(_ database: Database) { self.database = database }

    func all() throws -> [String: KnownApp] {
        var apps: [String: KnownApp] = [:]
        try database.each("SELECT id, name, category, browser, icon, window_class FROM app") { row in
            // A store from before the catalogue contains `other` where nothing fits.
            let category = row.isNull(2) || row.text(2) == Categories.other ? nil : row.text(2)
            let facts = AppFacts(
                name: row.isNull(1) ? nil : row.text(1), category: category, isBrowser: row.int64(3) != 0)
            apps[row.text(0)] = KnownApp(
                facts: facts, icon: row.isNull(4) ? nil : row.text(4),
                windowClass: row.isNull(5) ? nil : row.text(5))
        }
        try database.each("SELECT app, device FROM installed_app") { row in
            apps[row.text(0)]?.devices.insert(row.text(1))
        }
        return apps
    }

    func save(_ app: KnownApp, as id: String) throws(StoreError) {
        try database.run(
            """
            INSERT OR REPLACE INTO app (id, name, category, browser, icon, window_class)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """, id, app.facts.name, app.facts.category, app.facts.isBrowser, app.icon, app.windowClass)
    }

    func remove(_ id: String) throws(StoreError) {
        try database.run("DELETE FROM app WHERE id = ?1", id)
        try database.run("DELETE FROM installed_app WHERE app = ?1", id)
    }

    func install(_ id: String, on device: String) throws(StoreError) {
        try database.run("INSERT OR IGNORE INTO installed_app (device, app) VALUES (?1, ?2)", device, id)
    }

    func uninstall(_ id: String, from device: String) throws(StoreError) {
        try database.run("DELETE FROM installed_app WHERE device = ?1 AND app = ?2", device, id)
    }
}
