import Contract
import Rules
import Units

/// Which apps, categories and domains a report is about; all of them when it names none.
struct ReportSelection {
    let applications: Set<String>
    let categories: Set<String>
    /// Each covers its subdomains.
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
                remedy: "Name fewer, or leave the field out for all.")
        }
        return names
    }

    var isEverything: Bool { applications.isEmpty && categories.isEmpty && domains.isEmpty }

    /// What is named by itself counts whole; a browser that only its category names counts without the time
    /// of known domains, which belongs to theirs.
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
    /// The union of what is selected.
    /// - Returns: nil when the sums do not say it, because some of it was in use at the same time.
    func selectedDuration(_ weight: (UseEntry) throws -> UseWeight) rethrows -> Milliseconds? {
        var (apps, shares, hosts): (Milliseconds, Milliseconds, Milliseconds) = (0, 0, 0)
        /// What is asked for: apps as a whole, and what lies beside all known domains, or is one.
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
        // No app beside another; whatever is known of domains lies inside of them.
        if parts == 0, apps == duration { return wholes }
        // Neither an app's rest nor a host beside another.
        if !holdsDomains, shares + hosts == duration { return wholes + parts }
        return nil
    }
}
