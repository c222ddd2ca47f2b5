import Contract
import JSON
import Rules
import Units

/// One segment of a nested answer: a `ReportActivitySegment`, in the form in which it is written.
struct ActivitySegment {
    private struct App {
        /// Index in `ActivitySubjects.all`.
        var subject: Int
        var entry: UseEntry
    }

    private struct Category {
        /// Index in `ActivitySubjects.categories`.
        var place: Int
        var total: Milliseconds = 0
        /// In the order of the apps.
        var apps = 0..<0
        /// Sorted by domain.
        var domains: [ReportDomainActivity] = []
    }

    private let summary: UseSummary
    private let range: TimeRange
    private var apps: [App] = []
    /// Indices of the apps, sorted by category, then key; the upper half of the bits is the rank.
    private var order: [Int] = []
    /// Sorted by name.
    private var categories: [Category] = []

    /// - Throws: `damaged`
    init(_ summary: UseSummary, _ range: TimeRange, _ subjects: inout ActivitySubjects) throws {
        self.summary = summary
        self.range = range
        apps.reserveCapacity(summary.entries.count)
        var hosts: [App] = []
        var totals: [Milliseconds?] = []
        for entry in summary.entries where entry.kind == .app || entry.kind == .host && entry.duration > 0 {
            let place = try subjects.place(of: entry.subject)
            let category = subjects.all[place].category
            while totals.count <= category { totals.append(nil) }
            let counted = subjects.all[place].subject.isBrowser ? entry.share : entry.duration
            totals[category] = (totals[category] ?? 0) + counted
            if entry.kind == .app {
                apps.append(App(subject: place, entry: entry))
            } else {
                hosts.append(App(subject: place, entry: entry))
            }
        }
        subjects.rank()
        for (index, app) in apps.enumerated() { order.append(subjects.all[app.subject].rank << 32 | index) }
        order.sort()
        categories = totals.enumerated().compactMap { place, total in
            total.map { Category(place: place, total: $0) }
        }
        categories.sort { subjects.categories[$0.place].name < subjects.categories[$1.place].name }
        var start = 0
        for index in categories.indices {
            let place = categories[index].place
            let end = order[start...].firstIndex { subjects.all[app($0).subject].category != place }
            categories[index].apps = start..<(end ?? order.count)
            start = end ?? order.count
        }
        for (category, domain) in try domains(hosts, subjects) {
            guard let index = categories.firstIndex(where: { $0.place == category }) else { continue }
            categories[index].domains.append(domain)
        }
        for index in categories.indices { categories[index].domains.sort { $0.domain < $1.domain } }
    }

    private func app(_ ordered: Int) -> App { apps[ordered & 0xFFFF_FFFF] }

    /// Registrable domains; separate hosts if they belong to several categories.
    private func domains(
        _ hosts: [App], _ subjects: ActivitySubjects
    ) throws -> [(category: Int, domain: ReportDomainActivity)] {
        if hosts.isEmpty { return [] }
        var sites: [Int: UseEntry] = [:]
        for entry in summary.entries where entry.kind == .site { sites[entry.subject] = entry }
        let bySite = Dictionary(grouping: hosts) {
            subjects.all[$0.subject].subject.site ?? $0.entry.subject
        }
        var found: [(category: Int, domain: ReportDomainActivity)] = []
        for (number, hosts) in bySite {
            let categories = Set(hosts.map { subjects.all[$0.subject].category })
            if categories.count == 1, let category = categories.first, let site = sites[number] {
                let domain = ReportDomainActivity(
                    domain: try subjects.subjects.subject(number).key, totalActivity: site.duration)
                found.append((category, domain))
                continue
            }
            for host in hosts {
                let known = subjects.all[host.subject]
                let domain = ReportDomainActivity(
                    domain: known.subject.key, totalActivity: host.entry.duration)
                found.append((known.category, domain))
            }
        }
        return found
    }

    /// Upper bound without escapes: field names, and 20 digits per number.
    func bytes(_ subjects: ActivitySubjects) -> Int {
        var bytes = apps.reduce(420) { $0 + subjects.all[$1.subject].bytes }
        for category in categories {
            bytes += subjects.categories[category.place].bytes
            bytes += category.domains.reduce(0) { $0 + 70 + $1.domain.utf8.count }
        }
        return bytes
    }

    /// Writes it as the record does.
    func write(_ writer: inout JSONWriter, _ subjects: ActivitySubjects) {
        let segment = ReportActivitySegment(
            dateInterval: Interval(start: range.start, end: range.end), totalActivity: summary.duration,
            longestActivity: summary.runs.longest.map { Interval(start: $0.start, end: $0.end) },
            firstPickup: summary.firstPickup,
            totalPickupsWithoutApplicationActivity: summary.entries.reduce(0) {
                $0 + ($1.kind == .nobody ? $1.pickups : 0)
            })
        writer.write(segment, but: "categories") { writer in
            writer.beginArray()
            for category in categories { write(category, &writer, subjects) }
            writer.endArray()
        }
    }

    /// As `ReportCategoryActivity`.
    private func write(_ category: Category, _ writer: inout JSONWriter, _ subjects: ActivitySubjects) {
        let record = ReportCategoryActivity(
            category: subjects.categories[category.place].name, totalActivity: category.total,
            webDomains: category.domains)
        writer.write(record, but: "applications") { writer in
            writer.beginArray()
            if !category.apps.isEmpty { write(order[category.apps], &writer, subjects.starts) }
            writer.endArray()
        }
    }

    /// What is between the numbers of an app.
    private static let between = {
        var parts = PreparedParts()
        parts.add(",\"number_of_pickups\":".utf8)
        parts.add(",\"number_of_notifications\":".utf8)
        return parts
    }()

    /// As `ReportApplicationActivity`, one or more.
    private func write(
        _ ordered: ArraySlice<Int>, _ writer: inout JSONWriter, _ starts: PreparedParts
    ) {
        let between = Self.between
        let fixed = between.count(of: 0) + between.count(of: 1) + 3 * PreparedOutput.integerBytesMax + 2
        let count = ordered.reduce(0) { $0 + fixed + starts.count(of: app($1).subject) }
        starts.lend { starts in
            between.lend { between in
                writer.prepared(count) { out in
                    var isFirst = true
                    for ordered in ordered {
                        let app = app(ordered)
                        if !isFirst { out.add(UInt8(ascii: ",")) }
                        isFirst = false
                        out.add(app.subject, of: starts)
                        out.add(app.entry.duration.count)
                        out.add(0, of: between)
                        out.add(app.entry.pickups)
                        out.add(1, of: between)
                        out.add(app.entry.notifications)
                        out.add(UInt8(ascii: "}"))
                    }
                }
            }
        }
    }
}
