import Contract
package import ServiceKit

/// Present stores, shields and freezes are the person's rules and their effect: they stay, and are reported.
/// Former states are deleted from the log. The last event about each stays, so that a reader of the log gets
/// the present state.
extension ShieldService {
    package var forgetPlan: ForgetPlan {
        ForgetPlan(
            erases: { [self] event, forgetting in try erases(event, forgetting) },
            remove: { [self] forgetting, report, transaction in
                transaction.afterCommit { [screens] in screens.forgetLooks() }
                report.removed("categories of apps", try catalogue.forget(forgetting, transaction))
                try forgetExceptions(forgetting, report, transaction)
                if forgetting.extent == .everything {
                    try removeEverything(forgetting, report, transaction)
                } else {
                    nameRules(forgetting, report)
                }
            })
    }

    private func erases(_ event: StoredEventData, _ forgetting: Forgetting) throws -> Bool {
        if let store = try event.decoded(SettingsChanged.self)?.store {
            let key = StoreKey(client: store.client, member: store.member, name: store.store)
            let present = repository.state.stores[key]?.store
            guard forgetting.concerns(member: store.member), present != store else { return false }
            if forgetting.extent == .everything || event.isNamed(forgetting) { return true }
            // The deletion of a store is the last event about it.
            return forgetting.contains(event.time) && present != nil
        }
        if let shield = try event.decoded(ShieldApplied.self)?.shield {
            guard forgetting.concerns(member: shield.member),
                repository.state.shields[shield.key] != shield
            else {
                return false
            }
            return forgetting.extent == .everything || isIncluded(shield.key, event, forgetting)
                || forgetting.contains(event.time)
        }
        if let lifted = try event.decoded(ShieldLifted.self) {
            guard forgetting.concerns(member: lifted.member) else { return false }
            let key = ShieldKey(member: lifted.member, kind: lifted.kind, subject: lifted.subject)
            // Earlier events are deleted with it, unless it is shielded again: then that event is the last
            // one.
            return forgetting.extent == .everything || isIncluded(key, event, forgetting)
        }
        if let freeze = try event.decoded(ShieldFrozeProcesses.self)?.freeze {
            guard repository.freezes[freeze.key] != freeze else { return false }
            return forgetting.extent == .everything || event.isNamed(forgetting)
        }
        if let erased = try erasesScreen(event, forgetting) { return erased }
        if let erased = try erasesException(event, forgetting) { return erased }
        if let result = try event.decoded(EnforcementChanged.self)?.result {
            // It is about the machine, and names nobody. The last event about each agent stays.
            let present = try enforcement(of: result.agent)
            guard present?.since != result.since || present?.isSame(as: result) != true else { return false }
            return forgetting.extent == .everything || forgetting.contains(event.time)
        }
        if let changed = try event.decoded(ShieldCoverageChanged.self) {
            return forgetting.concerns(member: changed.member)
                && (forgetting.extent == .everything || forgetting.contains(event.time))
        }
        // A refusal names no member; it is history of its caller.
        guard try event.decoded(SettingsRejected.self) != nil else { return false }
        return forgetting.extent == .everything || forgetting.contains(event.time)
            || event.isNamed(forgetting)
    }

    /// Looks and button presses are history, whatever is shielded now. Nil if the event is neither.
    private func erasesScreen(_ event: StoredEventData, _ forgetting: Forgetting) throws -> Bool? {
        let action = try event.decoded(ShieldActionTaken.self)
        let screen = try event.decoded(ShieldConfigured.self)?.screen
        guard let member = action?.member ?? screen?.member else { return nil }
        return forgetting.concerns(member: member)
            && (forgetting.extent == .everything || event.isNamed(forgetting)
                || forgetting.contains(event.time))
    }

    /// The beginning of an exception in effect stays, unless its reason is forgotten. Nil if the event
    /// is not about an exception.
    private func erasesException(_ event: StoredEventData, _ forgetting: Forgetting) throws -> Bool? {
        let began = try event.decoded(ExceptionBegan.self)?.exception
        guard let told = try began ?? event.decoded(ExceptionEnded.self)?.exception else { return nil }
        guard forgetting.concerns(member: told.member) else { return false }
        if repository.state.exceptions[told.id]?.isInEffect == true, began != nil {
            return forgetting.extent == .everything || forgetting.isSpoken(in: told.reason)
        }
        return forgetting.extent == .everything || event.isNamed(forgetting)
            || forgetting.isSpoken(in: told.reason) || forgetting.contains(event.time)
    }

