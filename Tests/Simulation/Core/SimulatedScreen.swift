import Contract
import Loop
import Units

/// A window of the person that shows a report and which apps are shielded. It asks again only when an event
/// says that something changed, and only for what the event names: what is told to nobody stays wrong on it.
@LoopActor final class SimulatedScreen {
    /// Rows of the report by hour and category, sorted as the service does.
    private(set) var rows: [ReportRow] = []
    /// The subject of the shield that covers an app, for those that are shielded.
    private(set) var shields: [String: String] = [:]
    private let person: SimulatedPerson
    private let witness: EventWitness
    /// Number of events that were looked at, by service.
    private var seen: [ServiceName: Int] = [:]
    private var isAsking: Set<ServiceName> = []

    static let report = ReportQuery.Params(
        from: "2026-03-01", to: "2026-04-01", zone: "UTC", segment: .hourly, by: .category)

    /// Also apps that are used for the first time during the week.
    static let apps = HouseholdWeek.apps + (1...5).map(HouseholdWeek.newApp)

    init(_ person: SimulatedPerson, _ witness: EventWitness) {
        self.person = person
        self.witness = witness
    }

    /// Looks at the events that the witness has since the last time.
    func look() {
        if let from = takeNew(.report, { witness.decoded($0, ReportChanged.self)?.from }).min() {
            askReport(from: from)
        }
        let isOther = takeNew(.shield) { event -> Bool? in
            if let change = witness.decoded(event, ShieldCoverageChanged.self) { return change.kind == .app }
            return witness.decoded(event, ShieldApplied.self) != nil
                || witness.decoded(event, ShieldLifted.self) != nil
        }
        if isOther.contains(true) { askShields() }
    }

    /// What is new in a log; nothing while a question about it is open.
    private func takeNew<Value>(
        _ service: ServiceName, _ read: (EventWitness.Witnessed) -> Value?
    ) -> [Value] {
        guard !isAsking.contains(service) else { return [] }
        let events = witness.events(of: service)
        defer { seen[service] = events.count }
        return events.dropFirst(seen[service] ?? 0).compactMap(read)
    }

    private func askReport(from: Instant) {
        isAsking.insert(.report)
        person.ask(ReportQuery.self, Self.report) { [self] result in
            isAsking.remove(.report)
            guard case .success(let answer) = result else { return }
            let hour = Instant(
                milliseconds: from.milliseconds / Milliseconds.hour.count * Milliseconds.hour.count)
            let first = UTCTime.text(hour).prefix(19)
            func isKept(_ row: ReportRow) -> Bool { row.segmentStart.prefix(19) < first }
            rows = rows.filter(isKept) + answer.rows.filter { !isKept($0) }
        }
    }

    private func askShields() {
        isAsking.insert(.shield)
        person.ask(ShieldJudge.self, ShieldJudge.Params(apps: Self.apps)) { [self] result in
            isAsking.remove(.shield)
            if case .success(let answer) = result { shields = Self.shields(answer) }
        }
    }

    static func shields(_ answer: ShieldJudge.Result) -> [String: String] {
        var shields: [String: String] = [:]
        for one in answer.judgements { shields[one.subject] = one.shield }
        return shields
    }
}

extension Oracle {
    /// What the events led the screen to ask is what the services answer now.
    func checkScreen() {
        let screen = week.screen
        ask(ReportQuery.self, SimulatedScreen.report) { [self] answer in
            func texts(_ rows: [ReportRow]) -> Set<String> {
                Set(rows.map { "\($0.segmentStart) \($0.key) \($0.value)" })
            }
            let (shown, present) = (texts(screen.rows), texts(answer.rows))
            guard shown != present else { return }
            violate(
                "report.changed did not tell of \(present.subtracting(shown).sorted().prefix(3)), nor that "
                    + "\(shown.subtracting(present).sorted().prefix(3)) is no more")
        }
        ask(ShieldJudge.self, ShieldJudge.Params(apps: SimulatedScreen.apps)) { [self] answer in
            let present = SimulatedScreen.shields(answer)
            for app in Set(present.keys).union(screen.shields.keys).sorted() {
                let (one, other) = (present[app] ?? "nothing", screen.shields[app] ?? "nothing")
                if one != other {
                    violate("\(app) is shielded by \(one) now; by the events it would be by \(other)")
                }
            }
        }
    }
}
