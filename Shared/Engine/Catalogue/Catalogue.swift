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

/// A domain as the catalogue keeps it.
package enum DomainName {
    /// RFC 1035, section 2.3.4.
    package static let bytesMax = 253

    /// Lower case, without a dot at either end and without `*.`; nil for what is no domain: addresses,
    /// blanks, a label that is empty or longer than 63 bytes (RFC 1035). Labels that are not ASCII are
    /// written in it, as browsers name hosts (RFC 3492).
    package static func normalised(_ text: some StringProtocol) -> String? {
        var name = text.lowercased()[...]
        if name.hasPrefix("*.") { name.removeFirst(2) } else if name.hasPrefix(".") { name.removeFirst() }
        if name.hasSuffix(".") { name.removeLast() }
        if name.utf8.contains(where: { $0 >= 0x80 }) {
            let labels = name.split(separator: ".", omittingEmptySubsequences: false)
            name = labels.map(Punycode.label).joined(separator: ".")[...]
        }
        guard (1...bytesMax).contains(name.utf8.count) else { return nil }
        var labelBytes = 0
        var isNumber = true
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "."):
                guard labelBytes > 0 else { return nil }
                (labelBytes, isNumber) = (0, true)
                continue
            case UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                isNumber = false
            default: return nil
            }
            labelBytes += 1
            guard labelBytes <= 63 else { return nil }
        }
        // What ends in a number is an address (WHATWG URL, "ends in a number").
        return labelBytes > 0 && !isNumber ? String(name) : nil
    }
}
