import CivilTime
import Contract
import Engine

/// What a reader of a report should know, a sentence each.
struct ReportNotes {
    private(set) var sentences: [String] = []
    private let range: ReportRange

    init(range: ReportRange, length: ReportSegment) {
        self.range = range
        guard length == .weekly else { return }
        if range.from != range.from.monday || range.to != range.to.monday.advanced(by: 6) {
            add("Of the first and the last week only the days from \(range.from) to \(range.to) are counted.")
        }
    }

    mutating func add(_ sentence: String) { sentences.append(sentence) }

    mutating func explain(
        _ rows: [TotalRow], _ grouping: ReportGrouping, _ metric: ReportMetric, _ devices: [DeviceUse]
    ) {
        if grouping == .app, rows.contains(where: { $0.key == Subject.unknownApp.id }) {
            add("'\(Subject.unknownApp.id)' stands for apps that nobody could name.")
        }
        guard metric == .pickups, grouping == .app || grouping == .category else { return }
        let alone = devices.reduce(0) { $0 + $1.marks.count { $0.subject == nil } }
        if alone > 0 { add("Pickups that led to no app: \(alone). They count by device and in total.") }
    }

    /// Why there are no rows.
    mutating func explainNothing(device: String?, known: [String]) {
        if range.segments.isEmpty {
            return add("The calendar of \(range.zone.identifier) skips these days.")
        }
        guard let device, !known.contains(device) else {
            return add("Nothing was recorded from \(range.from) to \(range.to).")
        }
        guard !known.isEmpty else {
            return add("Nothing is known of a device '\(device)', nor of any other.")
        }
        let names = known.prefix(ReportLimits.devicesNamedMax).joined(separator: ", ")
        let rest = known.count > ReportLimits.devicesNamedMax ? " and others" : ""
        add("Nothing is known of a device '\(device)'; there are: \(names)\(rest).")
    }
}
