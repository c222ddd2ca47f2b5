import Contract
import Rules
import Units

/// The apps, categories and domains of a report; all if it names none.
struct ReportSelection {
    let applications: Set<String>
    let categories: Set<String>
    /// Each includes its subdomains.
    let domains: Set<String>

    /// - Throws: `limitExceeded` for too many names.
    init(_ params: ReportQuery.Params) throws(ServiceError) {
        applications = try Self.names(params.applications, "applications")
        categories = try Self.names(params.categories, "categories")
        let domains = try Self.names(params.webDomains, "web_domains")
        self.domains = Set(domains.map { DomainName.spelling(of: $0) })
    }

    static func names(_ list: [String]?, _ field: String) throws(ServiceError) -> Set<String> {
        let names = Set(list ?? [])
        guard names.count <= ReportLimits.filterNamesMax else {
            throw ServiceError(
                .limitExceeded,
                "\(field) has \(names.count) names; filterNamesMax is \(ReportLimits.filterNamesMax)",
                remedy: "Send fewer names, or omit the field for all.")
        }
        return names
    }

    var isEverything: Bool { applications.isEmpty && categories.isEmpty && domains.isEmpty }

    /// An app named explicitly counts completely. A browser selected only by its category counts without the
    /// time of known domains, which belongs to their categories.
    func weight(of subject: ReportSubjects.Subject) -> UseWeight {
        if isEverything { return .whole }
        switch subject.kind {
        case .app:
            if applications.contains(subject.key) { return .whole }
            guard categories.contains(subject.category) else { return .nothing }
            return subject.isBrowser ? .share : .whole
        case .host:
            if categories.contains(subject.category) { return .whole }
            return DomainNames(of: subject.key).contains { domains.contains($0) } ? .whole : .nothing
        case .site, .nobody: return .nothing
        }
    }
}

extension UseSummary {
    /// The union of the selection.
    /// - Returns: nil if the sums are not sufficient, because parts of it were in use at the same time.
    func selectedDuration(_ weight: (UseEntry) throws -> UseWeight) rethrows -> Milliseconds? {
        var (apps, shares, hosts): (Milliseconds, Milliseconds, Milliseconds) = (0, 0, 0)
        /// Selected time: complete apps; and time outside all known domains, or of domains.
        var (wholes, parts): (Milliseconds, Milliseconds) = (0, 0)
        var holdsDomains = false
        for entry in entries where entry.kind == .app || entry.kind == .host {
            let weight = try weight(entry)
            guard entry.kind == .app else {
                hosts += entry.duration
                if weight != .nothing { parts += entry.duration }
                continue
            }
            apps += entry.duration
            shares += entry.share
            if weight == .share { parts += entry.share }
            guard weight == .whole else { continue }
            wholes += entry.duration
            if entry.share != entry.duration { holdsDomains = true }
        }
        if wholes + parts == 0 { return 0 }
        // Apps do not overlap each other, and known domains lie inside them.
        if parts == 0, apps == duration { return wholes }
        // Neither the rest of an app nor a host overlaps another.
        if !holdsDomains, shares + hosts == duration { return wholes + parts }
        return nil
    }
}
