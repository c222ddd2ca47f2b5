package import Contract
import Rules
import Store

/// What the catalogue says of a subject.
struct SubjectFacts: Equatable {
    var name: String?
    var category: String?
    var isBrowser: Bool
}

extension UsageCopy {
    /// Takes in what changed of the catalogue; of subjects that nobody used nothing is kept. Roll-ups do not
    /// know categories or browsers, so they stay as they are. Part of a write.
    /// - Returns: whether a subject got other facts.
    package func take(_ event: CatalogChanged) throws -> Bool {
        var isNews = false
        for change in event.subjects {
            let kind: UseEntry.Kind = change.kind == .domain ? .host : .app
            let facts = SubjectFacts(
                name: change.name, category: change.category, isBrowser: change.browser ?? false)
            guard let known = try directory.find(kind, change.subject), known.facts != facts else { continue }
            try directory.set(known.number, facts)
            isNews = true
        }
        return isNews
    }
}
