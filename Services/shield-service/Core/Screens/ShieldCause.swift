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
    /// Of the person's own limits.
    let rule: ShieldedBy?

    /// - Parameter reason: the first reason.
    init(member: String, item: CatalogItem, reason: ShieldReason) {
        self.member = member
        kind = item.kind
        subject = item.subject
        client = reason.client
        let rules = [ShieldRule.applicationCategories, .webDomainCategories]
        category = rules.contains { reason.rule.hasPrefix($0.rawValue) } ? item.category : nil
        name = item.name ?? item.kind.readable(item.subject)
        rule = reason.client == BuiltInClient.limits ? ShieldedBy(ofStore: reason.store) : nil
    }

    /// A person's name for the category.
    var categoryName: String? {
        category.map { $0.prefix(1).uppercased() + $0.dropFirst().map { "_-".contains($0) ? " " : $0 } }
    }

    /// The built-in look.
    var systemLook: ShieldLook {
        var look = ShieldLook()
        let (title, text) = EnglishWords.shield(by: rule, kind, name, category: categoryName)
        look.title = ShieldLabel(text: title, color: nil)
        look.subtitle = ShieldLabel(text: text, color: nil)
        look.primaryButtonLabel = ShieldLabel(text: EnglishWords.shieldButton, color: nil)
        return look
    }
}
