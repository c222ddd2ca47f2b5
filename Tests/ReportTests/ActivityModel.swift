import Contract
import Rules
import Units

/// The nested answer the slow and obvious way, as lines of text.
extension ReportModel {
    func activity(_ question: Question, _ segments: [TimeRange]) -> [String] {
        var lines: [String] = []
        for member in question.members {
            let all = devices(of: member, now: question.now) {
                question.devices.isEmpty || question.devices.contains($0)
            }
            for device in all {
                let (wholes, counted) = selected(question, device)
                let found = segments.map { segment(wholes, counted, device, $0) }
                guard found.contains(where: { $0 != nil }) else { continue }
                lines.append("\(member) \(device.device)")
                for (range, found) in zip(segments, found) { lines += ["segment \(range)"] + (found ?? []) }
            }
        }
        return lines
    }

    /// Nil if there is nothing. Notifications of hosts alone count as activity without a row.
    private func segment(
        _ wholes: DeviceUse, _ counted: DeviceUse, _ device: DeviceUse, _ range: TimeRange
    ) -> [String]? {
        let union = counted.union.clipped(to: range)
        let marks = wholes.marks.filter { range.contains($0.at) }
        guard !wholes.union.clipped(to: range).isEmpty || !marks.isEmpty else { return nil }
        var lines = ["total \(union.total)"]
        let most = union.intervals.map(\.duration).max()
        if let longest = union.intervals.first(where: { $0.duration == most }) {
            lines.append("longest \(longest)")
        }
        let pickups = marks.filter { $0.kind == .pickup }
        if let first = pickups.map(\.at).min() { lines.append("first pickup \(first)") }
        lines.append("alone \(pickups.count { $0.subject == nil })")
        lines += categories(wholes, device, marks, range)
        return lines == ["total 0", "alone 0"] ? [] : lines
    }

    private func categories(
        _ wholes: DeviceUse, _ device: DeviceUse, _ marks: [Mark], _ range: TimeRange
    ) -> [String] {
        let known = IntervalSet.union(of: device.uses.filter { $0.key.kind == .domain }.map(\.value))
        var totals: [String: Milliseconds] = [:]
        var apps: [String: [String]] = [:]
        var hosts: [String: [(host: String, category: String, time: IntervalSet)]] = [:]
        for subject in Set(wholes.uses.keys).union(marks.compactMap(\.subject)) {
            let time = (wholes.uses[subject] ?? IntervalSet()).clipped(to: range)
            let own = marks.filter { $0.subject == subject }
            let category = catalogue.category(of: subject)
            if subject.kind == .app {
                guard !time.isEmpty || !own.isEmpty else { continue }
                let share = catalogue.isBrowser(subject) ? time.subtracting(known) : time
                totals[category, default: 0] += share.total
                let counts = [Mark.Kind.pickup, .notification].map { kind in own.count { $0.kind == kind } }
                apps[category, default: []].append("app \(subject.id) \(time.total) \(counts)")
            } else if !time.isEmpty {
                totals[category, default: 0] += time.total
                hosts[Self.site(subject.id), default: []].append((subject.id, category, time))
            }
        }
        var domains: [String: [String]] = [:]
        for (site, hosts) in hosts {
            if Set(hosts.map(\.category)).count == 1 {
                let union = IntervalSet.union(of: hosts.map(\.time))
                domains[hosts[0].category, default: []].append("domain \(site) \(union.total)")
            } else {
                for host in hosts {
                    domains[host.category, default: []].append("domain \(host.host) \(host.time.total)")
                }
            }
        }
        return totals.keys.sorted().flatMap { category in
            ["category \(category) \(totals[category] ?? 0)"] + (apps[category] ?? []).sorted()
                + (domains[category] ?? []).sorted()
        }
    }
}

extension ReportActivity {
    /// As the model writes it.
    var lines: [String] {
        ["\(user.member) \(device.name)"]
            + activitySegments.flatMap { segment in
                ["segment [\(segment.dateInterval.start), \(segment.dateInterval.end))"] + segment.lines
            }
    }
}

extension ReportActivitySegment {
    fileprivate var lines: [String] {
        let isEmpty =
            totalActivity == 0 && firstPickup == nil && categories.isEmpty
            && totalPickupsWithoutApplicationActivity == 0
        if isEmpty { return [] }
        var lines = ["total \(totalActivity)"]
        if let longest = longestActivity { lines.append("longest [\(longest.start), \(longest.end))") }
        if let first = firstPickup { lines.append("first pickup \(first)") }
        lines.append("alone \(totalPickupsWithoutApplicationActivity)")
        for category in categories {
            lines.append("category \(category.category) \(category.totalActivity)")
            lines += category.applications.map { app in
                "app \(app.app) \(app.totalActivity) \([app.numberOfPickups, app.numberOfNotifications])"
            }.sorted()
            lines += category.webDomains.map { "domain \($0.domain) \($0.totalActivity)" }.sorted()
        }
        return lines
    }
}
