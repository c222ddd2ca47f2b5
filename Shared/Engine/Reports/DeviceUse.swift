/// All use of one device by one member that a question is about.
package struct DeviceUse: Hashable, Sendable {
    package var device: String
    package var uses: [Subject: IntervalSet]
    package var marks: [Mark]

    package init(device: String, uses: [Subject: IntervalSet] = [:], marks: [Mark] = []) {
        self.device = device
        self.uses = uses
        self.marks = marks
    }

    /// From stored stretches in any order.
    package init(device: String, uses: some Sequence<Use>, marks: [Mark] = []) {
        var loose: [Subject: [TimeRange]] = [:]
        for use in uses { loose[use.subject, default: []].append(use.interval) }
        self.init(device: device, uses: loose.mapValues { IntervalSet($0) }, marks: marks)
    }

    /// Everything in use at all.
    package var union: IntervalSet { .union(of: uses.values) }
}

/// Which category a subject belongs to, and which apps are browsers.
package struct Catalogue: Hashable, Sendable {
    package var appCategories: [String: String]
    /// By host or by a domain above it; the longest that fits decides.
    package var domainCategories: [String: String]
    /// `nil`: any app in use while a domain is known on its device is taken for that domain's browser.
    package var browsers: Set<String>?

    package static let other = "other"

    package init(
        appCategories: [String: String] = [:], domainCategories: [String: String] = [:],
        browsers: Set<String>? = nil
    ) {
        self.appCategories = appCategories
        self.domainCategories = domainCategories
        self.browsers = browsers
    }

    /// Never nothing: what nobody knows is `other`.
    package func category(of subject: Subject) -> String {
        switch subject.kind {
        case .app: return appCategories[subject.id] ?? Self.other
        case .domain:
            if domainCategories.isEmpty { return Self.other }
            for candidate in DomainNames(of: subject.id) {
                if let category = domainCategories[candidate] { return category }
            }
            return Self.other
        }
    }

    package func isBrowser(_ app: Subject) -> Bool {
        app.kind == .app && (browsers?.contains(app.id) ?? true)
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

extension DeviceUse {
    /// All time at which some domain is known.
    var domainTime: IntervalSet {
        .union(of: uses.lazy.filter { $0.key.kind == .domain }.map(\.value))
    }

    /// The part of each subject's time that belongs to its own category: a second with a known domain belongs
    /// to the domain's category, not the browser's (design 5).
    func categoryShares(_ catalogue: Catalogue) -> [Subject: IntervalSet] {
        let known = domainTime
        guard !known.isEmpty else { return uses }
        var shares = uses
        for (subject, time) in uses where catalogue.isBrowser(subject) {
            shares[subject] = time.subtracting(known)
        }
        return shares
    }
}
