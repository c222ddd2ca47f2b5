import Bus
import Contract
import Engine
import ExtensionLink
import Hosting
import JSON
import ServiceKit

/// How shields look and what their buttons do: asks the extensions of the app that shields, keeps what they
/// said until something changes, and has an answer when they have none.
@BusActor final class ShieldScreens {
    private let service: Service
    private let book: ShieldBook
    private let programs: HostedPrograms
    private let tokens: TokenTranslator
    /// What extensions said and still holds.
    private var fresh: [ShieldCause: ShieldLook] = [:]
    /// What they said at any time since the start.
    private var earlier: [ShieldCause: ShieldLook] = [:]
    /// As it was last answered.
    private var told: [ShieldCause: ShieldScreen] = [:]
    /// Those who wait for an extension that is being asked.
    private var waiting: [ShieldCause: [CheckedContinuation<Void, Never>]] = [:]
    private var failures: [ShieldCause: String] = [:]
    /// Grows with each change: what was asked before it does not count any more.
    private var generations: [String: Int] = [:]

    init(_ service: Service, _ book: ShieldBook) throws {
        self.service = service
        self.book = book
        let host = try ExtensionHosting(service)
        programs = try HostedPrograms(host, points: [.shieldConfiguration, .shieldAction])
        tokens = TokenTranslator { [service] name throws(ServiceError) in try service.client(name) }
        programs.onChange = { [weak self] in self?.forget($0) }
        book.onChange = { [weak self] in self?.forget($0) }
        service.unfinished.append { [weak self] in self?.unfinished ?? [] }
    }

    func follow() throws(ServiceError) { try programs.follow() }

    private var unfinished: [String] {
        waiting.keys.map { "an extension of \($0.client) is asked how a shield looks" }
    }

    /// Something of the client changed: its extension is asked anew.
    func forget(_ client: String) {
        generations[client, default: 0] += 1
        fresh = fresh.filter { $0.key.client != client }
        failures = failures.filter { $0.key.client != client }
    }

    /// What is kept of how shields looked goes.
    func forgetLooks() { (fresh, earlier, told, failures) = ([:], [:], [:], [:]) }

    /// The client's grant changed.
    func forget(_ authorization: Authorization) {
        tokens.drop(authorization)
        forget(authorization.client)
    }

    // MARK: the cause

    /// What draws the shield.
    /// - Throws: `notFound` when nothing does.
    private func cause(
        _ member: String?, _ kind: SubjectKind, _ subject: String, _ trace: TraceContext
    ) async throws(ServiceError) -> ShieldCause {
        guard kind == .app || kind == .domain else {
            throw ServiceError(
                .invalidArgument, "the shield of a \(kind.rawValue) stands nowhere",
                remedy: "Ask for an app or a domain of it.")
        }
        let member = service.member(member)
        let subject = kind == .domain ? DomainName.spelling(of: subject) : subject
        let item = await item(kind, subject, trace)
        let policy = book.state.policy(of: member)
        let meant: Subject = kind == .app ? .app(subject) : .domain(subject)
        guard let reason = policy.reasons(for: meant, category: item.category).first else {
            throw ServiceError(
                .notFound, "'\(subject)' is not shielded", remedy: "See `screentime shield explain`.")
        }
        return ShieldCause(member: member, item: item, reason: reason)
    }

    /// As the catalogue has it; without activity-center only what names the subject itself is judged.
    private func item(_ kind: SubjectKind, _ subject: String, _ trace: TraceContext) async -> CatalogItem {
        let target = kind == .app ? CatalogTarget(app: subject) : CatalogTarget(host: subject)
        do throws(ServiceError) {
            var item = try await service.call(
                CatalogResolve.self, target,
                options: CallOptions(deadlineMs: ShieldLimits.catalogueMs, trace: trace))
            item.kind = kind
            item.subject = subject
            return item
        } catch {
            service.log.warnOnce(
                "catalogue.\(error.name.rawValue)", "the category of what is shielded is not known",
                [("error", .text(error.name.rawValue))])
            return CatalogItem(kind: kind, subject: subject)
        }
    }

    // MARK: how it looks

    func read(
        _ params: ShieldScreenRead.Params, _ trace: TraceContext
    ) async throws -> ShieldScreenRead.Result {
        let cause = try await cause(params.member, params.kind, params.subject, trace)
        let screen = try await screen(cause, trace)
        return ShieldScreenRead.Result(
            screen: screen, pending: fresh[cause] == nil && waiting[cause] != nil ? true : nil)
    }

    private func screen(_ cause: ShieldCause, _ trace: TraceContext) async throws -> ShieldScreen {
        if fresh[cause] == nil, programs.program(of: cause.client, .shieldConfiguration) != nil {
            await ask(cause, trace)
        }
        let screen = present(cause)
        try tell(screen, cause, trace)
        return screen
    }

