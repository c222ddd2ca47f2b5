import Bus
import Contract
import ExtensionLink
import Hosting
import JSON
import Loop
import Rules
import ServiceKit

/// How shields look and what their buttons do: requests both from the extensions of the app that shields,
/// caches their looks until something changes, and has a default for everything.
@LoopActor final class ShieldScreens {
    private let service: Service
    private let repository: ShieldRepository
    private let catalogue: CatalogueCopy
    private let programs: HostedPrograms
    private var tokens: TokenTranslator { programs.host.translator }
    /// Looks from extensions that are still valid.
    private var fresh: [ShieldCause: ShieldLook] = [:]
    /// The last look from an extension since the start, valid or not.
    private var earlier: [ShieldCause: ShieldLook] = [:]
    /// The last published screens.
    private var published: [ShieldCause: ShieldScreen] = [:]
    /// Requests to extensions that are not answered yet.
    private var questions: [ShieldCause: Question] = [:]
    /// Why the last request failed.
    private var failures: [ShieldCause: String] = [:]
    private var nextWaiter = 0

    private struct Question {
        /// Callers that wait for the answer, by number.
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        /// Something changed since the request: its answer is not used.
        var isOutdated = false
    }

    init(
        _ service: Service, _ repository: ShieldRepository, _ catalogue: CatalogueCopy,
        _ runner: (any ProgramRunner)?
    ) throws {
        self.service = service
        self.repository = repository
        self.catalogue = catalogue
        let host = try ExtensionHosting(service, runner)
        programs = try HostedPrograms(host, points: [.shieldConfiguration, .shieldAction])
        programs.onChange = { [weak self] in self?.forget($0) }
        repository.onChange = { [weak self] in self?.forget($0) }
    }

    func follow() throws(ServiceError) { try programs.follow() }

    func stop() { programs.stop() }

    /// See ``ServiceProgram/unfinished``.
    var unfinished: [String] {
        questions.keys.map { "an extension of \($0.client) has not returned a shield's look yet" }
    }

    /// Makes the looks of a client invalid, because something of it changed.
    func forget(_ client: String) {
        for cause in questions.keys where cause.client == client { questions[cause]?.isOutdated = true }
        fresh = fresh.filter { $0.key.client != client }
        failures = failures.filter { $0.key.client != client }
    }

    /// Deletes all cached looks.
    func forgetLooks() {
        (fresh, earlier, published, failures) = ([:], [:], [:], [:])
        for cause in questions.keys { questions[cause]?.isOutdated = true }
    }

    /// The same after the client's authorization changed; its tokens may differ, too.
    func forget(_ authorization: Authorization) {
        tokens.drop(authorization)
        forget(authorization.client)
    }

    // MARK: the cause

    /// The catalogue's item for an app or a domain.
    /// - Throws: `invalidArgument` for other kinds.
    private func catalogued(
        _ kind: SubjectKind, _ subject: String, _ trace: TraceContext
    ) async throws(ServiceError) -> CatalogItem {
        guard kind == .app || kind == .domain else {
            throw ServiceError(
                .invalidArgument, "a \(kind.rawValue) has no screen of its own",
                remedy: "Ask for an app or a domain of it.")
        }
        try VisibleText.checkName(subject, "'subject'")
        let spelt = kind == .domain ? DomainName.spelling(of: subject) : subject
        return try await item(kind, spelt, trace)
    }

    /// What determines the shield's look now; nil if the item is not shielded.
    private func drawing(_ item: CatalogItem, _ member: String) -> ShieldCause? {
        let policy = repository.state.policy(of: member)
        let meant: Subject = item.kind == .app ? .app(item.subject) : .domain(item.subject)
        return policy.reasons(for: meant, category: item.category).first
            .map { ShieldCause(member: member, item: item, reason: $0) }
    }

    /// - Throws: `notFound` if the item is not shielded.
    private func cause(_ item: CatalogItem, _ member: String) throws(ServiceError) -> ShieldCause {
        if let cause = drawing(item, member) { return cause }
        throw ServiceError(
            .notFound, "'\(item.subject)' is not shielded", remedy: "See `screentime shield explain`.")
    }

    /// The item as activity-center returns it; if that fails, with the category of the copy, without a name.
    private func item(
        _ kind: SubjectKind, _ subject: String, _ trace: TraceContext
    ) async throws(ServiceError) -> CatalogItem {
        let target = kind == .app ? CatalogTarget(app: subject) : CatalogTarget(host: subject)
        do throws(ServiceError) {
            var item = try await service.call(
                CatalogResolve.self, target,
                options: CallOptions(deadline: ShieldLimits.catalogue, trace: trace))
            item.kind = kind
            item.subject = subject
            return item
        } catch {
            service.log.warnOnce(
                "catalogue.\(error.name.rawValue)", "the category of a shielded app or site is not known",
                [("error", .name(of: error))])
            let meant = Subject(kind == .app ? .app : .domain, subject)
            let category = try await catalogue.categories(of: [meant], trace)[meant].category
            return CatalogItem(kind: kind, subject: subject, category: category)
        }
    }

