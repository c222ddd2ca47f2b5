import Contract
import Rules
import Store

/// `catalog.list`, `catalog.lists` and `catalog.read`.
extension CatalogHandler {
    func list(_ params: CatalogList.Params) throws -> CatalogList.Result {
        let kind = try Self.kind(params.kind)
        let most = Int64(ActivityLimits.itemsMax)
        let limit = Int(max(1, min(params.limit ?? most, most)))
        let category = try params.category.map { try Self.category($0) }
        var result = CatalogList.Result(
            sequence: try service.eventLog.head(), epoch: service.eventLog.epoch)
        var looks = 0
        var bytes = 0
        var last = params.after ?? ""
        while true {
            let names = try names(kind, after: last, limit: ActivityLimits.itemsMax)
            for name in names {
                guard result.items.count < limit, looks < ActivityLimits.namesReadMax,
                    bytes < ActivityLimits.itemBytesMax
                else {
                    result.next = last
                    return result
                }
                last = name
                looks += 1
                let item = try item(Subject(kind, name))
                guard item.matches(params.filter?.lowercased()), category ?? item.category == item.category,
                    params.source ?? item.source == item.source
                else { continue }
                result.items.append(item)
                bytes += item.encoded().count
            }
            if names.count < ActivityLimits.itemsMax { return result }
        }
    }

    private static func kind(_ kind: SubjectKind?) throws(ServiceError) -> Subject.Kind {
        switch kind ?? .app {
        case .app: return .app
        case .domain: return .domain
        case .category, .domainCategory:
            throw ServiceError(
                .invalidArgument, "categories are not listed", remedy: "Request kind app or domain.")
        }
    }

    /// All known names of a kind, without those that only imported lists contain.
    private func names(_ kind: Subject.Kind, after last: String, limit: Int) throws -> [String] {
        var names = Set(try subjects.names(kind, after: last, limit: limit))
        names.formUnion(catalog.overrides.keys.filter { $0.kind == kind && $0.id.isAfter(last) }.map(\.id))
        switch kind {
        case .app: names.formUnion(catalog.apps.keys.filter { $0.isAfter(last) })
        case .domain: names.formUnion(WellKnown.domainNames.filter { $0.isAfter(last) })
        }
        names.remove("")
        return Array(names.sorted { $1.isAfter($0) }.prefix(limit))
    }

    func lists() -> CatalogLists.Result {
        CatalogLists.Result(
            lists: catalog.lists.inForce.map {
                CatalogListInfo(name: $0.name, domains: $0.domains, imported: $0.imported)
            })
    }

    func read(_ params: CatalogRead.Params) throws -> CatalogRead.Result {
        let list = try list(params.list)
        let rows = try catalog.lists.domains(
            of: list, after: params.after ?? "", limit: ActivityLimits.domainsPerPage)
        var groups: [CatalogGroup] = []
        for (domain, category) in rows {
            if groups.last?.category != category { groups.append(CatalogGroup(category: category)) }
            groups[groups.count - 1].domains.append(domain)
        }
        return CatalogRead.Result(
            groups: groups, next: rows.count == ActivityLimits.domainsPerPage ? rows.last?.domain : nil)
    }
}

extension CatalogItem {
    fileprivate func matches(_ filter: String?) -> Bool {
        guard let filter, !filter.isEmpty else { return true }
        return subject.lowercased().includes(filter) || kind.readable(subject).includes(filter)
            || name?.lowercased().includes(filter) ?? false
    }
}

extension String {
    /// Compares bytes, as SQLite sorts text.
    fileprivate func isAfter(_ other: String) -> Bool { other.utf8.lexicographicallyPrecedes(utf8) }
}
