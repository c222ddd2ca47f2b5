import Contract
import ServiceKit
import Units

/// What `privacy.forget` deletes of requests for more time.
extension AuthService {
    func forgetRequests(
        _ forgetting: Forgetting, _ report: ForgetReport, _ transaction: Transaction
    ) throws {
        var gone: Set<String> = []
        for request in try requests.all()
        where forgetting.concerns(member: request.member) && isForgotten(request, forgetting) {
            if request.state == .pending { _ = try withdraw(request, transaction) }
            if request.oneMoreMinute == true {
                try members.noteForgottenMinute(of: request.member, dayEnd: request.dayEnd)
            }
            try requests.delete(id: request.id)
            gone.insert(request.id)
        }
        guard !gone.isEmpty else { return }
        report.removed("requests for more time", gone.count)
        // Also the one that tells the withdrawal.
        try service.eraseEvents(report) { event in
            try told(by: event).map { gone.contains($0.id) } ?? false
        }
    }

    /// The request that an event is about; nil for another event.
    func told(by event: StoredEventData) throws -> TimeRequest? {
        if let made = try event.decoded(RequestCreated.self) { return made.request }
        return try event.decoded(RequestDecided.self)?.request
    }

    /// What names the subject goes. Of a range of time goes what is over and was asked for or decided in it:
    /// a pending request, an exception and today's one more minute are no history yet.
    private func isForgotten(_ request: TimeRequest, _ forgetting: Forgetting) -> Bool {
        switch forgetting.extent {
        case .everything: true
        case .subject(let kind, _):
            request.kind == kind && forgetting.isIncluded(kind, request.subject)
                || forgetting.isNamed(in: request) || forgetting.isSpoken(in: request.reason)
                || forgetting.isSpoken(in: request.answer)
        case .stretch:
            !isPresent(request)
                && (forgetting.contains(request.asked)
                    || request.decided.map { forgetting.contains($0) } ?? false)
        }
    }

    private func isPresent(_ request: TimeRequest) -> Bool {
        let now = time.now
        return request.state == .pending || request.end.map { $0 > now } ?? false
            || request.oneMoreMinute == true && request.dayEnd + AuthLimits.minuteDayMin > now
    }

    /// Whether an event about a request loses its data. The one that tells the present state stays.
    func erases(
        _ told: TimeRequest, _ event: StoredEventData, _ forgetting: Forgetting
    ) throws -> Bool {
        guard forgetting.concerns(member: told.member) else { return false }
        if let present = try requests.find(id: told.id), present == told, isPresent(present),
            !isForgotten(present, forgetting)
        {
            return false
        }
        return forgetting.isHistory(event) || isForgotten(told, forgetting)
    }
}
