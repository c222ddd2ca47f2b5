import Contract
import Units

@testable import AuthCore

/// The rules of requests for more time, slowly and simply: a list, and a function for each operation. Days
/// are those of UTC. Each throws the name of the refusal, and then nothing has changed.
struct RequestModel {
    struct Delay: Equatable {
        var minutes: Int64 = 5
        var next: Int64?
        var nextAt: Instant?
    }

    var requests: [TimeRequest] = []
    /// The person's.
    var delay = Delay()
    /// Members that have no one more minute.
    var without: Set<String> = []
    /// Minutes after midnight.
    var dayStart: [String: Int64] = [:]
    let own: String

    init(own: String) { self.own = own }

    /// What time alone changes.
    mutating func pass(to now: Instant) {
        for index in requests.indices
        where requests[index].state == .pending && now >= requests[index].dayEnd {
            requests[index].state = .expired
            requests[index].decided = requests[index].dayEnd
        }
        if let at = delay.nextAt, let next = delay.next, now >= at { delay = Delay(minutes: next) }
    }

    /// - Parameter id: of a new request.
    mutating func create(_ params: RequestCreate.Params, _ id: String, now: Instant) throws(ErrorName)
        -> TimeRequest
    {
        let member = params.member ?? own
        let same = requests.filter {
            $0.member == member && $0.kind == params.kind && $0.subject == params.subject
        }
        var request = TimeRequest(
            id: id, member: member, kind: params.kind, subject: params.subject, minutes: params.minutes,
            reason: params.reason, asked: now, dayEnd: dayEnd(member, now))
        if params.oneMoreMinute == true {
            if without.contains(member) { throw .notAuthorized }
            if let last = same.filter({ $0.oneMoreMinute == true }).map(\.dayEnd).max() {
                if now < last { throw .conflict }
                while request.dayEnd < last + .hours(22) { request.dayEnd = dayEnd(member, request.dayEnd) }
            }
            (request.minutes, request.oneMoreMinute, request.state) = (1, true, .approved)
            (request.decided, request.decider, request.granted) = (now, .rule, 1)
            request.end = now + 60_000
        } else {
            if let open = same.first(where: { $0.state == .pending }) {
                if open.minutes == request.minutes { return open }
                throw .conflict
            }
            let pending = requests.filter { $0.state == .pending && $0.member == member }
            if pending.count >= 20 { throw .limitExceeded }
            if member == own { request.selfApproval = now + .minutes(delay.minutes) }
        }
        requests.append(request)
        return request
    }

    mutating func decide(_ params: RequestDecide.Params, now: Instant) throws(ErrorName) -> TimeRequest {
        guard let index = requests.firstIndex(where: { $0.id == params.id }) else { throw .notFound }
        var request = requests[index]
        let minutes = params.minutes ?? request.minutes
        switch (request.state, params.decision) {
        case (.pending, .approve):
            if let opens = request.selfApproval, now < opens { throw .notAuthorized }
            (request.state, request.granted) = (.approved, minutes)
            request.end = minutes.map { now + .minutes($0) } ?? request.dayEnd
        case (.pending, .deny): request.state = .denied
        case (.approved, .approve) where request.granted == minutes: return request
        case (.denied, .deny): return request
        default: throw .conflict
        }
        (request.decided, request.answer) = (now, params.answer)
        request.decider = request.member == own ? .member : .guardian
        requests[index] = request
        return request
    }

    mutating func withdraw(_ id: String, now: Instant) throws(ErrorName) -> TimeRequest {
        guard let index = requests.firstIndex(where: { $0.id == id }) else { throw .notFound }
        switch requests[index].state {
        case .pending: (requests[index].state, requests[index].decided) = (.withdrawn, now)
        case .withdrawn: break
        case .approved, .denied, .expired: throw .conflict
        }
        return requests[index]
    }

    mutating func setDelay(_ minutes: Int64, now: Instant) {
        if minutes >= delay.minutes {
            delay = Delay(minutes: minutes)
        } else if minutes != delay.next {
            (delay.next, delay.nextAt) = (minutes, now + .minutes(delay.minutes))
        }
    }

    mutating func remove(_ member: String) {
        requests.removeAll { $0.member == member }
        without.remove(member)
        dayStart[member] = nil
    }

    /// The next start of a day, found by going minute by minute.
    private func dayEnd(_ member: String, _ now: Instant) -> Instant {
        var minute = now.milliseconds / 60_000 + 1
        while minute % 1_440 != dayStart[member] ?? 0 { minute += 1 }
        return Instant(milliseconds: minute * 60_000)
    }
}
