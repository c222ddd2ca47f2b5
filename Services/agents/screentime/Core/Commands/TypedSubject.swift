import Bus
import Contract
import Loop
import Rules

/// What a word that a person typed is about.
extension Session {
    /// The app or domain that a store names so, or whose cover on this desktop has this name.
    ///
    /// What only a category shields is not found: while everything is shielded, that is any word.
    func shielded(
        as typed: String, of member: String?
    ) async throws(ServiceError) -> (SubjectKind, String)? {
        let known = try await call(
            ShieldExplain.self, ShieldExplain.Params(member: member, subject: typed))
        if let shield = known.shield, let drawing = shield.reasons.first,
            ShieldRule(rawValue: drawing.rule)?.isDirect == true
        {
            return (shield.kind, shield.subject)
        }
        // Covers only add names that nobody else knows: if they do not answer, the catalogue
        // decides, and what it does not know is refused with the way to name it.
        let covers = ((try? await covers()) ?? []).filter { $0.member == member ?? $0.member }
        if let cover = covers.first(where: { $0.subject == typed }) { return (cover.kind, cover.subject) }
        let named = covers.filter { $0.name.lowercased() == typed.lowercased() }
        guard let cover = named.first, named.allSatisfy({ $0.subject == cover.subject }) else { return nil }
        return (cover.kind, cover.subject)
    }

    /// Whether an app that has no name was used, or the person gave it a category.
    func isListed(app: String) async throws(ServiceError) -> Bool {
        var params = CatalogList.Params(kind: .app, filter: app)
        while true {
            let page = try await call(CatalogList.self, params)
            if page.items.contains(where: { $0.subject == app }) { return true }
            guard let next = page.next else { return false }
            params.after = next
        }
    }

    /// The id of an app that was named by id or name; any other word as it is.
    func appID(_ typed: String, of member: String?) async throws(ServiceError) -> String {
        if let (kind, subject) = try await shielded(as: typed, of: member) {
            return kind == .app ? subject : typed
        }
        guard somebodyListens(at: .activity) else { return typed }
        let item = try await call(CatalogResolve.self, CatalogTarget(target: typed))
        return item.kind == .app ? item.subject : typed
    }

    /// The covers that stand on this desktop.
    func covers() async throws(ServiceError) -> [CoveredWindow] {
        guard somebodyListens(at: AgentName.shieldCover) else { return [] }
        return try await client(named: AgentName.shieldCover).call(
            CoverList.self, Nothing(), options: CallOptions(deadline: 2_000)
        ).covers
    }
}
