package import Contract
import Engine
import Store

/// What the catalogue says of a subject.
struct SubjectFacts: Equatable {
    var name: String?
    var category: String?
    var isBrowser: Bool
}

extension UsageCopy {
    /// Takes in what changed of the catalogue. Part of a write.
    /// - Returns: whether a subject known before got other facts.
    package func take(_ event: CatalogChanged) throws -> Bool {
        var isNews = false
        for change in event.subjects {
            let kind: Subject.Kind = change.kind == .domain ? .domain : .app
            let facts = SubjectFacts(
                name: change.name, category: change.category, isBrowser: change.browser ?? false)
            if try learn(Subject(kind, change.subject), facts) { isNews = true }
        }
        return isNews
    }

    /// - Returns: whether a subject known before got other facts.
    func learn(_ subject: Subject, _ facts: SubjectFacts) throws(StoreError) -> Bool {
        let kind = Int64(subject.kind.rawValue)
        let known = try database.first(
            "SELECT name, category, browser FROM subject WHERE kind = ?1 AND id = ?2", kind, subject.id
        ) {
            SubjectFacts(
                name: $0.isNull(0) ? nil : $0.text(0), category: $0.isNull(1) ? nil : $0.text(1),
                isBrowser: $0.int64(2) != 0)
        }
        guard known != facts else { return false }
        try database.run(
            "INSERT OR REPLACE INTO subject (kind, id, name, category, browser) VALUES (?1, ?2, ?3, ?4, ?5)",
            kind, subject.id, facts.name, facts.category, facts.isBrowser)
        return known != nil
    }
}
