import Units

/// English that several programs write. Only the language of services: shield-cover says the same in the
/// person's language.
package enum EnglishWords {
    /// `15 minutes`, `1 hour`, `the rest of the day`.
    /// - Parameter minutes: nil is the rest of the day.
    package static func length(minutes: Int64?) -> String {
        guard let minutes else { return "the rest of the day" }
        func counted(_ count: Int64, _ unit: String) -> String {
            "\(count) \(unit)\(count == 1 ? "" : "s")"
        }
        let isHours = minutes > 0 && minutes % 60 == 0
        return isHours ? counted(minutes / 60, "hour") : counted(minutes, "minute")
    }

    /// What the system writes on a shield.
    /// - Parameters:
    ///   - rule: of the person's own limits; nil: something else shields it.
    ///   - name: of the app or site, for people.
    ///   - category: a name for people of the category that is shielded; nil: it is shielded itself.
    package static func shield(
        by rule: ShieldedBy?, _ kind: SubjectKind, _ name: String, category: String?
    ) -> (title: String, text: String) {
        let (verb, noun) = kind == .domain ? ("visit", "sites") : ("use", "apps")
        let quoted = VisibleText.quoted(name)
        switch rule {
        case .limit:
            let more = category == nil ? "" : " and \(noun) like it"
            return ("Time Limit", "You have reached today’s limit for \(quoted)\(more).")
        case .hours: return ("Closed Now", "You cannot \(verb) \(quoted) at this hour.")
        case nil:
            return (
                "Restricted", "You cannot \(verb) \(quoted) because \(category ?? "it") is restricted."
            )
        }
    }

    /// The primary button of a shield without a look of its own, as Apple names it; covers name theirs by
    /// what it does.
    package static let shieldButton = "OK"
}
