import Contract
import JSON
import Loop
import ServiceKit
import Units

/// Exceptions, by what auth-service told of requests and by the events of shield-service.
extension Oracle {
    /// From a decision or an end until shield-service must have committed what follows.
    private static let latestMax: Milliseconds = .minutes(2)

    /// Each approval that lasts long enough begins one exception, which ends once: at its
    /// end, or with its member.
    func checkExceptions() {
        let began = Dictionary(grouping: week.witness.all(ExceptionBegan.self)) { $0.data.exception.id }
        let ended = Dictionary(grouping: week.witness.all(ExceptionEnded.self)) { $0.data.exception.id }
        for (id, request) in approvals() {
            guard let end = request.end, let decided = request.decided else { continue }
            let (begins, ends) = (began[id] ?? [], ended[id] ?? [])
            guard let begin = begins.first else {
                // It was over before shield-service could hear of it.
                if end - decided > Self.latestMax { violate("the exception \(id) did not begin") }
                continue
            }
            if begins.count > 1 { violate("the exception \(id) began \(begins.count) times") }
            if begin.data.exception.end != end { violate("the exception \(id) began with another end") }
            if begin.time >= end || begin.time > decided + Self.latestMax {
                violate("the exception \(id) of \(decided) began at \(begin.time), late")
            }
            guard let last = ends.first, ends.count == 1 else {
                violate("the exception \(id) ended \(ends.count) times")
                continue
            }
            switch last.data.ending {
            case .timeIsOver:
                if last.data.exception.end != end || last.time < end || last.time > end + Self.latestMax {
                    violate("the exception \(id) ended at \(last.time) instead of \(end)")
                }
            case .memberRemoved:
                if request.member == Household.defaultMember { violate("the person was not removed") }
                if last.time > end + Self.latestMax { violate("the exception \(id) ended late") }
            case .person: violate("nobody ended the exception \(id)")
            }
        }
        let others = Set(began.keys).union(ended.keys).subtracting(approvals().keys)
        if !others.isEmpty { violate("exceptions without an approval: \(others.sorted())") }
        for _ in began { week.system.count("exceptions") }
    }

    private func approvals() -> [String: TimeRequest] {
        let approved = week.witness.all(RequestDecided.self).map(\.data.request)
            .filter { $0.state == .approved }
        return Dictionary(approved.map { ($0.id, $0) }) { $1 }
    }

    // MARK: shields

    /// After each transaction of shield-service the shields that its events tell are those of the stores and
    /// exceptions that its events tell.
    func checkMaskedShields() {
        var past = ShieldPast()
        var last: Instant?
        for one in week.witness.events(of: .shield) {
            // Events of a transaction have one time.
            if let last, one.time != last, let sentence = past.problem {
                return violate("at \(last) \(sentence)")
            }
            last = one.time
            past.apply(one, week.witness)
        }
        if let sentence = past.problem { violate("in the end \(sentence)") }
    }
}

/// Stores, exceptions and shields, as far as the events of shield-service have told them.
private struct ShieldPast {
    private var stores: [String: SettingsStore] = [:]
    private var open: [String: ShieldException] = [:]
    private var shields: Set<ShieldName> = []

    private struct ShieldName: Hashable {
        var member: String
        var kind: SubjectKind
        var subject: String
    }

    @LoopActor mutating func apply(_ one: EventWitness.Witnessed, _ witness: EventWitness) {
        if let store = witness.decoded(one, SettingsChanged.self)?.store {
            let key = "\(store.client) \(store.member) \(store.store)"
            stores[key] = store.settings.isEmpty ? nil : store
        }
        if let began = witness.decoded(one, ExceptionBegan.self)?.exception { open[began.id] = began }
        if let ended = witness.decoded(one, ExceptionEnded.self)?.exception { open[ended.id] = nil }
        if let shield = witness.decoded(one, ShieldApplied.self)?.shield {
            shields.insert(.init(member: shield.member, kind: shield.kind, subject: shield.subject))
        }
        if let lifted = witness.decoded(one, ShieldLifted.self) {
            shields.remove(.init(member: lifted.member, kind: lifted.kind, subject: lifted.subject))
        }
    }

    /// What is shielded otherwise than it must be; nil: nothing.
    @LoopActor var problem: String? {
        var expected: Set<ShieldName> = []
        for store in stores.values where store.active {
            for setting in store.settings {
                let isApp = setting.key == "shield.applications"
                let names = Oracle.texts(isApp ? setting.value : setting.value["categories"])
                for name in names {
                    expected.insert(
                        .init(member: store.member, kind: isApp ? .app : .category, subject: name))
                }
            }
        }
        let opened = open.values.map { ShieldName(member: $0.member, kind: $0.kind, subject: $0.subject) }
        expected.subtract(opened)
        // Which apps an open category has, its events do not tell.
        let vague = Set(open.values.filter { $0.kind == .category }.map(\.member))
        func isTold(_ name: ShieldName) -> Bool { name.kind != .app || !vague.contains(name.member) }
        let wrong = shields.symmetricDifference(expected).filter(isTold)
        let unfounded = shields.filter { !isTold($0) && !expected.contains($0) }
        guard let first = wrong.union(unfounded).map({ "\($0.member) \($0.kind) \($0.subject)" }).min() else {
            return nil
        }
        return "\(first) is shielded or open, and should not be: open are \(opened)"
    }
}