    /// Reasons are forgotten; an exception itself is a rule in effect until its end, and is reported.
    private func forgetExceptions(
        _ forgetting: Forgetting, _ report: ForgetReport, _ transaction: Transaction
    ) throws {
        let own = repository.state.exceptions.values.filter {
            forgetting.concerns(member: $0.exception.member)
        }
        if forgetting.extent == .everything {
            for stored in own where stored.isInEffect {
                try exceptions.end(stored.exception.id, transaction)
            }
            try exceptions.remove(own.map { $0 }, transaction)
            return report.removed("exceptions", own.count)
        }
        let named = own.filter {
            forgetting.isNamed(in: $0.exception) || forgetting.isSpoken(in: $0.exception.reason)
        }
        try exceptions.remove(named.filter { !$0.isInEffect }, transaction)
        for var stored in named.sorted(by: { $0.exception.id < $1.exception.id }) where stored.isInEffect {
            if forgetting.isSpoken(in: stored.exception.reason) {
                stored.exception.reason = nil
                try exceptions.replace([stored], transaction)
                report.removed("reasons of exceptions", 1)
            }
            guard forgetting.isNamed(in: stored.exception) else { continue }
            report.leaves(
                "an exception for it is in effect",
                remedy: "screentime exceptions end \(VisibleText.shellWord(stored.exception.id))")
        }
    }

    private func isIncluded(_ key: ShieldKey, _ event: StoredEventData, _ forgetting: Forgetting) -> Bool {
        forgetting.isIncluded(key.kind, key.subject) || event.isNamed(forgetting)
    }

    private func removeEverything(
        _ forgetting: Forgetting, _ report: ForgetReport, _ transaction: Transaction
    ) throws {
        let own = repository.state.stores.keys.filter { forgetting.concerns(member: $0.member) }
        for member in Set(own.map(\.member)).sorted() { try forget(member: member, transaction) }
        report.removed("rules", own.count)
        nameFreezes(report) { _ in true }
    }

    private func nameRules(_ forgetting: Forgetting, _ report: ForgetReport) {
        for (key, stored) in repository.state.stores.sorted(by: { $0.key < $1.key })
        where forgetting.concerns(member: key.member) && forgetting.isNamed(in: stored.store) {
            report.leaves(
                "the settings store '\(key.name)' of \(key.client) names it",
                remedy: remedy(key, stored.store, forgetting))
        }
        nameFreezes(report) { forgetting.isIncluded(.app, $0) }
    }

    private func remedy(_ key: StoreKey, _ store: SettingsStore, _ forgetting: Forgetting) -> String {
        guard key.client == BuiltInClient.limits else {
            return "remove it in that app, or: screentime authorization revoke "
                + VisibleText.shellWord(key.client)
        }
        guard key.name == AllowedSettings.store else {
            return "stop the activity that set it: screentime monitor list, screentime monitor stop NAME"
        }
        // The person set the marks, no activity did.
        return store.settings.flatMap { setting in
            let command = setting.key.hasPrefix("ignore.") ? "unignore" : "disallow"
            let kind =
                setting.key.hasSuffix(".webDomains")
                ? "domain" : setting.key.hasSuffix(".categories") ? "category" : "app"
            return (setting.value.arrayValue ?? []).compactMap(\.stringValue)
                .filter { forgetting.words.occur(in: $0) }
                .map { "limits \(command) --\(kind) \(VisibleText.shellWord($0))" }
        }.joined(separator: "; ")
    }

    private func nameFreezes(_ report: ForgetReport, _ isIncluded: (String) -> Bool) {
        for key in repository.freezes.keys.sorted() where isIncluded(key.app) {
            report.leaves(
                "\(key.agent) keeps an app frozen, and must know which",
                remedy: "forget again when its shield is lifted")
        }
    }
}
