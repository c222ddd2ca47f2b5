package import Contract
internal import JSON

/// The person's marks on apps, domains and categories: always allowed, or not counted. They are in one store
/// of the built-in client (`AllowedSettings.store`).
package struct Marks: Equatable, Sendable {
    package enum Mark: String, Sendable, CaseIterable {
        /// Never shielded, but counted.
        case allow
        /// Not counted in the total or in the limit of a category.
        case ignore
    }

    private var targets: [Mark: Set<LimitTarget>] = [:]

    package init() {}

    package subscript(mark: Mark) -> Set<LimitTarget> {
        get { targets[mark] ?? [] }
        set { targets[mark] = newValue.isEmpty ? nil : newValue }
    }

    package init(_ settings: [Setting]) {
        for mark in Mark.allCases {
            for kind in Self.kinds {
                let names = settings.first { $0.key == Self.key(mark, kind) }?.value.arrayValue ?? []
                self[mark].formUnion(names.compactMap { $0.stringValue.map { LimitTarget(kind, $0) } })
            }
        }
    }

    /// The complete store; null for an empty list.
    package var settings: [Setting] {
        Mark.allCases.flatMap { mark in
            Self.kinds.map { kind in
                let names = names(mark, kind).map { JSONValue.string($0) }
                return Setting(key: Self.key(mark, kind), value: names.isEmpty ? .null : .array(names))
            }
        }
    }

    private static let kinds: [LimitTarget.Kind] = [.app, .domain, .category]

    private static func key(_ mark: Mark, _ kind: LimitTarget.Kind) -> String {
        switch kind {
        case .app: "\(mark.rawValue).applications"
        case .domain: "\(mark.rawValue).webDomains"
        case .category, .total: "\(mark.rawValue).categories"
        }
    }

    private func names(_ mark: Mark, _ kind: LimitTarget.Kind) -> [String] {
        self[mark].filter { $0.kind == kind }.map(\.subject).sorted()
    }

    /// What does not count towards a limit; nil if everything counts.
    func exceptions(for target: LimitTarget) -> EventExceptions? {
        guard target.kind == .total || target.kind == .category, !self[.ignore].isEmpty else { return nil }
        func list(_ kind: LimitTarget.Kind) -> [String]? {
            let names = names(.ignore, kind)
            return names.isEmpty ? nil : names
        }
        return EventExceptions(
            applications: list(.app), categories: target.kind == .total ? list(.category) : nil,
            webDomains: list(.domain))
    }
}
