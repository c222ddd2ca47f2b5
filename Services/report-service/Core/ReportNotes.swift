import Contract
import Rules
import Schedules

/// Remarks for readers of a report, one sentence each.
struct ReportNotes {
    private(set) var sentences: [String] = []
    private let range: ReportRange

    init(range: ReportRange) {
        self.range = range
        guard range.isCut else { return }
        add("Of the first and the last week only the days from \(range.from) to \(range.to) are counted.")
    }

    mutating func add(_ sentence: String) { sentences.append(sentence) }

    mutating func explain(
        _ page: ReportPage, _ grouping: ReportGrouping, _ metric: ReportMetric, pickupsAlone: Int64
    ) {
        if grouping == .app, page.keys.contains(Subject.unknownApp.id), !page.isEmpty {
            add("'\(Subject.unknownApp.id)' stands for apps that nobody could name.")
        }
        guard metric == .pickups, grouping == .app || grouping == .category, pickupsAlone > 0 else { return }
        add("Pickups that led to no app: \(pickupsAlone). They count by device and in total.")
    }

    /// Explains an empty report.
    /// - Parameter unknown: names in the filter that were never recorded, such as `app 'a'`.
    mutating func explainNothing(
        _ filter: ReportFilter, by grouping: ReportGrouping, known: [ReportDevice], unknown: [String]
    ) {
        if range.segments.isEmpty {
            return add("The calendar of \(range.zone.identifier) skips these days.")
        }
        let days = "from \(range.from) to \(range.to)"
        for name in filter.deviceNames.sorted() where !known.contains(where: { $0.name == name }) {
            explain("device '\(name)'", Set(known.map(\.name)))
        }
        for model in filter.models.sorted()
        where !known.contains(where: { ReportDevice.reported($0.model) == model }) {
            explain("device that is a '\(model)'", Set(known.map { ReportDevice.reported($0.model) }))
        }
        for thing in unknown.prefix(ReportLimits.devicesNamedMax) { add("Nothing is known of \(thing).") }
        guard sentences.isEmpty || range.isCut && sentences.count == 1 else { return }
        // Apps may have use where sites have none, and pickups do not lead to sites.
        let sites = grouping == .domain ? " of sites" : ""
        add(
            filter.selection.isEverything && filter.allDevices
                ? "Nothing was recorded\(sites) \(days)."
                : "Nothing that was asked for was recorded\(sites) \(days).")
    }

    private mutating func explain(_ what: String, _ known: Set<String>) {
        guard !known.isEmpty else { return add("Nothing is known of a \(what), nor of any other.") }
        let names = known.sorted().prefix(ReportLimits.devicesNamedMax).joined(separator: ", ")
        let rest = known.count > ReportLimits.devicesNamedMax ? " and others" : ""
        add("Nothing is known of a \(what); there are: \(names)\(rest).")
    }
}
