import Contract
import Rules
import Units

/// Computes one member's activity on each device: Apple's DeviceActivityData.
struct MemberActivity {
    let use: MemberUse
    let member: ReportMember
    let subjects: ReportSubjects
    let selection: ReportSelection
    /// The requested devices, sorted by name.
    let devices: [ReportDevice]

    /// Devices without activity in all segments are omitted.
    func activities() throws -> [ReportActivity] {
        guard let whole = use.range.whole else { return [] }
        var segments: [Int: [ReportActivitySegment]] = [:]
        var active: Set<Int> = []
        let all = try use.segments(byDevice: true)
        for (index, sections) in all.enumerated() where use.range.segments[index].start <= use.now {
            // A selection is computed from the records: no roll-up contains its longest use.
            let sections =
                selection.isEverything
                ? sections : try use.exact(index) { selection.weight(of: try subjects.subject($0.number)) }
            for device in devices {
                let section = sections.devices.first { $0.device == device.number }
                let summary = section?.summary ?? UseSummary()
                if !summary.isEmpty { active.insert(device.number) }
                segments[device.number, default: []].append(
                    try segment(summary, use.range.segments[index]))
            }
        }
        return devices.filter { active.contains($0.number) }.map { device in
            ReportActivity(
                user: ReportActivityUser(member: member.id, name: member.name, role: member.role),
                device: ReportActivityDevice(name: device.name, model: ReportDevice.reported(device.model)),
                lastUpdated: device.latest, segmentInterval: use.range.length,
                dateInterval: Interval(start: whole.start, end: whole.end),
                activitySegments: segments[device.number] ?? [])
        }
    }

    private func segment(_ summary: UseSummary, _ range: TimeRange) throws -> ReportActivitySegment {
        ReportActivitySegment(
            dateInterval: Interval(start: range.start, end: range.end),
            totalActivity: summary.duration,
            longestActivity: summary.runs.longest.map { Interval(start: $0.start, end: $0.end) },
            firstPickup: summary.firstPickup,
            totalPickupsWithoutApplicationActivity: summary.entries.reduce(0) {
                $0 + ($1.kind == .nobody ? $1.pickups : 0)
            },
            categories: try categories(summary))
    }

    private func categories(_ summary: UseSummary) throws -> [ReportCategoryActivity] {
        var found: [String: ReportCategoryActivity] = [:]
        for entry in summary.entries where entry.kind == .app || entry.kind == .host && entry.duration > 0
        {
            let subject = try subjects.subject(entry.subject)
            var category = found[subject.category] ?? ReportCategoryActivity(category: subject.category)
            category.totalActivity += subject.isBrowser ? entry.share : entry.duration
            if entry.kind == .app {
                category.applications.append(
                    ReportApplicationActivity(
                        app: subject.key, name: subject.name, totalActivity: entry.duration,
                        numberOfPickups: entry.pickups, numberOfNotifications: entry.notifications))
            }
            found[subject.category] = category
        }
        for (category, domain) in try domains(summary) { found[category]?.webDomains.append(domain) }
        return found.values.sorted { $0.category < $1.category }.map { category in
            var sorted = category
            sorted.applications.sort { $0.app < $1.app }
            sorted.webDomains.sort { $0.domain < $1.domain }
            return sorted
        }
    }

    /// Registrable domains; separate hosts if they belong to several categories.
    private func domains(
        _ summary: UseSummary
    ) throws -> [(category: String, domain: ReportDomainActivity)] {
        var sites: [Int: UseEntry] = [:]
        for entry in summary.entries where entry.kind == .site { sites[entry.subject] = entry }
        var hosts: [Int: [(subject: ReportSubjects.Subject, duration: Milliseconds)]] = [:]
        for entry in summary.entries where entry.kind == .host && entry.duration > 0 {
            let subject = try subjects.subject(entry.subject)
            hosts[subject.site ?? entry.subject, default: []].append((subject, entry.duration))
        }
        var found: [(category: String, domain: ReportDomainActivity)] = []
        for (number, hosts) in hosts {
            if Set(hosts.map(\.subject.category)).count == 1, let site = sites[number] {
                let domain = ReportDomainActivity(
                    domain: try subjects.subject(number).key, totalActivity: site.duration)
                found.append((hosts[0].subject.category, domain))
                continue
            }
            for host in hosts {
                let domain = ReportDomainActivity(
                    domain: host.subject.key, totalActivity: host.duration)
                found.append((host.subject.category, domain))
            }
        }
        return found
    }
}

/// As many segments of activities as fit into one answer.
struct ActivityPage {
    private(set) var activities: [ReportActivity]
    /// The first segment of the next page, relative to this one; nil if this is the last page.
    private(set) var next: Int64?

    /// - Throws: `limitExceeded`
    init(_ all: [ReportActivity], mayCut: Bool) throws(ServiceError) {
        activities = all
        let segments = all.map(\.activitySegments.count).max() ?? 0
        // {"user":{},"device":{},…}, and names.
        var bytes = all.reduce(0) { $0 + 512 + $1.device.name.utf8.count + ($1.user.name ?? "").utf8.count }
        for index in 0..<segments {
            for activity in all where index < activity.activitySegments.count {
                bytes += Self.bytes(activity.activitySegments[index])
            }
            guard bytes > ReportLimits.answerBytesMax else { continue }
            guard mayCut, index > 0 else {
                throw ReportBytes.tooMuch(segments * all.count, mayCut: mayCut)
            }
            next = Int64(index)
            for place in activities.indices { activities[place].activitySegments.removeSubrange(index...) }
            return
        }
    }

    /// Upper bound without escapes: field names, and 20 digits per number.
    private static func bytes(_ segment: ReportActivitySegment) -> Int {
        segment.categories.reduce(420) { sum, category in
            let apps = category.applications.reduce(0) {
                $0 + 170 + $1.app.utf8.count + ($1.name ?? "").utf8.count
            }
            return sum + 120 + category.category.utf8.count + apps
                + category.webDomains.reduce(0) { $0 + 70 + $1.domain.utf8.count }
        }
    }
}
