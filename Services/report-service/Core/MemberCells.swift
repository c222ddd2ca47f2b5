import Contract
import Rules
import Units

/// Computes the cells of one member's use.
struct MemberCells {
    let use: MemberUse
    let memberID: String
    let subjects: ReportSubjects
    let selection: ReportSelection
    let grouping: ReportGrouping
    let metric: ReportMetric
    /// Names of the member's devices by number.
    let deviceNames: [Int: String]
    /// Pickups without an app.
    private(set) var pickupsAlone: Int64 = 0
    /// Index of the key by subject, while keys are the subjects themselves.
    private var places: [Int: Int] = [:]
    /// Weights by subject.
    private var weights: [Int: UseWeight] = [:]

    init(
        _ use: MemberUse, memberID: String, _ subjects: ReportSubjects, _ selection: ReportSelection,
        _ grouping: ReportGrouping, _ metric: ReportMetric, deviceNames: [Int: String]
    ) {
        (self.use, self.memberID, self.subjects, self.selection) = (use, memberID, subjects, selection)
        (self.grouping, self.metric, self.deviceNames) = (grouping, metric, deviceNames)
    }

    mutating func add(to cells: inout ReportCells) throws {
        let byDevice = grouping == .device || use.devices != nil
        for (index, sections) in try use.segments(byDevice: byDevice).enumerated() {
            if let found = try cellsOf(sections, isExact: false, &cells) {
                cells.add(found, to: index, areUnique: grouping != .category)
            } else {
                let exact = try use.exact(index) { selection.weight(of: try subjects.subject($0.number)) }
                let found = try cellsOf(exact, isExact: true, &cells) ?? []
                cells.add(found, to: index, areUnique: grouping != .category)
            }
        }
    }

    /// - isExact: whether the sections contain exactly what was requested.
    /// - Returns: nil if sums are not sufficient.
    private mutating func cellsOf(
        _ sections: UseSections, isExact: Bool, _ cells: inout ReportCells
    ) throws -> [ReportCells.Cell]? {
        if grouping == .device {
            var found: [ReportCells.Cell] = []
            for section in sections.devices where use.devices?.contains(section.device) ?? true {
                guard let value = try total(section.summary, isExact) else { return nil }
                let key = deviceNames[section.device] ?? ""
                found.append(ReportCells.Cell(key: cells.place(of: key), value: value))
            }
            return found
        }
        let united =
            isExact || metric != .duration ? sections.counted(use, isExact) : sections.united(use.devices)
        guard let united else { return nil }
        for entry in united.entries where entry.kind == .nobody { pickupsAlone += entry.pickups }
        switch grouping {
        case .app: return try byApp(united, &cells)
        case .category: return try byCategory(united, &cells)
        case .domain: return try byDomain(united, isExact, &cells)
        case .total, .member, .device:
            guard let value = try total(united, isExact) else { return nil }
            let key = grouping == .member ? memberID : Totals.allKey
            return [ReportCells.Cell(key: cells.place(of: key), value: value)]
        }
    }

    private mutating func weight(_ entry: UseEntry) throws -> UseWeight {
        if selection.isEverything { return .whole }
        if let weight = weights[entry.subject] { return weight }
        let weight = selection.weight(of: try subjects.subject(entry.subject))
        weights[entry.subject] = weight
        return weight
    }

    private func value(_ entry: UseEntry, share: Bool = false) -> Int64 {
        switch metric {
        case .duration: (share ? entry.share : entry.duration).count
        case .pickups: entry.pickups
        case .notifications: entry.notifications
        }
    }

    private mutating func total(_ summary: UseSummary, _ isExact: Bool) throws -> Int64? {
        if metric == .duration {
            if isExact || selection.isEverything { return summary.duration.count }
            return try summary.selectedDuration { try weight($0) }?.count
        }
        var total: Int64 = 0
        for entry in summary.entries where entry.kind != .site && value(entry) != 0 {
            if try weight(entry) != .nothing { total += value(entry) }
        }
        return total
    }

    private mutating func byApp(
        _ summary: UseSummary, _ cells: inout ReportCells
    ) throws -> [ReportCells.Cell] {
        var found: [ReportCells.Cell] = []
        found.reserveCapacity(summary.entries.count)
        for entry in summary.entries where entry.kind == .app {
            guard try weight(entry) != .nothing else { continue }
            found.append(ReportCells.Cell(key: try place(entry.subject, &cells), value: value(entry)))
        }
        return found
    }

    private mutating func place(_ subject: Int, _ cells: inout ReportCells) throws -> Int {
        if let place = places[subject] { return place }
        let place = cells.place(of: try subjects.subject(subject).key)
        places[subject] = place
        return place
    }

    private mutating func byCategory(
        _ summary: UseSummary, _ cells: inout ReportCells
    ) throws -> [ReportCells.Cell] {
        var found: [ReportCells.Cell] = []
        for entry in summary.entries where entry.kind == .app || entry.kind == .host {
            guard try weight(entry) != .nothing else { continue }
            let subject = try subjects.subject(entry.subject)
            let value = value(entry, share: subject.isBrowser)
            found.append(ReportCells.Cell(key: cells.place(of: subject.category), value: value))
        }
        return found
    }

    private mutating func byDomain(
        _ summary: UseSummary, _ isExact: Bool, _ cells: inout ReportCells
    ) throws -> [ReportCells.Cell]? {
        var found: [ReportCells.Cell] = []
        if isExact || selection.isEverything {
            for entry in summary.entries where entry.kind == .site {
                found.append(ReportCells.Cell(key: try place(entry.subject, &cells), value: value(entry)))
            }
            return found
        }
        for site in try SelectedSites.of(summary, subjects, { try weight($0) }) where !site.selected.isEmpty {
            let selected = site.selected.reduce(0) { $0 + value($1) }
            // The union of hosts in use at the same time is known only from the records.
            if metric == .duration, site.selected.count > 1, !site.isDisjoint { return nil }
            found.append(ReportCells.Cell(key: try place(site.number, &cells), value: selected))
        }
        return found
    }
}

extension UseSections {
    /// Counts can always be summed; exact sections contain nothing else.
    fileprivate func counted(_ use: MemberUse, _ isExact: Bool) -> UseSummary {
        guard !isExact, let chosen = use.devices else { return all }
        var sum = UseSum()
        for section in devices where chosen.contains(section.device) { sum.add(section.summary) }
        return sum.total
    }
}

/// The selected hosts of a registrable domain.
struct SelectedSites {
    var number: Int
    var selected: [UseEntry] = []
    private var hosts: Milliseconds = 0
    private var site: Milliseconds = 0

    /// Whether no two of its hosts were in use at the same time.
    var isDisjoint: Bool { hosts == site }
    var isWhole = true

    private init(number: Int) { self.number = number }

    /// Sorted by number.
    static func of(
        _ summary: UseSummary, _ subjects: ReportSubjects, _ weight: (UseEntry) throws -> UseWeight
    ) throws -> [SelectedSites] {
        var sites: [Int: SelectedSites] = [:]
        for entry in summary.entries {
            if entry.kind == .site {
                sites[entry.subject, default: SelectedSites(number: entry.subject)].site +=
                    entry.duration
            }
            guard entry.kind == .host, let site = try subjects.subject(entry.subject).site else { continue }
            sites[site, default: SelectedSites(number: site)].hosts += entry.duration
            if try weight(entry) == .nothing {
                sites[site]?.isWhole = false
            } else {
                sites[site]?.selected.append(entry)
            }
        }
        return sites.values.sorted { $0.number < $1.number }
    }
}
