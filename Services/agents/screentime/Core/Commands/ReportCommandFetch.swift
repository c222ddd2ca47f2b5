import Bus
import Contract
import Loop
import Units

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
    /// By member and device, when that was asked for.
    var activity: [ReportActivity] = []
    /// By key, where a person calls it something else.
    var names: [String: String] = [:]

    /// What a value is called in csv and json.
    var valueColumn: String { metric == .duration ? "duration_ms" : metric.rawValue }
}

/// Asks for a report, page after page.
@LoopActor enum ReportCommandFetch {
    /// A long history may take a while.
    private static let deadline: Milliseconds = 30_000

    /// - isNested: fetches `activity` instead of rows.
    static func whole(
        _ params: ReportQuery.Params, _ session: Session, isNested: Bool = false
    ) async throws -> WholeReport {
        var report = WholeReport(
            segment: params.segment ?? .daily, grouping: params.by ?? .app,
            metric: params.metric ?? .duration,
            params: params)
        // The report includes everything recorded by now, even while report-service rebuilds its copy.
        let positions = await session.positions(of: .activity)
        try await session.makeSureItAnswers(.report)
        let options = CallOptions(deadline: deadline, notBefore: positions)
        var params = params
        params.page = 0
        params.shape = isNested ? .activity : .table
        while params.page != nil {
            let answer = try await session.call(ReportQuery.self, params, options: options)
            report.rows += answer.table?.rows ?? []
            report.add(answer.activity ?? [])
            report.zone = answer.zone
            report.notes += answer.notes.filter { !report.notes.contains($0) }
            report.isRunning = report.isRunning || answer.running
            for name in answer.names ?? [] { report.names[name.key] = name.name }
            params.page = answer.nextPage
        }
        return report
    }
}

extension ReportTable {
    /// As rows. Cells that name no key are left out.
    var rows: [ReportRow] {
        segments.flatMap { segment in
            stride(from: 0, to: segment.cells.count - 1, by: 2).compactMap { index in
                let key = Int(segment.cells[index])
                guard keys.indices.contains(key) else { return nil }
                return ReportRow(
                    segmentStart: segment.segmentStart, key: keys[key], value: segment.cells[index + 1])
            }
        }
    }
}

extension WholeReport {
    /// Takes in one page: later segments of the same members and devices.
    fileprivate mutating func add(_ page: [ReportActivity]) {
        for part in page {
            let index = activity.firstIndex { $0.user == part.user && $0.device == part.device }
            guard let index else {
                activity.append(part)
                continue
            }
            activity[index].activitySegments += part.activitySegments
            activity[index].dateInterval.end = part.dateInterval.end
        }
    }
}
