import Bus
import Contract
import Loop
import ServiceKit
import Units

/// Asks the person by a notification with buttons. The command line always works as well.
extension AuthService {
    var words: PromptWords { .chosen(from: service.configuration.languages) }

    func prompt(_ question: Question, _ asked: Authorization, _ person: Member, _ trace: TraceContext?) {
        prompt(question, post(question, asked, person), trace)
    }

    /// Shows the question until it is answered. Best effort: without the notifier the request waits anyway.
    func prompt(_ question: Question, _ post: NotificationPost.Params, _ trace: TraceContext?) {
        // The service is not held during a pause.
        Task { @LoopActor [weak self, loop = service.loop] in
            while let pause = await self?.show(question, post, trace) { await loop.sleep(pause) }
        }
    }

    /// - Returns: the pause before the next attempt; nil if none is needed.
    private func show(
        _ question: Question, _ post: NotificationPost.Params, _ trace: TraceContext?
    ) async -> Milliseconds? {
        do throws(ServiceError) {
            guard !service.stopping, try await isOpen(question) else { return nil }
            // The same key each time, so the notifier shows it once, however often it is sent.
            _ = try await service.call(
                NotificationPost.self, post,
                options: CallOptions(
                    deadline: AuthLimits.notifierAttempt, trace: trace, idempotencyKey: post.identifier))
            return nil
        } catch {
            guard notifierMayCome(error, for: question.topic) else { return nil }
            // Other errors come at once.
            return error.name == .deadlineExceeded ? 0 : AuthLimits.notifierAttempt
        }
    }

    /// Whether it is open in the store, after the turn.
    private func isOpen(_ question: Question) async throws(ServiceError) -> Bool {
        try await service.readCommitted { [self] in
            try table(of: question).open(identifier: question.identifier) != nil
        }
    }

    /// Logs once how the person can answer without buttons. Returns false if retrying is useless.
    private func notifierMayCome(_ error: ServiceError, for topic: Question.Topic) -> Bool {
        guard error.name != .shuttingDown else { return false }
        service.log.warnOnce(
            "notifier", "no notification could be shown; the person can only answer in a terminal",
            [
                ("error", .name(of: error)),
                ("remedy", .text("screentime \(topic.command) approve|deny ID")),
            ])
        return error.name == .unavailable || error.name == .deadlineExceeded || Self.isBusy(error)
    }

    /// The notifier runs, and cannot take a notification now; or this service cannot read.
    private static func isBusy(_ error: ServiceError) -> Bool {
        [.storageFull, .storageFailed, .storageDamaged, .tooManyRequests].contains(error.name)
    }

    private func post(
        _ question: Question, _ asked: Authorization, _ person: Member
    ) -> NotificationPost.Params {
        let name = asked.clientName.map { "\($0) (\(asked.client))" } ?? asked.client
        let (title, text) = words.permission(name, person.name, asked)
        return NotificationPost.Params(
            identifier: question.identifier, title: title,
            body: text + "\n" + words.inTerminal("screentime authorization approve \(asked.id)"),
            actions: [
                NotificationAction(key: Decision.approve.rawValue, label: words.approve),
                NotificationAction(key: Decision.deny.rawValue, label: words.deny),
            ],
            urgency: .normal)
    }

    /// Withdraws the questions that are over, one after the other, however long the notifier is away.
    func withdrawQuestions() {
        guard !isWithdrawing else { return }
        isWithdrawing = true
        Task { @LoopActor [weak self, loop = service.loop] in
            while let pause = await self?.withdrawNext() { await loop.sleep(pause) }
            self?.isWithdrawing = false
        }
    }

    /// - Returns: the pause before the next one; nil if there is none.
    private func withdrawNext() async -> Milliseconds? {
        guard !service.stopping else { return nil }
        do {
            // An end that is not committed yet may be undone.
            let over = try await service.readCommitted { [questions, requestQuestions] in
                try questions.firstOver() ?? requestQuestions.firstOver()
            }
            guard let (question, trace) = over else { return nil }
            let context = TraceContext(trace)
            let failure = await withdraw(question, context)
            // `notFound`: it was never shown.
            if let failure, failure.name != .notFound { throw failure }
            try service.transact(trace: context) { _ in try table(of: question).remove(question) }
            try await service.committed()
            return 0
        } catch {
            let error = ServiceError(anything: error)
            guard error.name != .shuttingDown else { return nil }
            service.log.debug("a notification was not withdrawn", [("error", .name(of: error))])
            return AuthLimits.notifierAttempt
        }
    }

    private func table(of question: Question) -> QuestionTable {
        question.topic == .authorization ? questions : requestQuestions
    }

    private func withdraw(_ question: Question, _ trace: TraceContext?) async -> ServiceError? {
        do throws(ServiceError) {
            _ = try await service.call(
                NotificationWithdraw.self, NotificationWithdraw.Params(identifier: question.identifier),
                options: CallOptions(deadline: Limits.requestDeadlineMax, trace: trace))
            return nil
        } catch { return error }
    }

    /// Handles the buttons.
    func followNotifier() throws(ServiceError) {
        try service.follow(.notifier, consequence: "buttons of questions have no effect") { following in
            following.on(NotificationAnswered.self) { [unowned self] event, transaction in
                // An app may post with any identifier: its buttons do not answer our questions.
                guard event.data.client == nil else { return }
                if let question = try requestQuestions.open(identifier: event.data.identifier) {
                    return try pressOnRequest(question, event.data.action, transaction)
                }
                guard let decision = Decision(rawValue: event.data.action),
                    let question = try questions.open(identifier: event.data.identifier),
                    let asked = try authorizations.find(id: question.about)
                else { return }
                try press(asked, decision, transaction)
            }
        }
    }

    private func press(
        _ asked: Authorization, _ decision: Decision, _ transaction: Transaction
    ) throws {
        do {
            try settle(asked, decision, transaction)
        } catch let error as ServiceError where error.name == .authorizationConflict {
            // A button press cannot return an error to the person, but the app's request can.
            try endAsking(asked, .failure(error), transaction)
        }
    }
}
