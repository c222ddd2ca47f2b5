import Bus
import Contract
import Engine
import Store

/// What is known of apps: name and category, as sensors told them last. All of it stays in memory.
@BusActor final class Catalog {
    private struct App: Equatable {
        var name: String?
        var category: String?
    }

    private let database: Database
    private var apps: [String: App] = [:]
    /// By app id, as the rules want it.
    private(set) var catalogue = Catalogue()

    init(_ database: Database) throws {
        self.database = database
        try reload()
    }

    func reload() throws {
        apps = [:]
        try database.each("SELECT id, name, category FROM app") {
            apps[$0.text(0)] = App(
                name: $0.isNull(1) ? nil : $0.text(1), category: $0.isNull(2) ? nil : $0.text(2))
        }
        catalogue.appCategories = apps.compactMapValues(\.category)
    }

    func name(of subject: Subject) -> String? { subject.kind == .app ? apps[subject.id]?.name : nil }

    /// nil: nobody told.
    func category(of subject: Subject) -> String? {
        subject.kind == .app ? apps[subject.id]?.category : nil
    }

    /// Takes in what an observation says of its app. Part of a write.
    /// - Returns: the app, when that is news.
    func learn(_ observation: Observation) throws(StoreError) -> Subject? {
        guard observation.appName != nil || observation.appCategories != nil, let id = observation.app else {
            return nil
        }
        var app = apps[id] ?? App()
        if let name = observation.appName { app.name = name }
        if let categories = observation.appCategories { app.category = Categories.category(of: categories) }
        guard app != apps[id] else { return nil }
        apps[id] = app
        catalogue.appCategories[id] = app.category
        try database.run(
            "INSERT OR REPLACE INTO app (id, name, category) VALUES (?1, ?2, ?3)", id, app.name, app.category)
        return .app(id)
    }
}
