import Bus
import Contract
import Loop
import ServiceKit

/// Asks the person by a notification with two buttons. The command line always works as well.
extension AuthService {
    private static let prefix = "authorization."

    /// Shows the question until it is answered. Best effort: without the notifier the request waits anyway.
    func prompt(_ asked: Authorization, _ person: Member, _ trace: TraceContext?) {
        let post = Self.question(asked, person)
        let key = "\(post.identifier).\(asked.requested)"
        Task { @LoopActor [weak self] in
            while let self, isAsking(asked) {
                do throws(ServiceError) {
                    // The same key each time, so the notifier shows it once, however often it is sent.
                    _ = try await service.call(
                        NotificationPost.self, post,
                        options: CallOptions(
                            deadline: AuthLimits.notifierAttempt, trace: trace, idempotencyKey: key))
                    return
                } catch {
                    guard notifierMayCome(error) else { return }
                    // These answers come at once.
                    if Self.isBusy(error) { await service.loop.sleep(AuthLimits.notifierAttempt) }
                }
            }
        }
    }

    private func isAsking(_ asked: Authorization) -> Bool {
        do {
            let present = try authorizations.find(id: asked.id)
            return present?.pending == true && present?.requested == asked.requested
        } catch {
            return false
        }
    }

    /// Logs once how the person can answer without buttons. Returns false if retrying is useless.
    private func notifierMayCome(_ error: ServiceError) -> Bool {
        guard error.name != .shuttingDown else { return false }
        service.log.warnOnce(
            "notifier", "no notification could be shown; the person can only answer in a terminal",
            [("error", .text(error.name.rawValue)), ("remedy", "screentime authorization approve|deny ID")])
        return error.name == .unavailable || error.name == .deadlineExceeded || Self.isBusy(error)
    }

    /// The notifier runs, and cannot take a notification now.
    private static func isBusy(_ error: ServiceError) -> Bool {
        [.storageFull, .storageFailed, .tooManyRequests].contains(error.name)
    }

    private static func question(_ asked: Authorization, _ person: Member) -> NotificationPost.Params {
        let name = asked.clientName.map { "\($0) (\(asked.client))" } ?? asked.client
        let asks =
            switch asked.forWhom {
            case .individual:
                "It wants to see how \(person.name) uses this computer, and to set limits for them."
            case .child:
                "It wants to act as a guardian of \(person.name): to see how they use this computer, and "
                    + "to set limits that they cannot lift themselves."
            }
        let more =
            asked.asksDataAccess == true
            ? " It also wants to see by name which apps are installed here and which sites are visited." : ""
        return NotificationPost.Params(
            identifier: prefix + asked.id, title: "\(name) asks for your permission",
            body: asks + more + "\nIn a terminal: screentime authorization approve \(asked.id)",
            actions: [
                NotificationAction(key: Decision.approve.rawValue, label: "Approve"),
                NotificationAction(key: Decision.deny.rawValue, label: "Deny"),
            ],
            urgency: .normal)
    }

    /// Withdraws the notification. The request waits in the client while the notifier is not running, so that
    /// a restarted notifier does not show an obsolete question.
    func withdrawPrompt(_ ended: Authorization, _ trace: TraceContext) {
        let params = NotificationWithdraw.Params(identifier: Self.prefix + ended.id)
        Task { @LoopActor [weak self] in
            do throws(ServiceError) {
                _ = try await self?.service.call(
                    NotificationWithdraw.self, params,
                    options: CallOptions(deadline: Limits.requestDeadlineMax, trace: trace))
            } catch {
                // It was never shown.
                guard error.name != .notFound else { return }
                self?.service.log.debug(
                    "a notification was not withdrawn", [("error", .text(error.name.rawValue))])
            }
        }
    }

    /// Handles the buttons.
    func followNotifier() throws(ServiceError) {
        try service.follow(.notifier) { following in
            following.on(NotificationAnswered.self) { [unowned self] event, transaction in
                // An app may post with any identifier: its buttons do not answer our questions.
                guard event.data.client == nil, event.data.identifier.hasPrefix(Self.prefix),
                    let decision = Decision(rawValue: event.data.action),
                    let asked = try authorizations.find(
                        id: String(event.data.identifier.dropFirst(Self.prefix.count))),
                    // A button pressed before this question was asked answers an earlier one.
                    asked.pending, event.head.time >= UTCTime.text(asked.requested)
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
