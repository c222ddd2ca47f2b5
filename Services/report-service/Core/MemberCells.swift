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
    private let isEverything: Bool
    /// Pickups without an app; counted only where a note reports them.
    private(set) var pickupsAlone: Int64 = 0
    /// Places of the subjects met so far.
    private var places = SubjectPlaces()
    /// By place: the subject; and the index of its key.
    private var subjectAt: [Int] = []
    private var keyOf: [Int] = []
    /// By place, for categories: whether the subject's time with known domains belongs to those.
    private var isBrowser: [Bool] = []
    /// Index of the only key, if there is one for everything.
    private var onlyKey: Int?
    /// Weights by subject.
    private var weights: [Int: UseWeight] = [:]
    /// The use in some consecutive segments.
    private var loaded: (first: Int, sections: [UseSections]) = (0, [])

    init(
        _ use: MemberUse, memberID: String, _ subjects: ReportSubjects, _ selection: ReportSelection,
        _ grouping: ReportGrouping, _ metric: ReportMetric, deviceNames: [Int: String]
    ) {
        (self.use, self.memberID, self.subjects, self.selection) = (use, memberID, subjects, selection)
        (self.grouping, self.metric, self.deviceNames) = (grouping, metric, deviceNames)
        isEverything = selection.isEverything
    }

    /// What is needed of the use.
    private var detail: UseDetail {
        if grouping == .device || use.devices != nil { return .devices }
        let isTotal = grouping == .total || grouping == .member
        return isTotal && metric == .duration && isEverything ? .duration : .subjects
    }

    /// Loads the use in these segments, whose cells are requested next.
    mutating func load(_ segments: Range<Int>) throws {
        loaded = (segments.lowerBound, try use.segments(segments, detail))
    }

    /// Adds the cells of a loaded segment.
    mutating func add(_ segment: Int, to cells: inout [ReportCell], _ keys: inout ReportKeys) throws {
        let start = cells.count
        let sections = loaded.sections[segment - loaded.first]
        if try add(sections, isExact: false, &cells, &keys) { return }
        cells.removeLast(cells.count - start)
        let exact = try use.exact(segment) { selection.weight(of: try subjects.subject($0.number)) }
        _ = try add(exact, isExact: true, &cells, &keys)
    }

    /// - isExact: whether the sections contain exactly what was requested.
    /// - Returns: false if sums are not sufficient; the cells added are then invalid.
    private mutating func add(
        _ sections: UseSections, isExact: Bool, _ cells: inout [ReportCell], _ keys: inout ReportKeys
    ) throws -> Bool {
        if grouping == .device {
            for section in sections.devices where use.devices?.contains(section.device) ?? true {
                guard let value = try total(section.summary, isExact) else { return false }
                let key = keys.place(of: deviceNames[section.device] ?? "")
                cells.append(ReportCell(key: key, value: value))
            }
            return true
        }
        let united =
            isExact || metric != .duration ? sections.counted(use, isExact) : sections.united(use.devices)
        guard let united else { return false }
        if metric == .pickups {
            for entry in united.entries where entry.kind == .nobody { pickupsAlone += entry.pickups }
        }
        switch grouping {
        case .app: try addApps(united, &cells, &keys)
        case .category: try addCategories(united, &cells, &keys)
        case .domain: return try addDomains(united, isExact, &cells, &keys)
        case .total, .member, .device:
            guard let value = try total(united, isExact) else { return false }
            let key = onlyKey ?? keys.place(of: grouping == .member ? memberID : Totals.allKey)
            onlyKey = key
            cells.append(ReportCell(key: key, value: value))
        }
        return true
    }

    private mutating func weight(_ entry: UseEntry) throws -> UseWeight {
        if isEverything { return .whole }
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
            if isExact || isEverything { return summary.duration.count }
            return try summary.selectedDuration { try weight($0) }?.count
        }
        var total: Int64 = 0
        for entry in summary.entries where entry.kind != .site && value(entry) != 0 {
            if try weight(entry) != .nothing { total += value(entry) }
        }
        return total
    }

    private mutating func addApps(
        _ summary: UseSummary, _ cells: inout [ReportCell], _ keys: inout ReportKeys
    ) throws {
        var expected = 0
        for entry in summary.entries where entry.kind == .app {
            if !isEverything { guard try weight(entry) != .nothing else { continue } }
            // Most segments have the same subjects in the same order.
            let isExpected = expected < subjectAt.count && subjectAt[expected] == entry.subject
            let place = isExpected ? expected : try place(entry.subject, &keys)
            cells.append(ReportCell(key: keyOf[place], value: value(entry)))
            expected = place + 1
        }
    }

    /// Place of an app or a site, which is its own key.
    private mutating func place(_ number: Int, _ keys: inout ReportKeys) throws -> Int {
        let place = places.place(of: number)
        if place < keyOf.count { return place }
        let subject = try subjects.subject(number)
        subjectAt.append(number)
        keyOf.append(keys.place(of: subject.key, name: grouping == .app ? subject.name : nil))
        return place
    }

    private mutating func addCategories(
        _ summary: UseSummary, _ cells: inout [ReportCell], _ keys: inout ReportKeys
    ) throws {
        for entry in summary.entries where entry.kind == .app || entry.kind == .host {
            guard try weight(entry) != .nothing else { continue }
            let place = places.place(of: entry.subject)
            if place == keyOf.count {
                let subject = try subjects.subject(entry.subject)
                keyOf.append(keys.place(of: subject.category))
                isBrowser.append(subject.isBrowser)
            }
            cells.append(ReportCell(key: keyOf[place], value: value(entry, share: isBrowser[place])))
        }
    }

    private mutating func addDomains(
        _ summary: UseSummary, _ isExact: Bool, _ cells: inout [ReportCell], _ keys: inout ReportKeys
    ) throws -> Bool {
        if isExact || isEverything {
            for entry in summary.entries where entry.kind == .site {
                cells.append(ReportCell(key: keyOf[try place(entry.subject, &keys)], value: value(entry)))
            }
            return true
        }
        for site in try SelectedSites.of(summary, subjects, { try weight($0) }) where !site.selected.isEmpty {
            let selected = site.selected.reduce(0) { $0 + value($1) }
            // The union of hosts in use at the same time is known only from the records.
            if metric == .duration, site.selected.count > 1, !site.isDisjoint { return false }
            cells.append(ReportCell(key: keyOf[try place(site.number, &keys)], value: selected))
        }
        return true
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
