import Bus
import Contract
import Rules
import ServiceKit

/// `shield.judge` and `shield.explain`: whether an app or a domain is shielded, directly or by its category.
extension ShieldService {
    func answerJudge() {
        service.later(ShieldJudge.self) { [self] params, context in
            let subjects = try Self.subjects(params)
            let categories = try await catalogue.categories(of: subjects, context.trace)
            return try judge(subjects, categories, params)
        }
        service.later(ShieldExplain.self) { [self] params, context in
            try await explain(params, context)
        }
    }

    private static func subjects(_ params: ShieldJudge.Params) throws(ServiceError) -> [Subject] {
        let apps = params.apps ?? [], domains = params.domains ?? []
        guard apps.count + domains.count <= ShieldLimits.judgedMax else {
            throw ServiceError(
                .limitExceeded,
                "\(apps.count + domains.count) apps and domains; judgedMax is \(ShieldLimits.judgedMax)",
                remedy: "Ask for them in several requests.")
        }
        for name in apps { try VisibleText.checkName(name, "an app") }
        for name in domains { try VisibleText.checkName(name, "a domain") }
        return apps.map { .app($0) } + domains.map { .domain(DomainName.spelling(of: $0)) }
    }

    private func judge(
        _ subjects: [Subject], _ categories: CatalogueCopy.Answers, _ params: ShieldJudge.Params
    ) throws -> ShieldJudge.Result {
        let member = service.member(params.member)
        let state = repository.state
        let policy = state.policy(of: member)
        let names = (params.apps ?? []) + (params.domains ?? [])
        var result = ShieldJudge.Result(
            sequence: try categories.sequence ?? service.eventLog.head(), epoch: service.eventLog.epoch)
        result.judgements = zip(names, subjects).map { name, subject in
            let answer = categories[subject]
            return ShieldJudgement(
                kind: subject.subjectKind, subject: name, category: answer.category, known: answer.isKnown,
                shield: state.covering(subject, answer.category, of: member, policy))
        }
        result.untilExceptionEnd = exceptions.untilEnd(of: member)
        if params.programs == true {
            let programs = programs(of: member, policy)
            result.programs = Array(programs.prefix(ShieldLimits.programsMax))
            let more = programs.count - ShieldLimits.programsMax
            if more > 0 { result.programsLeftOut = Int64(more) }
        }
        return result
    }

    /// Shielded apps without a desktop entry that a store names, or to which the person gave a category.
    private func programs(of member: String, _ policy: ShieldPolicy) -> [String] {
        var names = Set(catalogue.apps.programsMoved)
        for store in policy.stores where store.isActive { names.formUnion(store.namedApps) }
        return names.filter {
            $0.hasPrefix(Subject.programPrefix)
                && !policy.reasons(for: .app($0), category: catalogue.apps.category(of: $0)).isEmpty
        }.sorted()
    }

    private func explain(
        _ params: ShieldExplain.Params, _ context: RequestContext
    ) async throws -> ShieldExplain.Result {
        try VisibleText.checkName(params.subject, "'subject'")
        if let category = params.category { try VisibleText.checkName(category, "'category'") }
        let both = Explanation.subjects(named: params.subject)
        var answers = try await catalogue.categories(of: both, context.trace).bySubject
        if let category = params.category {
            for subject in both { answers[subject]?.category = category }
        }
        return Explanation(
            repository.seen(by: context.client), member: service.member(params.member),
            isForPerson: context.client == nil
        ).explain(params.subject, answers)
    }

    // MARK: changes of the catalogue

    /// Publishes `shield.coverageChanged` for members whose shields cover something else now.
    func noteCoverage(_ change: CatalogueCopy.Change, _ transaction: Transaction) throws {
        for member in repository.state.members.sorted() {
            let policy = repository.state.policy(of: member)
            let isCovered = { [self] (app: String, category: String) in
                repository.state.covering(.app(app), category, of: member, policy)
            }
            let differs = change.apps.contains { app, before in
                isCovered(app, before) != isCovered(app, catalogue.apps.category(of: app))
            }
            if differs { try transaction.emit(ShieldCoverageChanged(member: member, kind: .app)) }
            // A listed app may have moved into a category that has an exception, or out of it.
            if differs, !policy.exceptions.isEmpty { try repository.settle(member, transaction) }
            let hasDomainCategories =
                !policy.exceptions.categories(of: .domain).isEmpty
                || repository.state.shields.keys.contains {
                    $0.member == member && $0.kind == .domainCategory
                }
            if change.hosts, hasDomainCategories {
                try transaction.emit(ShieldCoverageChanged(member: member, kind: .domain))
            }
        }
    }
}

extension ShieldState {
    /// Subject of the shield that covers an app or domain of this category; nil if none does.
    func covering(
        _ subject: Subject, _ category: String, of member: String, _ policy: ShieldPolicy
    ) -> String? {
        guard let first = policy.reasons(for: subject, category: category).first else { return nil }
        func stands(_ kind: SubjectKind, _ name: String) -> Bool {
            shields[ShieldKey(member: member, kind: kind, subject: name)] != nil
        }
        let isDirect = ShieldRule(rawValue: first.rule)?.isDirect ?? false
        switch (subject.kind, isDirect) {
        case (.app, true): return subject.id
        case (.domain, true): return DomainNames(of: subject.id).first { stands(.domain, $0) } ?? subject.id
        case (let kind, false):
            let shieldKind = kind == .app ? SubjectKind.category : .domainCategory
            return stands(shieldKind, category) ? category : ShieldPolicy.everyCategory
        }
    }
}
