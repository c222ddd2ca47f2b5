import Bus
import Contract
import Rules
import ServiceKit

/// `shield.predict`: what a change would shield.
extension ShieldService {
    func answerPredictions() {
        service.later(ShieldPredict.self) { [self] params, context in
            try params.check()
            let member = service.member(params.member)
            let before = repository.state.policy(of: member)
            let after = policy(of: member, after: params)
            let subjects = subjects(of: params, before)
            // The catalogue's copy has the apps; sites are asked for where it matters.
            let asked = subjects.filter { $0.kind == .domain || params.singles.contains($0) }
            let known = try await catalogue.categories(of: Array(asked), context.trace)
            let moved = params.movedCategories
            let prediction = ShieldPrediction(
                before: before, after: after, named: params.named
            ) { [catalogue] in
                let present = known.bySubject[$0]?.category ?? catalogue.apps.category(of: $0.id)
                return (present, moved[$0] ?? present)
            }
            let covered = prediction.covered(among: subjects)
            let more = covered.count - ShieldLimits.predictedMax
            var result = ShieldPredict.Result()
            result.covered = Array(covered.prefix(ShieldLimits.predictedMax))
            result.leftOut = more > 0 ? Int64(more) : nil
            return result
        }
    }

    private func policy(of member: String, after params: ShieldPredict.Params) -> ShieldPolicy {
        let before = repository.state.policy(of: member)
        let client = params.client ?? BuiltInClient.limits
        var stores = before.stores
        if let targets = params.shield, !targets.isEmpty, mayRestrict(client, member) {
            stores.append(ShieldStore(shielding: targets, client: client))
        }
        var (allowed, categories) = (before.alwaysAllowed, before.alwaysAllowedCategories)
        for target in params.disallow ?? [] {
            if let single = target.single {
                allowed.remove(single)
            } else {
                categories.remove(target.subject)
            }
        }
        let ended = Set(params.endedExceptions ?? [])
        var open = OpenSubjects()
        for exception in repository.state.openExceptions(of: member) where !ended.contains(exception.id) {
            open.insert(exception.kind, exception.subject)
        }
        return ShieldPolicy(
            stores, alwaysAllowed: allowed, alwaysAllowedCategories: categories, exceptions: open)
    }

    /// Whether what a client writes to its stores has an effect.
    private func mayRestrict(_ client: String, _ member: String) -> Bool {
        guard client != BuiltInClient.limits else { return true }
        let known = service.household.authorization(client: client, member: member)
        return known?.access == true && known?.restrictions == true
    }

    /// What may become shielded otherwise than by its category: what the change names; all apps; and sites
    /// that a store excepts, or names while they are open.
    private func subjects(of params: ShieldPredict.Params, _ before: ShieldPolicy) -> Set<Subject> {
        var all = params.singles.union(before.alwaysAllowed).union(before.exceptions.subjects)
        for app in catalogue.apps.byApp.keys { all.insert(.app(app)) }
        let opensCategories = !before.exceptions.categories(of: .domain).isEmpty
        for store in before.stores where store.isActive {
            let apps = store.namedApps.union(store.applicationCategories.exceptions)
            for app in apps { all.insert(.app(app)) }
            for name in store.webDomainCategories.exceptions { all.insert(.domain(name)) }
            for name in store.webDomains {
                let domain = Subject.domain(name)
                if opensCategories || before.reasons(for: domain, category: Categories.other).isEmpty {
                    all.insert(domain)
                }
            }
        }
        all.remove(.app(CanaryApp.id))
        return all
    }
}

extension ShieldPredict.Params {
    /// - Throws: `limitExceeded`, `invalidParams`
    fileprivate func check() throws {
        let targets = (shield ?? []) + (disallow ?? [])
        let (moved, ended) = (moved ?? [], endedExceptions ?? [])
        let count = targets.count + moved.count + ended.count
        guard count <= ShieldLimits.judgedMax else {
            throw ServiceError(
                .limitExceeded, "a change of \(count) parts; judgedMax is \(ShieldLimits.judgedMax)",
                remedy: "Ask for a part of it.")
        }
        for target in targets { try VisibleText.checkName(target.subject, "a subject") }
        for one in moved {
            try VisibleText.checkName(one.subject, "a subject")
            guard one.kind == .app || one.kind == .domain, Categories.names.contains(one.category) else {
                throw ServiceError(
                    .invalidParams,
                    "'\(VisibleText.shortened(one.subject))' cannot be of the category "
                        + "'\(VisibleText.shortened(one.category))'",
                    remedy: "Give an app or a domain, and one of: "
                        + Categories.names.joined(separator: ", ") + ".")
            }
        }
    }

    fileprivate var named: Set<ShieldTarget> {
        let targets = (shield ?? []) + (disallow ?? []) + (moved ?? []).map(\.target)
        return Set(targets.map { ShieldTarget($0.kind, $0.subject) })
    }

    fileprivate var singles: Set<Subject> { Set(named.compactMap(\.single)) }

    fileprivate var movedCategories: [Subject: String] {
        // Of one that is given twice, the last counts.
        Dictionary((moved ?? []).compactMap { one in one.target.single.map { ($0, one.category) } }) { $1 }
    }
}

extension MovedSubject {
    fileprivate var target: ShieldTarget { ShieldTarget(kind, subject) }
}

extension ShieldStore {
    /// A store that no app can have written: its name is empty.
    fileprivate init(shielding targets: [ShieldTarget], client: String) {
        func names(_ kind: SubjectKind) -> Set<String> {
            Set(targets.map { ShieldTarget($0.kind, $0.subject) }.filter { $0.kind == kind }.map(\.subject))
        }
        func rule(_ kind: SubjectKind) -> CategoryRule {
            let names = names(kind)
            if names.contains(ShieldPolicy.everyCategory) { return .all(except: []) }
            return names.isEmpty ? .none : .specific(names, except: [])
        }
        self.init(
            client: client, name: "", applications: names(.app), applicationCategories: rule(.category),
            webDomains: names(.domain), webDomainCategories: rule(.domainCategory))
    }
}
