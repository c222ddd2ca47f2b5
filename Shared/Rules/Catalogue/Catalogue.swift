/// Maps subjects to categories, and knows which apps are browsers. Anything that is not set here is looked up
/// in the built-in table (``WellKnown``), which is all that an empty catalogue knows.
package struct Catalogue: Hashable, Sendable {
    /// Category by app id.
    package var appCategories: [String: String]
    /// Category by host or domain; the longest match decides.
    package var domainCategories: [String: String]
    /// Browsers that were reported; well-known browsers need not be among them.
    package var browsers: Set<String>

    package init(
        appCategories: [String: String] = [:], domainCategories: [String: String] = [:],
        browsers: Set<String> = []
    ) {
        self.appCategories = appCategories
        self.domainCategories = domainCategories
        self.browsers = browsers
    }

    /// The category of a subject; `other` if it is unknown.
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

    /// Whether an app shows web domains.
    package func isBrowser(_ app: Subject) -> Bool {
        app.kind == .app && (browsers.contains(app.id) || WellKnown.isBrowser(app.id))
    }

    /// Sets what is known of an app.
    package mutating func set(_ app: String, _ facts: AppFacts) {
        appCategories[app] = facts.category
        if facts.isBrowser { browsers.insert(app) } else { browsers.remove(app) }
    }
}

/// What was reported of an app.
package struct AppFacts: Hashable, Sendable {
    /// Display name.
    package var name: String?
    /// Nil if none was reported, or the reported ones match no category.
    package var category: String?
    /// Whether it shows web domains.
    package var isBrowser = false

    package init(name: String? = nil, category: String? = nil, isBrowser: Bool = false) {
        self.name = name
        self.category = category
        self.isBrowser = isBrowser
    }

    /// Applies the freedesktop categories of its desktop entry. A browser stays one: a sensor that saw a tab
    /// in it knows more than its entry.
    package mutating func apply(freedesktop: [String]) {
        let told = Categories.category(of: freedesktop)
        category = told == Categories.other ? nil : told
        if freedesktop.contains("WebBrowser") { isBrowser = true }
    }
}

/// A host and its parent domains, longest first: `a.b.c`, `b.c`, `c`.
package struct DomainNames: Sequence, IteratorProtocol {
    private var rest: Substring?

    /// Starts at the host itself.
    package init(of host: String) { rest = host[...] }

    package mutating func next() -> String? {
        guard let name = rest else { return nil }
        rest = name.firstIndex(of: ".").map { name[name.index(after: $0)...] }
        return String(name)
    }
}
