import Contract
import Loop
import ServiceKit

/// What the person asked for is what the services hold, and their copies, too.
extension Oracle {
    func checkPerson() {
        let day = week.day
        ask(MemberList.self, Nothing()) { [self] list in
            let found = list.members.filter { $0.uid == nil }
            let expected = day.members.map { "\($0.key) \($0.value.dayStart)" }.sorted()
            if found.map({ "\($0.name) \($0.dayStartMinutes)" }).sorted() != expected {
                violate("the members are \(found.map(\.name)); the person made \(expected)")
            }
            for service in week.system.services where service.name != .auth && service.name != .monitor {
                let copy = service.household.everyone
                guard copy != list.members.sorted(by: { $0.id < $1.id }) else { continue }
                violate("\(service.name.rawValue) knows the members \(copy)")
            }
        }
        checkRequests()
        ask(CatalogList.self, CatalogList.Params(kind: .app)) { [self] list in
            let own = list.items.filter { $0.source == .person }.map { ($0.subject, $0.category) }
            let found = Dictionary(own) { $1 }
            if found != day.categories {
                violate("the person's categories are \(found); the person set \(day.categories)")
            }
        }
        ask(MonitoringList.self, MonitoringList.Params()) { [self] list in
            var expected = week.registered.mapValues(\.activity)
            expected[PersonsDay.activity] = day.extra.last?.current
            for kid in day.members.values where kid.hasActivity {
                let activity = PersonsDay.activityOfMember
                expected[Self.name(of: activity.name, kid.id)] = activity
            }
            let all = list.activities.map { (Self.name(of: $0.activity.name, $0.member), $0.activity) }
            let found = Dictionary(all) { $1 }
            guard found != expected else { return }
            violate("registered are \(found); the person registered \(expected)")
        }
        ask(NotificationList.self, NotificationList.Params(limit: 1_000)) { [self] list in
            let found = Dictionary(list.notifications.map { ($0.identifier, $0.state) }) { $1 }
            for identifier in day.notifications {
                let expected: NotificationState = day.withdrawn.contains(identifier) ? .closed : .delivered
                guard found[identifier] != expected else { continue }
                let state = found[identifier]?.rawValue ?? "not there"
                violate("the notification '\(identifier)' is \(state), not \(expected.rawValue)")
            }
        }
    }

    /// Requests for more time are what the answers said, or expired since; the events alone tell the same.
    private func checkRequests() {
        ask(RequestList.self, RequestList.Params(limit: 500)) { [self] list in
            let expected = week.day.requests.expected(at: week.system.simulator.now)
            let found = Dictionary(list.requests.map { ($0.id, $0) }) { $1 }
            if found != expected {
                violate("the requests are \(found.values); the person made \(expected.values)")
            }
            var told: [String: TimeRequest] = [:]
            let witness = week.witness
            for one in witness.events(of: .auth) {
                let made = witness.decoded(one, RequestCreated.self)?.request
                guard let request = made ?? witness.decoded(one, RequestDecided.self)?.request else {
                    continue
                }
                if (made == nil) == (told[request.id]?.state != .pending) {
                    violate("the events tell the request \(request.id) in another order")
                }
                told[request.id] = request
            }
            for (id, request) in expected where told[id] != request {
                violate("the last event of request \(id) has the state \(told[id]?.state.rawValue ?? "none")")
            }
        }
    }

    /// What something is called here: with its member, unless that is the person or nil.
    static func name(of thing: String, _ member: String?) -> String {
        guard let member, member != Household.defaultMember else { return thing }
        return "\(thing) of \(member)"
    }
}
