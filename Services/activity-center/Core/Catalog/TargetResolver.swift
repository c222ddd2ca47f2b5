import Contract
import Domains
import Loop
import Rules
import Store

/// Determines which app or domain a request names.
@LoopActor final class TargetResolver {
    private let catalog: Catalog
    private let subjects: SubjectTable
    /// Nil if this machine has no Public Suffix List.
    private lazy var suffixes = RegistrableDomains()

    init(_ catalog: Catalog, _ subjects: SubjectTable) {
        self.catalog = catalog
        self.subjects = subjects
    }

    /// The registrable domain under which reports show a host.
    func registrable(_ host: String) -> String { suffixes?.registrable(host) ?? host }

    func subject(_ target: CatalogTarget) throws -> Subject {
        switch (target.app, target.host, target.target) {
        case (.some(let app), nil, nil): return .app(try Self.checked(app))
        case (nil, .some(let host), nil): return .domain(try Self.host(host))
        case (nil, nil, .some(let text)): return try typed(try Self.checked(text))
        default:
            throw ServiceError(
                .invalidParams, "exactly one of app, host and target is required",
                remedy: "Send app or host if you know which it is.")
        }
    }

    /// Tries in this order: a known app's id; a domain that was used, set or listed; a known app's name; a
    /// valid domain; an app.
    private func typed(_ text: String) throws -> Subject {
        if try catalog.apps[text] != nil || subjects.find(.app(text)) != nil { return .app(text) }
        let domain = DomainName.normalised(text)
        if let domain, try isKnown(domain) { return .domain(domain) }
        if let app = try named(text) { return .app(app) }
        if let domain, domain.contains("."), suffixes?.endsInKnownSuffix(domain) ?? true {
            return .domain(domain)
        }
        return .app(text)
    }

    private func isKnown(_ domain: String) throws(StoreError) -> Bool {
        if catalog.overrides[.domain(domain)] != nil { return true }
        if try catalog.lists.find(domain, in: catalog.lists.inForce)?.domain == domain { return true }
        return try !subjects.hosts(under: domain).isEmpty
    }

    private func named(_ text: String) throws(ServiceError) -> String? {
        let name = text.lowercased()
        let found = catalog.apps.filter { $0.value.facts.name?.lowercased() == name }.keys.sorted()
        guard found.count > 1 else { return found.first }
        throw ServiceError(
            .invalidArgument, "\(found.count) apps are called '\(text)'",
            remedy: "Use the id: \(found.prefix(5).joined(separator: ", ")).")
    }

    private static func host(_ text: String) throws(ServiceError) -> String {
        try checked(DomainName.spelling(of: text))
    }

    private static func checked(_ text: String) throws(ServiceError) -> String {
        guard VisibleText.isName(text) else {
            throw ServiceError(
                .invalidParams,
                "a name has \(text.utf8.count) bytes, or invisible characters; allowed are "
                    + "1 to \(Limits.nameBytesMax) bytes of visible text",
                remedy: "Send the id of an app, or a domain.")
        }
        return text
    }
}
