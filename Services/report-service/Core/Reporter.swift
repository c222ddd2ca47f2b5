import CivilTime
package import Contract
import Engine

/// Answers `report.query` from the copy of the usage log.
package final class Reporter {
    private let copy: UsageCopy
    /// Loaded for the first report by domain.
    private var domains: RegistrableDomains?

    package init(_ copy: UsageCopy) { self.copy = copy }

    /// - Parameters:
    ///   - member: whose use.
    ///   - now_ms: what is in use right now counts up to here; also decides what today is.
    /// - Throws: `invalidArgument`, `limitExceeded`; the errors of the store.
    package func answer(
        _ params: ReportQuery.Params, member: String, now_ms: Int64
    ) throws -> ReportQuery.Result {
        let range = try ReportRange(params, now_ms: now_ms)
        let grouping = params.by ?? .app
        let metric = params.metric ?? .duration
        let use = try use(params, member: member, metric: metric, range, now_ms: now_ms)
        var notes = ReportNotes(range: range, length: params.segment ?? .daily)
        let devices = grouping == .domain ? folded(use.devices, &notes) : use.devices
        let catalogue = grouping == .category ? try copy.catalogue() : Catalogue()
        let rows: [TotalRow] =
            switch metric {
            case .duration:
                Totals.durations(of: devices, by: grouping, catalogue: catalogue, in: range.segments)
            case .pickups, .notifications:
                Totals.counts(
                    of: metric.markKind, on: devices, by: grouping, catalogue: catalogue, in: range.segments)
            }
        notes.explain(rows, grouping, metric, devices)
        if rows.isEmpty { try notes.explainNothing(device: params.device, known: copy.devices(of: member)) }
        let names = grouping == .app ? try names(of: rows) : []
        try checkSize(rows, names, range)
        return ReportQuery.Result(
            rows: rows.map { ReportRow(segmentStart: range.labels[$0.segment], key: $0.key, value: $0.value) },
            zone: range.zone.identifier, notes: notes.sentences, running: use.isRunning,
            names: names.isEmpty ? nil : names)
    }

    /// What the tables have of the asked time, by device.
    private func use(
        _ params: ReportQuery.Params, member: String, metric: ReportMetric, _ range: ReportRange, now_ms: Int64
    ) throws -> (devices: [DeviceUse], isRunning: Bool) {
        guard let window = range.whole else { return ([], false) }
        var devices: [DeviceUse] = []
        var isRunning = false
        for series in try copy.series(of: member, device: params.device) {
            if devices.last?.device != series.device { devices.append(DeviceUse(device: series.device)) }
            let index = devices.count - 1
            guard metric == .duration else {
                devices[index].marks += try copy.marks(metric.markKind, of: series, in: window)
                continue
            }
            var time = try copy.uses(of: series.id, in: window)
            if let open = Self.open(series, in: window, now_ms: now_ms) {
                time = time.union(IntervalSet(open))
                // Up to this moment, unless the asked days have ended before.
                isRunning = isRunning || now_ms <= window.end_ms
            }
            if !time.isEmpty { devices[index].uses[series.subject] = time }
        }
        return (devices, isRunning)
    }

    private static func open(_ series: Series, in window: TimeRange, now_ms: Int64) -> TimeRange? {
        guard let since_ms = series.openSince_ms else { return nil }
        return TimeRange(start_ms: since_ms, end_ms: now_ms)?.intersection(window)
    }

    private func folded(_ devices: [DeviceUse], _ notes: inout ReportNotes) -> [DeviceUse] {
        if domains == nil { domains = RegistrableDomains() }
        guard let domains else {
            notes.add("This machine has no Public Suffix List, so hosts are not joined to domains.")
            return devices
        }
        return devices.map(domains.folded)
    }

    private func names(of rows: [TotalRow]) throws -> [ReportName] {
        try Set(rows.map(\.key)).sorted().compactMap { key in
            try copy.name(ofApp: key).map { ReportName(key: key, name: $0) }
        }
    }

    private func checkSize(_ rows: [TotalRow], _ names: [ReportName], _ range: ReportRange) throws(ServiceError) {
        // {"segment_start":"","key":"","value":} and a number.
        var bytes = names.reduce(0) { $0 + $1.key.utf8.count + $1.name.utf8.count + 24 }
        for row in rows { bytes += range.labels[row.segment].utf8.count + row.key.utf8.count + 56 }
        guard bytes > ReportLimits.answerBytesMax else { return }
        throw ServiceError(
            .limitExceeded,
            "the \(rows.count) rows take about \(bytes) bytes; answerBytesMax is \(ReportLimits.answerBytesMax)",
            remedy: "Ask for fewer days at a time, or for longer segments.")
    }
}

extension ReportMetric {
    /// What is counted; of durations nothing is.
    fileprivate var markKind: Mark.Kind { self == .pickups ? .pickup : .notification }
}
