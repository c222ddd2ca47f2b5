import Contract
import Loop
import ServiceKit
import Units

/// The requests for more time of the person and of other members, and what became of them by the answers.
@LoopActor final class PersonsRequests {
    /// As last answered, by id.
    private(set) var known: [String: TimeRequest] = [:]
    private let person: SimulatedPerson
    private let violate: @LoopActor (String) -> Void

    init(_ person: SimulatedPerson, violate: @escaping @LoopActor (String) -> Void) {
        self.person = person
        self.violate = violate
    }

    /// - Parameter minutes: nil asks for one more minute.
    func make(
        member: String?, _ kind: SubjectKind, _ subject: String, minutes: Int64?,
        _ done: @escaping @LoopActor () -> Void
    ) {
        let params = RequestCreate.Params(
            member: member, kind: kind, subject: subject, minutes: minutes,
            oneMoreMinute: minutes == nil ? true : nil)
        person.ask(RequestCreate.self, params) { [self] result in
            switch result {
            case .success(let made): known[made.request.id] = made.request
            // It was taken already that day, or there is a pending one of another length.
            case .failure(let error)
            where error.name == .conflict && (minutes == nil || isPending(params, but: minutes)): break
            case .failure(let error): violate("a request was refused: \(error.message)")
            }
            done()
        }
    }

    private func isPending(_ asked: RequestCreate.Params, but minutes: Int64?) -> Bool {
        known.values.contains {
            $0.state == .pending && $0.member == asked.member ?? Household.defaultMember
                && $0.kind == asked.kind && $0.subject == asked.subject && $0.minutes != minutes
        }
    }

    /// Decides or withdraws one of them: often a pending one, else whatever became of it.
    /// - Parameter decision: nil withdraws.
    func end(_ index: Int, _ decision: Decision?, _ done: @escaping @LoopActor () -> Void) {
        let pending = known.filter { $0.value.state == .pending }
        let ids = (index % 4 > 0 && !pending.isEmpty ? pending : known).keys.sorted()
        guard !ids.isEmpty, let request = known[ids[index % ids.count]] else { return done() }
        let asked = person.now
        guard let decision else {
            return person.ask(RequestWithdraw.self, RequestWithdraw.Params(id: request.id)) { [self] result in
                take(result.map(\.request), about: request, asked)
                done()
            }
        }
        let params = RequestDecide.Params(id: request.id, decision: decision)
        person.ask(RequestDecide.self, params) { [self] result in
            take(result.map(\.request), about: request, asked)
            done()
        }
    }

    /// - Parameter asked: when it was asked for.
    private func take(
        _ result: Result<TimeRequest, ServiceError>, about before: TimeRequest, _ asked: Instant
    ) {
        switch result {
        case .success(let request):
            if before.state != .pending, request != before {
                violate("the request \(before.id) was \(before.state), and is \(request.state)")
            }
            known[request.id] = request
        case .failure(let error):
            let isOver = before.state != .pending || before.dayEnd <= person.now
            let isEarly = before.selfApproval.map { asked < $0 } ?? false
            guard error.name == .conflict && isOver || error.name == .notAuthorized && isEarly else {
                return violate("the request \(before.id), \(before.state): \(error.message)")
            }
        }
    }

    /// A removed member has none.
    func remove(of member: String) { known = known.filter { $0.value.member != member } }

    /// What they must be at an instant.
    func expected(at now: Instant) -> [String: TimeRequest] {
        known.mapValues { request in
            guard request.state == .pending, request.dayEnd <= now else { return request }
            var expired = request
            (expired.state, expired.decided) = (.expired, request.dayEnd)
            return expired
        }
    }
}
