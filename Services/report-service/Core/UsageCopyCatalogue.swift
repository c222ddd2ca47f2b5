package import Contract
import Rules
import Store

/// The catalogue's facts about a subject.
struct SubjectFacts: Equatable {
    var name: String?
    var category: String?
    var isBrowser: Bool
}

extension UsageCopy {
    /// Applies a change of the catalogue; facts about unused subjects are not stored. Roll-ups do not contain
    /// categories or browsers, so they stay. Call inside a write.
    /// - Returns: whether the facts of a subject changed.
    package func apply(_ event: CatalogChanged) throws -> Bool {
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
