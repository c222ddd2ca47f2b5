import Bus
import Contract
import Loop
import ServiceKit

/// Keeps what shield-service judges of this session's apps up to date; its events also carry the traces.
///
/// An app that the catalogue has no entry for is reported to activity-center first; then it is judged again,
/// not before shield-service has applied that report. Until then the earlier judgement holds. If the report
/// fails, the app is judged as one that nobody knows.
@LoopActor final class ShieldFollower {
    private let client: RequestClient
    private let runtime: RuntimeDirectory
    private let member: String
    private let log: Log
    private let reporter: AppReporter
    private let apps: @LoopActor () -> Set<String>
    private let apply: @LoopActor (ShieldJudgements, [String: TraceContext]) -> Void
    private lazy var state = StateFollower(
        .shield, client, in: runtime, log: log,
        ask: { [weak self] in self?.ask($0) },
        isChange: { [weak self] in self?.note($0) ?? false },
        receive: { [weak self] in self?.receive($0) })
    /// What led to changes since the last answer, by subject of the shield. Under ``coverage``: a change of a
    /// category.
    private var traces: [String: TraceContext] = [:]
    private var latest = ShieldJudgements()
    /// Unknown apps of which a report is on its way.
    private var reporting: Set<String> = []
    /// Apps that were reported because they were unknown, and still are.
    private var reported: Set<String> = []
    /// Where in activity-center's log the last report is, until an answer is asked for that counts it in.
    private var lastReport: Position?

    /// The subject under which the trace of a changed category is kept.
    static let coverage = ""

    /// - Parameters:
    ///   - apps: what to ask about: ids as ``AppIdentity/judgedName`` has them.
    ///   - apply: gets the judgements of all of them, and the traces that led to changes, by subject.
    init(
        _ client: RequestClient, in runtime: RuntimeDirectory, member: String, log: Log,
        reporter: AppReporter, apps: @escaping @LoopActor () -> Set<String>,
        apply: @escaping @LoopActor (ShieldJudgements, [String: TraceContext]) -> Void
    ) {
        self.client = client
        self.runtime = runtime
        self.member = member
        self.log = log
        self.reporter = reporter
        self.apps = apps
        self.apply = apply
    }

    var followed: FollowedLog? { state.followed }
    var problem: String? {
        if let problem = state.problem { return problem }
        guard latest.programsLeftOut > 0 else { return nil }
        return "\(latest.programsLeftOut) shielded programs are not recognised under other names: there are "
            + "too many that are named by their paths"
    }
    func close() { state.close() }
    func refresh() { state.refresh() }

    // MARK: asking

    private typealias Reply = @LoopActor (Result<ShieldJudgements, ServiceError>) -> Void

    private func ask(_ reply: @escaping Reply) {
        let report = lastReport
        lastReport = nil
        ask(apps().sorted()[...], report, []) { [weak self] result in
            // Whoever cannot wait for the report judges without it; what it changes comes as an event.
            guard let self, report != nil, case .failure = result else { return reply(result) }
            ask(reply)
        }
    }

    /// Page after page.
    private func ask(
        _ apps: ArraySlice<String>, _ report: Position?, _ answers: [ShieldJudge.Result],
        _ reply: @escaping Reply
    ) {
        let isFirst = answers.isEmpty
        let params = ShieldJudge.Params(
            member: member, apps: Array(apps.prefix(AgentLimits.appsPerRequestMax)),
            programs: isFirst ? true : nil)
        let options = CallOptions(
            deadline: report == nil ? AgentLimits.answer : AgentLimits.report, trace: traces.values.first,
            notBefore: report.map { [$0] } ?? [])
        client.send(ShieldJudge.self, params, options: options) { [weak self] result in
            switch result {
            case .failure(let error): reply(.failure(error))
            case .success(let answer):
                let answers = answers + [answer]
                let rest = apps.dropFirst(AgentLimits.appsPerRequestMax)
                guard !rest.isEmpty else { return reply(.success(ShieldJudgements(answers))) }
                self?.ask(rest, report, answers, reply)
            }
        }
    }

    private func receive(_ judgements: ShieldJudgements) {
        var judgements = judgements
        reported.formIntersection(judgements.unknown)
        let strangers = reporter.reportable(judgements.unknown.subtracting(reported).subtracting(reporting))
        if !strangers.isEmpty { report(strangers) }
        judgements.keep(reporting.intersection(judgements.unknown), as: latest)
        latest = judgements
        let led = traces
        traces = [:]
        apply(judgements, led)
    }

    private func report(_ strangers: Set<String>) {
        reporting.formUnion(strangers)
        reporter.report(strangers) { [weak self] position in
            guard let self else { return }
            reporting.subtract(strangers)
            reported.formUnion(strangers)
            lastReport = position
            refresh()
        }
    }

    private func note(_ events: [ReceivedEvent]) -> Bool {
        var isAny = false
        for event in events {
            guard let raw = event.event.data else { continue }
            let subject: String?
            switch event.type {
            // An event of a newer version that cannot be read still says that something changed.
            case ShieldApplied.type: subject = (try? ShieldApplied.decode(raw.bytes))?.shield.subject
            case ShieldLifted.type: subject = (try? ShieldLifted.decode(raw.bytes))?.subject
            case ShieldCoverageChanged.type: subject = Self.coverage
            default: continue
            }
            isAny = true
            if let subject { traces[subject] = TraceContext(event.event.head.traceparent) }
        }
        return isAny
    }
}
