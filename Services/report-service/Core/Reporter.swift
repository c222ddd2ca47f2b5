import CivilTime
package import Contract
import Domains
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
        let whole = try ReportRange(params, now_ms: now_ms)
        let range = try whole.dropping(params.page)
        let grouping = params.by ?? .app
        let metric = params.metric ?? .duration
        let use = try use(params, member: member, metric: metric, range, now_ms: now_ms)
        var notes = ReportNotes(range: whole, length: params.segment ?? .daily)
        let devices = grouping == .domain ? folded(use.devices, &notes) : use.devices
        let rows = try rows(of: devices, grouping, metric, range)
        notes.explain(rows, grouping, metric, devices)
        if rows.isEmpty { try notes.explainNothing(device: params.device, known: copy.devices(of: member)) }
        let page = try ReportPage(rows, range, mayCut: params.page != nil) { key in
            grouping == .app ? try copy.name(ofApp: key) : nil
        }
        return ReportQuery.Result(
            rows: page.rows, zone: range.zone.identifier, notes: notes.sentences, running: use.isRunning,
            names: page.names.isEmpty ? nil : page.names, nextPage: page.next.map { $0 + (params.page ?? 0) })
    }

    private func rows(
        of devices: [DeviceUse], _ grouping: ReportGrouping, _ metric: ReportMetric, _ range: ReportRange
    ) throws -> [TotalRow] {
        let catalogue = grouping == .category ? try copy.catalogue() : Catalogue()
        return metric == .duration
            ? Totals.durations(of: devices, by: grouping, catalogue: catalogue, in: range.segments)
            : Totals.counts(
                of: metric.markKind, on: devices, by: grouping, catalogue: catalogue, in: range.segments)
    }

    /// What the tables have of the asked time, by device.
    private func use(
        _ params: ReportQuery.Params, member: String, metric: ReportMetric, _ range: ReportRange,
        now_ms: Int64
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
}

extension ReportMetric {
    /// What is counted; of durations nothing is.
    fileprivate var markKind: Mark.Kind { self == .pickups ? .pickup : .notification }
}