    // MARK: looks

    func read(
        _ params: ShieldScreenRead.Params, _ trace: TraceContext
    ) async throws -> ShieldScreenRead.Result {
        let member = service.member(params.member)
        let item = try await catalogued(params.kind, params.subject, trace)
        return try await show(item, member, trace)
    }

    /// The look when the extension has answered, or the best known one after `ShieldLimits.look`. A later
    /// answer is cached and published.
    private func show(
        _ item: CatalogItem, _ member: String, _ trace: TraceContext
    ) async throws -> ShieldScreenRead.Result {
        let asked = try cause(item, member)
        ask(asked, item, trace)
        await answered(asked)
        // Another store may determine the look now, or none.
        let cause = try cause(item, member)
        if cause != asked { ask(cause, item, trace) }
        let screen = present(cause)
        try publish(screen, cause, trace)
        return ShieldScreenRead.Result(screen: screen, pending: questions[cause] == nil ? nil : true)
    }

    private func present(_ cause: ShieldCause) -> ShieldScreen {
        var screen = ShieldScreen()
        (screen.member, screen.kind, screen.subject) = (cause.member, cause.kind, cause.subject)
        (screen.category, screen.name, screen.client) = (cause.category, cause.name, cause.client)
        screen.shieldedBy = cause.rule
        screen.program = programs.program(of: cause.client, .shieldConfiguration)?.program.id
        if let look = fresh[cause] {
            (screen.look, screen.origin) = (look, .program)
            return screen
        }
        let why =
            questions[cause] != nil
            ? "the extension has not answered within \(ShieldLimits.look) ms"
            : failures[cause] ?? "\(cause.client) has no shield-configuration extension"
        if let look = earlier[cause] {
            (screen.look, screen.origin) = (look, .earlier)
            screen.explanation = "An earlier look: \(why)."
        } else {
            (screen.look, screen.origin) = (cause.systemLook, .system)
            screen.explanation = "The default look: \(why)."
        }
        return screen
    }

    /// Publishes a screen that differs from the last published one.
    private func publish(_ screen: ShieldScreen, _ cause: ShieldCause, _ trace: TraceContext) throws {
        let before = published[cause]
        guard before != screen else { return }
        if published.count >= ShieldLimits.screensKept { published = [:] }
        try service.transact(trace: trace) { transaction in
            published[cause] = screen
            transaction.onUndo { [weak self] in self?.published[cause] = before }
            _ = try transaction.emit(ShieldConfigured(screen: screen), subject: screen.client)
        }
    }

    /// Starts a request to the extension, if there is one and its last look is not valid.
    private func ask(_ cause: ShieldCause, _ item: CatalogItem, _ trace: TraceContext) {
        guard fresh[cause] == nil, questions[cause] == nil,
            programs.program(of: cause.client, .shieldConfiguration) != nil
        else { return }
        questions[cause] = Question()
        Task { @LoopActor in await request(cause, item, trace) }
    }

    /// Suspends until the request is answered, at most for `ShieldLimits.look`.
    private func answered(_ cause: ShieldCause) async {
        guard questions[cause] != nil else { return }
        let number = nextWaiter
        nextWaiter += 1
        var timer: TimerToken?
        await withCheckedContinuation { continuation in
            questions[cause]?.waiting[number] = continuation
            timer = service.loop.after(ShieldLimits.look) { [weak self] in
                self?.questions[cause]?.waiting.removeValue(forKey: number)?.resume()
            }
        }
        if let timer { service.loop.cancel(timer) }
    }

    /// Repeats the request until nothing changed during it.
    private func request(_ cause: ShieldCause, _ item: CatalogItem, _ trace: TraceContext) async {
        var result: Result<ShieldLook, ServiceError>
        repeat {
            questions[cause]?.isOutdated = false
            result = await answer(cause, trace)
        } while questions[cause]?.isOutdated == true && isWanted(cause, item)
        guard let question = questions.removeValue(forKey: cause) else {
            preconditionFailure("only this function ends a request")
        }
        if !question.isOutdated { keep(result, cause, trace) }
        for waiter in question.waiting.values { waiter.resume() }
    }

    /// Whether a caller waits for the look or a former one was published, and it still applies.
    private func isWanted(_ cause: ShieldCause, _ item: CatalogItem) -> Bool {
        (published[cause] != nil || questions[cause]?.waiting.isEmpty == false)
            && drawing(item, cause.member) == cause
    }

    private func keep(
        _ result: Result<ShieldLook, ServiceError>, _ cause: ShieldCause, _ trace: TraceContext
    ) {
        switch result {
        case .failure(let error):
            if failures.count >= ShieldLimits.screensKept { failures = [:] }
            failures[cause] = error.message
        case .success(let look):
            if fresh.count >= ShieldLimits.screensKept { (fresh, earlier) = ([:], [:]) }
            failures[cause] = nil
            (fresh[cause], earlier[cause]) = (look, look)
        }
        guard published[cause] != nil else { return }
        do { try publish(present(cause), cause, trace) } catch {
            service.log.error("publishing a shield's look failed", [("error", .name(of: error))])
        }
    }