    private func present(_ cause: ShieldCause) -> ShieldScreen {
        var screen = ShieldScreen()
        (screen.member, screen.kind, screen.subject) = (cause.member, cause.kind, cause.subject)
        (screen.category, screen.name, screen.client) = (cause.category, cause.name, cause.client)
        screen.program = programs.program(of: cause.client, .shieldConfiguration)?.program.id
        if let look = fresh[cause] {
            (screen.look, screen.origin) = (look, .program)
            return screen
        }
        let why =
            failures[cause]
            ?? (screen.program == nil
                ? "\(cause.client) has no shield-configuration extension"
                : "the extension is still being asked; it may take up to \(ShieldLimits.lookMs) ms")
        if let look = earlier[cause] {
            (screen.look, screen.origin) = (look, .earlier)
            screen.explanation = "As it looked earlier: \(why)."
        } else {
            (screen.look, screen.origin) = (cause.systemLook, .system)
            screen.explanation = "The system's own words: \(why)."
        }
        return screen
    }

    /// Publishes a look that is another than the last that was told.
    private func tell(_ screen: ShieldScreen, _ cause: ShieldCause, _ trace: TraceContext) throws {
        let before = told[cause]
        guard before != screen else { return }
        if told.count >= ShieldLimits.screensKept { told = [:] }
        try service.transact(trace: trace) { transaction in
            told[cause] = screen
            transaction.onUndo { [weak self] in self?.told[cause] = before }
            _ = try transaction.emit(ShieldConfigured(screen: screen), subject: screen.client)
        }
    }

    /// Returns when the extension has answered, or after `ShieldLimits.lookMs`. An answer that comes later is
    /// kept, and told.
    private func ask(_ cause: ShieldCause, _ trace: TraceContext) async {
        let isAsked = waiting[cause] != nil
        var timer: TimerToken?
        await withCheckedContinuation { continuation in
            waiting[cause, default: []].append(continuation)
            timer = Reactor.shared.after(milliseconds: ShieldLimits.lookMs) { [weak self] in
                self?.failures[cause] =
                    "the extension did not answer within \(ShieldLimits.lookMs) ms (lookMs)"
                self?.wake(cause)
            }
            if !isAsked { Task { @BusActor in await request(cause, trace) } }
        }
        if let timer { Reactor.shared.cancel(timer) }
    }

    private func wake(_ cause: ShieldCause) {
        // The key stays while the extension is at it.
        let all = waiting[cause] ?? []
        waiting[cause] = waiting[cause] == nil ? nil : []
        for one in all { one.resume() }
    }

    private func request(_ cause: ShieldCause, _ trace: TraceContext) async {
        let generation = generations[cause.client, default: 0]
        let result = await answer(cause, trace)
        defer {
            wake(cause)
            waiting[cause] = nil
        }
        guard generations[cause.client, default: 0] == generation else { return }
        switch result {
        case .failure(let error): failures[cause] = error.message
        case .success(let look):
            if fresh.count >= ShieldLimits.screensKept { (fresh, earlier) = ([:], [:]) }
            failures[cause] = nil
            (fresh[cause], earlier[cause]) = (look, look)
            guard told[cause] != nil else { return }
            do { try tell(present(cause), cause, trace) } catch {
                service.log.error("telling of a shield's look failed", [("error", .text("\(error)"))])
            }
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
                    deadlineMs: ShieldLimits.answerMs, trace: trace))
            return .success(try ShieldLook.decode(answer.bytes))
        } catch { return .failure(Self.reason(error)) }
    }

    private func token(_ kind: TokenKind, _ name: String, _ cause: ShieldCause) async throws -> String {
        let owner = TokenOwner(
            client: cause.client == BuiltInClient.limits ? nil : cause.client, member: cause.member)
        let subject = TokenSubject(kind, name)
        let result = await withCheckedContinuation { continuation in
            tokens.tokens(for: [subject], owner) { continuation.resume(returning: $0) }
        }
        guard let token = try result.get()[subject.key] else {
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
                .internalError, "the extension's answer is not what it should be: \(error.message)",
                remedy: "Build it against this version.")
        default: ServiceError(anything: error)
        }
    }

    // MARK: buttons

    func press(_ params: ShieldPress.Params, _ trace: TraceContext) async throws -> ShieldActionTaken {
        let cause = try await cause(params.member, params.kind, params.subject, trace)
        var taken = ShieldActionTaken()
        (taken.member, taken.kind, taken.subject) = (cause.member, cause.kind, cause.subject)
        (taken.category, taken.client, taken.button) = (cause.category, cause.client, params.button)
        if let program = programs.program(of: cause.client, .shieldAction) {
            taken.program = program.program.id
            do {
                taken.response = try await act(params.button, cause, program, trace)
            } catch {
                taken.response = params.button.systemResponse
                taken.explanation = "The system's own answer: \(Self.reason(error).message)."
            }
        } else {
            taken.response = params.button.systemResponse
            taken.explanation = "The system's own answer: \(cause.client) has no shield-action extension."
        }
        let told = taken
        try service.transact(trace: trace) { transaction in
            _ = try transaction.emit(told, subject: told.client)
        }
        guard taken.response == .defer else { return taken }
        fresh[cause] = nil
        _ = try await screen(cause, trace)
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
                deadlineMs: ShieldLimits.actionMs, trace: trace))
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

    /// Without an extension that says so: the primary button closes, the others do nothing.
    var systemResponse: ShieldResponse { self == .primary ? .close : .none }
}
