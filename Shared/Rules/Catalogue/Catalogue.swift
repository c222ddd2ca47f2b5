/// Which category a subject belongs to, and which apps are browsers. What is not told here is looked up among
/// the well known (see WellKnown), so that an empty catalogue is what a machine knows before anybody told it.
package struct Catalogue: Hashable, Sendable {
    package var appCategories: [String: String]
    /// By host or by a domain above it; the longest that fits decides.
    package var domainCategories: [String: String]
    /// Those told; well-known browsers need not be among them.
    package var browsers: Set<String>

    package init(
        appCategories: [String: String] = [:], domainCategories: [String: String] = [:],
        browsers: Set<String> = []
    ) {
        self.appCategories = appCategories
        self.domainCategories = domainCategories
        self.browsers = browsers
    }

    /// Never nothing: what nobody knows is `other`.
    package func category(of subject: Subject) -> String {
        switch subject.kind {
        case .app:
            return appCategories[subject.id] ?? WellKnown.category(ofApp: subject.id) ?? Categories.other
        case .domain:
            if !domainCategories.isEmpty {
                for name in DomainNames(of: subject.id) {
                    if let category = domainCategories[name] { return category }
                }
            }
            return WellKnown.category(ofHost: subject.id)?.category ?? Categories.other
        }
    }

    package func isBrowser(_ app: Subject) -> Bool {
        app.kind == .app && (browsers.contains(app.id) || WellKnown.isBrowser(app.id))
    }

    /// Takes over what is known of an app.
    package mutating func set(_ app: String, _ facts: AppFacts) {
        appCategories[app] = facts.category
        if facts.isBrowser { browsers.insert(app) } else { browsers.remove(app) }
    }
}

/// What was told of an app.
package struct AppFacts: Hashable, Sendable {
    package var name: String?
    /// nil: nobody told, or what was told fits no category.
    package var category: String?
    package var isBrowser = false

    package init(name: String? = nil, category: String? = nil, isBrowser: Bool = false) {
        self.name = name
        self.category = category
        self.isBrowser = isBrowser
    }

    /// Takes in the freedesktop categories of its desktop entry. Once a browser, always one: whoever saw a
    /// tab in it knows better than its entry.
    package mutating func take(freedesktop: [String]) {
        let told = Categories.category(of: freedesktop)
        category = told == Categories.other ? nil : told
        if freedesktop.contains("WebBrowser") { isBrowser = true }
    }
}

/// A host and the domains above it, longest first: `a.b.c`, `b.c`, `c`.
package struct DomainNames: Sequence, IteratorProtocol {
    private var rest: Substring?

    package init(of host: String) { rest = host[...] }

    package mutating func next() -> String? {
        guard let name = rest else { return nil }
        rest = name.firstIndex(of: ".").map { name[name.index(after: $0)...] }
        return String(name)
    }
}