    private func answer(
        _ cause: ShieldCause, _ trace: TraceContext
    ) async -> Result<ShieldLook, ServiceError> {
        guard let program = programs.program(of: cause.client, .shieldConfiguration) else {
            return .failure(ServiceError(.notFound, "the extension was removed", remedy: "Install it again."))
        }
        do {
            var params = ShieldConfigure.Params()
            let known = try await token(cause.kind == .app ? .app : .domain, cause.subject, cause)
            let subject = ShieldedSubject(token: known, name: cause.subject, displayName: cause.name)
            if cause.kind == .app { params.application = subject } else { params.webDomain = subject }
            if let category = cause.category {
                params.category = ShieldedSubject(
                    token: try await token(.category, category, cause), name: category,
                    displayName: cause.categoryName)
            }
            let answer = try await program.request(
                HostedRequest(
                    method: ShieldConfigure.name, params: RawJSON(encoding: params),
                    deadline: ShieldLimits.answer, trace: trace))
            return .success(try ShieldLook.decode(answer.bytes))
        } catch { return .failure(Self.reason(error)) }
    }

    private func token(_ kind: TokenKind, _ name: String, _ cause: ShieldCause) async throws -> String {
        let owner = TokenOwner(
            client: cause.client == BuiltInClient.limits ? nil : cause.client, member: cause.member)
        let subject = TokenSubject(kind, name)
        guard let token = try await tokens.tokens(for: [subject], owner)[subject.key] else {
            throw ServiceError(.internalError, "no token was made", remedy: "This is a bug.")
        }
        return token
    }

    private static func reason(_ error: any Error) -> ServiceError {
        switch error {
        case let error as ServiceError: error
        case let failure as HostedFailure: failure.error
        case let error as JSONError:
            ServiceError(
                .internalError, "the extension's answer is malformed: \(error.message)",
                remedy: "Build it against this version.")
        default: ServiceError(anything: error)
        }
    }

    // MARK: buttons

    func press(_ params: ShieldPress.Params, _ trace: TraceContext) async throws -> ShieldActionTaken {
        let member = service.member(params.member)
        let item = try await catalogued(params.kind, params.subject, trace)
        let cause = try cause(item, member)
        var taken = ShieldActionTaken()
        (taken.member, taken.kind, taken.subject) = (cause.member, cause.kind, cause.subject)
        (taken.category, taken.client, taken.button) = (cause.category, cause.client, params.button)
        if let program = programs.program(of: cause.client, .shieldAction) {
            taken.program = program.program.id
            do {
                taken.response = try await act(params.button, cause, program, trace)
            } catch {
                taken.response = params.button.systemResponse
                taken.explanation = "The default response: \(Self.reason(error).message)."
            }
        } else {
            taken.response = params.button.systemResponse
            taken.explanation = "The default response: \(cause.client) has no shield-action extension."
        }
        let published = taken
        try service.transact(trace: trace) { transaction in
            _ = try transaction.emit(published, subject: published.client)
        }
        guard taken.response == .defer else { return taken }
        fresh[cause] = nil
        questions[cause]?.isOutdated = true
        // It may not be shielded any more.
        if drawing(item, member) == cause { _ = try await show(item, member, trace) }
        return taken
    }

    private func act(
        _ button: ShieldButton, _ cause: ShieldCause, _ program: HostedExtension, _ trace: TraceContext
    ) async throws -> ShieldResponse {
        let params: ShieldAct.Params
        if let category = cause.category {
            params = ShieldAct.Params(
                kind: .category, token: try await token(.category, category, cause), action: button.appleName)
        } else {
            let isApp = cause.kind == .app
            params = ShieldAct.Params(
                kind: isApp ? .application : .webDomain,
                token: try await token(isApp ? .app : .domain, cause.subject, cause),
                action: button.appleName)
        }
        let answer = try await program.request(
            HostedRequest(
                method: ShieldAct.name, params: RawJSON(encoding: params), callback: button.appleName,
                deadline: ShieldLimits.action, trace: trace))
        let response = try ShieldAct.Result.decode(answer.bytes).response
        guard let known = ShieldResponse(rawValue: response) else {
            throw ServiceError(
                .internalError, "the extension answered '\(response.prefix(64))'",
                remedy: "Build it against this version.")
        }
        return known
    }
}

extension ShieldButton {
    /// The case of Apple's ShieldAction.
    var appleName: String {
        switch self {
        case .primary: "primaryButtonPressed"
        case .secondary: "secondaryButtonPressed"
        case .submenu1: "firstSecondarySubmenuItemPressed"
        case .submenu2: "secondSecondarySubmenuItemPressed"
        case .submenu3: "thirdSecondarySubmenuItemPressed"
        }
    }

    /// The default response: the primary button closes, the others do nothing.
    var systemResponse: ShieldResponse { self == .primary ? .close : .none }
}
