import Contract
package import ServiceKit
import Store
import Units

/// Questions, answers and choices are history and are deleted; so are requests for more time, except what is
/// in effect. A saved selection only loses the deleted names. Authorizations stay, and are reported; so do
/// the events that revoked one.
extension AuthService {
    package var forgetPlan: ForgetPlan {
        // Selections that no longer exist and lost an event: their other events are erased, too. Otherwise a
        // reader of the log would consider them present.
        var ended: Set<Selection.Key> = []
        return ForgetPlan(
            erases: { [self] event, forgetting in
                if let change = try event.decoded(SelectionChanged.self) {
                    guard try erases(change.selection, event, forgetting) else { return false }
                    if try present(change.selection) == nil { ended.insert(change.selection.key) }
                    return true
                }
                if let change = try event.decoded(MemberChanged.self) {
                    return try erases(change, event, forgetting)
                }
                if let request = try told(by: event) { return try erases(request, event, forgetting) }
                guard let change = try event.decoded(AuthorizationChanged.self) else { return false }
                // Without it, a follower that has not read it yet would go by the approval, or a later one.
                guard !change.revoked else { return false }
                let told = change.authorization
                guard forgetting.concerns(member: told.member),
                    try authorizations.find(id: told.id) != told
                else { return false }
                return forgetting.isHistory(event)
            },
            remove: { [self] forgetting, report, transaction in
                let gone = ended
                ended = []
                try service.eraseEvents(report) { event in
                    try event.decoded(SelectionChanged.self).map { gone.contains($0.selection.key) } ?? false
                }
                try forgetSelections(forgetting, report, transaction)
                try forgetRequests(forgetting, report, transaction)
                report.removed("answered requests", try askers.forget(forgetting))
                report.removed("names of tokens", try grants.forget(forgetting))
                try nameRights(forgetting, report)
            })
    }

    /// Former zones, delays and names are history. The removal of a member stays, because copies go by it.
    private func erases(
        _ change: MemberChanged, _ event: StoredEventData, _ forgetting: Forgetting
    ) throws -> Bool {
        guard !change.removed, forgetting.concerns(member: change.member.id),
            try members.find(id: change.member.id) != change.member
        else { return false }
        return forgetting.isHistory(event)
    }

    private func present(_ selection: Selection) throws -> Selection? {
        try selections.find(client: selection.client, member: selection.member, name: selection.name)
    }

    /// The last event of an unchanged selection describes the present state and stays.
    private func erases(
        _ selection: Selection, _ event: StoredEventData, _ forgetting: Forgetting
    ) throws -> Bool {
        guard forgetting.concerns(member: selection.member) else { return false }
        if let present = try present(selection), present == selection,
            forgetting.extent != .everything, present.without(forgetting) == present
        {
            return false
        }
        return forgetting.isHistory(event)
    }

    private func forgetSelections(
        _ forgetting: Forgetting, _ report: ForgetReport, _ transaction: Transaction
    ) throws {
        for selection in try selections.all() where forgetting.concerns(member: selection.member) {
            if forgetting.extent == .everything {
                try forget(selection, transaction)
                report.removed("selections", 1)
                continue
            }
            var rest = selection.without(forgetting)
            if rest != selection {
                rest.changed = service.clock.now
                try selections.save(rest)
                try transaction.emit(SelectionChanged(selection: rest), subject: rest.client)
                report.removed("choices in selections", selection.choices - rest.choices)
            }
            guard forgetting.isNamed(in: rest) else { continue }
            report.leaves(
                "the selection '\(rest.name)' of \(rest.client) names it",
                remedy: "screentime selection remove \(VisibleText.shellWord(rest.name)) --client "
                    + VisibleText.shellWord(rest.client))
        }
    }

    private func nameRights(_ forgetting: Forgetting, _ report: ForgetReport) throws {
        for authorization in try authorizations.all()
        where forgetting.concerns(member: authorization.member) && forgetting.isNamed(in: authorization) {
            report.leaves(
                "it is an app that asked for access (\(authorization.status.rawValue))",
                remedy: "the answer is kept so that it is not asked again: screentime authorization list")
        }
    }
}

extension Selection {
    struct Key: Hashable {
        let client: String
        let member: String
        let name: String
    }

    var key: Key { Key(client: client, member: member, name: name) }
    fileprivate var choices: Int { applications.count + webDomains.count }

    fileprivate func without(_ forgetting: Forgetting) -> Selection {
        var rest = self
        rest.applications.removeAll { forgetting.isIncluded(.app, $0) }
        rest.webDomains.removeAll { forgetting.isIncluded(.domain, $0) }
        return rest
    }
}

extension Forgetting {
    func isHistory(_ event: StoredEventData) -> Bool {
        extent == .everything || contains(event.time) || event.isNamed(self)
    }
}

extension GrantTable {
    /// Deletes names stored for their tokens. Such a token is invalid until the name is stored again.
    func forget(_ forgetting: Forgetting) throws -> Int64 {
        let rows = try database.query("SELECT digest, name FROM token_name") { ($0.bytes(0), $0.text(1)) }
        var count: Int64 = 0
        for (digest, name) in rows
        where forgetting.extent == .everything || forgetting.isIncluded(.app, name)
            || forgetting.isIncluded(.domain, name) || forgetting.words.occur(inBytes: Array(name.utf8))
        {
            try database.run("DELETE FROM token_name WHERE digest = ?1", digest)
            count += 1
        }
        return count
    }
}

extension AskerTable {
    /// Deletes answered requests; waiting ones stay.
    func forget(_ forgetting: Forgetting) throws -> Int64 {
        let rows = try database.query(
            """
            SELECT caller, key, params, ifnull(answer, x''), ifnull(error, x''), ended_ms FROM asker
            WHERE ended_ms IS NOT NULL
            """
        ) { row in
            (
                caller: row.text(0), key: row.text(1),
                texts: [
                    Array(row.text(0).utf8), Array(row.text(1).utf8), row.bytes(2), row.bytes(3),
                    row.bytes(4),
                ],
                ended: row.instant(5)
            )
        }
        var count: Int64 = 0
        for row in rows
        where forgetting.extent == .everything || forgetting.contains(row.ended)
            || row.texts.contains(where: { forgetting.words.occur(inBytes: $0) })
        {
            try database.run("DELETE FROM asker WHERE caller = ?1 AND key = ?2", row.caller, row.key)
            count += 1
        }
        return count
    }
}
