import Contract
import Rules

/// A shielded subject, and the store that determines the shield's look.
struct ShieldCause: Hashable {
    let member: String
    let kind: SubjectKind
    let subject: String
    /// Client of that store; `BuiltInClient.limits` for the person's own limits.
    let client: String
    /// The category that causes the shield; nil if the subject itself is listed.
    let category: String?
    /// A person's name for the subject.
    let name: String

    /// - Parameter reason: the first reason.
    init(member: String, item: CatalogItem, reason: ShieldReason) {
        self.member = member
        kind = item.kind
        subject = item.subject
        client = reason.client
        let rules = [ShieldRule.applicationCategories, .webDomainCategories]
        category = rules.contains { reason.rule.hasPrefix($0.rawValue) } ? item.category : nil
        name = item.name ?? item.subject
    }

    /// A person's name for the category.
    var categoryName: String? {
        category.map { $0.prefix(1).uppercased() + $0.dropFirst().map { "_-".contains($0) ? " " : $0 } }
    }

    /// The built-in look.
    var systemLook: ShieldLook {
        var look = ShieldLook()
        look.title = ShieldLabel(text: "Restricted", color: nil)
        let why = category == nil ? "it is restricted" : "\(categoryName ?? "its category") is restricted"
        look.subtitle = ShieldLabel(text: "You cannot use “\(name)” because \(why).", color: nil)
        look.primaryButtonLabel = ShieldLabel(text: "OK", color: nil)
        return look
    }
}
