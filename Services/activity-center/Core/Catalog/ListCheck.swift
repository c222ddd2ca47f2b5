import Contract
import Loop
import Rules

/// Validates a part of an import. If it is invalid, nothing of it is stored.
@LoopActor enum ListCheck {
    static func check(_ params: CatalogImport.Params) throws(ServiceError) {
        for (field, text) in [("list", params.list), ("attempt", params.attempt)] {
            guard VisibleText.isName(text, bytesMax: ActivityLimits.listNameBytesMax) else {
                throw ServiceError(
                    .invalidParams,
                    "\(field) must have 1 to \(ActivityLimits.listNameBytesMax) bytes of visible text",
                    remedy: "Send a short name.")
            }
        }
        let count = params.groups.reduce(0) { $0 + $1.domains.count }
        guard count <= ActivityLimits.partDomainsMax else {
            throw ServiceError(
                .limitExceeded, "\(count) domains; partDomainsMax is \(ActivityLimits.partDomainsMax)",
                remedy: "Send them in several parts.")
        }
    }

    static func normalised(_ groups: [CatalogGroup]) throws(ServiceError) -> [CatalogGroup] {
        var checked: [CatalogGroup] = []
        for group in groups {
            let category = try CatalogHandler.category(group.category)
            var domains: [String] = []
            domains.reserveCapacity(group.domains.count)
            for domain in group.domains {
                guard let name = DomainName.normalised(domain) else {
                    throw ServiceError(
                        .invalidParams, "'\(domain.prefix(64))' is not a domain",
                        remedy: "Send names such as example.com, no addresses or URLs.")
                }
                domains.append(name)
            }
            checked.append(CatalogGroup(category: category, domains: domains))
        }
        return checked
    }
}
