import Bus
import Contract
import Loop
import ServiceKit

/// Requests shield-service's judgements of this session's apps again after each change. The traces of changes
/// come from its events.
///
/// An app without a catalogue entry is reported to activity-center first, and then judged again when
/// shield-service has applied the report. Until then the earlier judgement holds. If the report fails, the
/// app is judged as an unknown one.
@LoopActor final class ShieldFollower {
    private let client: RequestClient
    private let runtime: RuntimeDirectory
    private let member: String
    private let log: Log
    private let reporter: AppReporter
    private let apps: @LoopActor () -> Set<String>
    private let apply: @LoopActor (ShieldJudgements, [String: TraceContext]) -> Void
    private lazy var state = StateFollower(
        .shield, client, in: runtime, log: log, answer: AgentLimits.answer, pause: AgentLimits.pause,
        ask: { [weak self] in self?.ask($0) },
        isChange: { [weak self] in self?.note($0) ?? false },
        receive: { [weak self] in self?.receive($0) })
    /// The traces of changes since the last answer, by subject of the shield; those of changed categories
    /// under ``coverage``.
    private var traces: [String: TraceContext] = [:]
    private var latest = ShieldJudgements()
    /// Unknown apps whose report is not acknowledged yet.
    private var reporting: Set<String> = []
    /// The apps of the last request.
    private var requested: Set<String> = []
    /// Apps that were reported and are still unknown.
    private var reported: Set<String> = []
    /// Position of the last report in activity-center's log; the next request passes it.
    private var lastReport: Position?

    /// Key of the trace of a changed category.
    static let coverage = ""

    /// - Parameters:
    ///   - apps: the apps to judge, as ``AppIdentity/judgedName``.
    ///   - apply: receives their judgements, and the traces of changes, by subject.
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

    /// Requests the judgements again if there are apps that the last request did not name. While the report
    /// of an unknown app is on its way, that app has no judgement, and asking again would not change that.
    func judgeNewApps() {
        if !apps().isSubset(of: requested) { refresh() }
    }

    // MARK: asking

    private typealias Reply = @LoopActor (Result<ShieldJudgements, ServiceError>) -> Void

    private func ask(_ reply: @escaping Reply) {
        let report = lastReport
        lastReport = nil
        requested = apps()
        ask(requested.sorted()[...], report, []) { [weak self] result in
            // If shield-service did not apply the report in time, ask without it; its effect arrives as an
            // event.
            guard let self, report != nil, case .failure = result else { return reply(result) }
            ask(reply)
        }
    }

    /// Requests one page after the other.
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
        // An app that is being reported is judged again, because of the same changes.
        if reporting.isEmpty { traces = [:] }
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
            // An erased event has no data, and one of a newer version may be unreadable; something changed
            // nevertheless.
            let bytes = event.event.data?.bytes ?? []
            let subject: String?
            switch event.type {
            case ShieldApplied.type: subject = (try? ShieldApplied.decode(bytes))?.shield.subject
            case ShieldLifted.type: subject = (try? ShieldLifted.decode(bytes))?.subject
            case ShieldCoverageChanged.type: subject = Self.coverage
            default: continue
            }
            isAny = true
            if let subject { traces[subject] = TraceContext(event.event.head.traceparent) }
        }
        return isAny
    }
}
