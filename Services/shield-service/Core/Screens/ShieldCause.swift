import Contract
import Rules

/// Something that is shielded, and what draws its shield.
struct ShieldCause: Hashable {
    let member: String
    let kind: SubjectKind
    let subject: String
    /// Of the store that draws it; `BuiltInClient.limits`: the person's own.
    let client: String
    /// The category that the shield comes from; nil: the subject is listed itself.
    let category: String?
    /// What a person calls the subject.
    let name: String

    /// - Parameter reason: the first one.
    init(member: String, item: CatalogItem, reason: ShieldReason) {
        self.member = member
        kind = item.kind
        subject = item.subject
        client = reason.client
        let rules = [ShieldRule.applicationCategories, .webDomainCategories]
        category = rules.contains { reason.rule.hasPrefix($0.rawValue) } ? item.category : nil
        name = item.name ?? item.subject
    }

    /// What a person calls the category.
    var categoryName: String? {
        category.map { $0.prefix(1).uppercased() + $0.dropFirst().map { "_-".contains($0) ? " " : $0 } }
    }

    /// The system's own words.
    var systemLook: ShieldLook {
        var look = ShieldLook()
        look.title = ShieldLabel(text: "Restricted", color: nil)
        let why = category == nil ? "it is restricted" : "\(categoryName ?? "its category") is restricted"
        look.subtitle = ShieldLabel(text: "You cannot use “\(name)” because \(why).", color: nil)
        look.primaryButtonLabel = ShieldLabel(text: "OK", color: nil)
        return look
    }
}
