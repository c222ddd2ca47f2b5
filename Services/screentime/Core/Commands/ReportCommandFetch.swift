import Bus
import Contract

/// A report with everything that was asked.
struct WholeReport {
    var segment: ReportSegment
    var grouping: ReportGrouping
    var metric: ReportMetric
    var params: ReportQuery.Params
    /// Sorted by segment, then by key.
    var rows: [ReportRow] = []
    var zone = ""
    var notes: [String] = []
    var isRunning = false
    /// By key, where a person calls it something else.
    var names: [String: String] = [:]

    /// What a value is called in csv and json.
    var valueColumn: String { metric == .duration ? "duration_ms" : metric.rawValue }
}

/// Asks for a report, page after page.
@BusActor enum ReportCommandFetch {
    /// A long history may take a while.
    private static let deadlineMs: Int64 = 30_000

    static func whole(_ params: ReportQuery.Params, _ session: Session) async throws -> WholeReport {
        var report = WholeReport(
            segment: params.segment ?? .daily, grouping: params.by ?? .app,
            metric: params.metric ?? .duration,
            params: params)
        // What is recorded by now is in the report, also while report-service builds its copy anew.
        let head = await session.head(of: .activity)
        try await session.makeSureItAnswers(.report)
        let options = CallOptions(
            deadlineMs: deadlineMs, notBefore: head.map { [Position(.activity, $0)] } ?? [])
        var params = params
        params.page = 0
        while params.page != nil {
            let answer = try await session.call(ReportQuery.self, params, options: options)
            report.rows += answer.rows
            report.zone = answer.zone
            report.notes += answer.notes.filter { !report.notes.contains($0) }
            report.isRunning = report.isRunning || answer.running
            for name in answer.names ?? [] { report.names[name.key] = name.name }
            params.page = answer.nextPage
        }
        return report
    }
}
