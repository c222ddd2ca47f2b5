package import Contract
internal import ExtensionLink
internal import Rules

/// Finds the target that a person's word means.
package enum TargetFinder {
    /// - Parameters:
    ///   - word: an app's id or name, a domain, a category, or `total`.
    ///   - kind: the required kind; nil for any kind.
    ///   - listed: targets that are found first, by their own names; the catalogue may not know them any
    ///     more.
    /// - Throws: `notFound` with similar names; `invalidArgument` if the word is ambiguous.
    package static func find(
        _ word: String, as kind: LimitTarget.Kind? = nil, listed: Set<LimitTarget> = []
    ) throws(ServiceError) -> LimitTarget {
        let meant = listed.filter { (kind ?? $0.kind) == $0.kind && $0.isCalled(word) }
        if let target = meant.first {
            guard meant.count == 1 else {
                let kinds = meant.map(\.kind.rawValue).sorted()
                throw ServiceError(
                    .invalidArgument, "'\(word)' is listed as \(kinds.joined(separator: " and "))",
                    remedy: "Add \(kinds.map { "--\($0)" }.joined(separator: " or ")).")
            }
            return target
        }
        switch kind {
        case .total: return .total
        case .category: return try category(word)
        case .domain: return try domain(word)
        case .app: return try app(word, known: apps())
        case nil: return try any(word)
        }
    }

    private static func any(_ word: String) throws(ServiceError) -> LimitTarget {
        if word.lowercased() == LimitTarget.total.name { return .total }
        let known = try apps()
        let named = matching(word, known)
        if let category = Categories.named(word) {
            guard named.isEmpty else {
                throw ServiceError(
                    .invalidArgument, "'\(word)' is a category and an app",
                    remedy: "Add --category or --app.")
            }
            return LimitTarget(.category, category)
        }
        if !named.isEmpty { return try app(word, known: known) }
        let found = try Link.shared.call(CatalogResolve.self, CatalogTarget(target: word))
        if found.kind == .domain { return LimitTarget(.domain, found.subject) }
        throw unknown(word, "app, domain or category", names(of: known) + Categories.names)
    }

    private static func category(_ word: String) throws(ServiceError) -> LimitTarget {
        if let category = Categories.named(word) { return LimitTarget(.category, category) }
        throw unknown(word, "category", Categories.names)
    }

    private static func domain(_ word: String) throws(ServiceError) -> LimitTarget {
        let found = try Link.shared.call(CatalogResolve.self, CatalogTarget(target: word))
        if found.kind == .domain { return LimitTarget(.domain, found.subject) }
        throw ServiceError(
            .invalidArgument, "'\(word)' is not a domain", remedy: "Write it as example.org.")
    }

    private static func app(_ word: String, known: [CatalogItem]) throws(ServiceError) -> LimitTarget {
        let named = matching(word, known)
        if named.count == 1 { return LimitTarget(.app, named[0].subject) }
        guard named.isEmpty else {
            throw ServiceError(
                .invalidArgument, "\(named.count) apps are called '\(word)'",
                remedy: "Name one by its id: \(named.map(\.subject).joined(separator: ", ")).")
        }
        throw unknown(word, "app", names(of: known))
    }

    private static func matching(_ word: String, _ known: [CatalogItem]) -> [CatalogItem] {
        if let item = known.first(where: { $0.subject == word }) { return [item] }
        return known.filter { $0.name?.lowercased() == word.lowercased() }
    }

    private static func names(of known: [CatalogItem]) -> [String] {
        known.flatMap { [$0.subject, $0.name].compactMap(\.self) }
    }

    /// All apps of the catalogue.
    private static func apps() throws(ServiceError) -> [CatalogItem] {
        var params = CatalogList.Params(kind: .app)
        var all: [CatalogItem] = []
        repeat {
            let page = try Link.shared.call(CatalogList.self, params)
            all += page.items
            params.after = page.next
        } while params.after != nil
        return all
    }

    private static func unknown(_ word: String, _ what: String, _ known: [String]) -> ServiceError {
        let near = NearMisses.of(word, in: Set(known))
        return ServiceError(
            .notFound, "there is no \(what) '\(word)'",
            remedy: near.isEmpty
                ? "See `screentime catalog list`; there are the categories "
                    + "\(Categories.names.joined(separator: ", "))."
                : "Did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?")
    }
}

extension LimitTarget {
    /// Whether a word is this target's own name, in any spelling of a domain.
    fileprivate func isCalled(_ word: String) -> Bool {
        switch kind {
        case .app: word == subject
        case .domain: DomainName.spelling(of: word) == subject
        case .category: Categories.named(word) == subject
        case .total: word.lowercased() == name
        }
    }
}
