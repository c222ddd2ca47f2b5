/// Adds up summaries of consecutive segments.
package struct UseSum {
    private var summary = UseSummary()
    /// Index of each subject's entry; empty until a second summary is added.
    private var places: [Int: Int] = [:]

    /// An empty sum.
    package init() {}

    /// Whether nothing was added.
    package var isEmpty: Bool { summary.isEmpty }

    /// Adds the summary of a segment after all others.
    package mutating func add(_ other: UseSummary) {
        summary.duration += other.duration
        summary.runs.append(other.runs)
        if let pickup = other.firstPickup {
            summary.firstPickup = min(summary.firstPickup ?? .max, pickup)
        }
        // Most sums have one summary, and need no index.
        guard !summary.entries.isEmpty else {
            summary.entries = other.entries
            return
        }
        guard !other.entries.isEmpty else { return }
        if places.isEmpty {
            for (place, entry) in summary.entries.enumerated() { places[entry.subject] = place }
        }
        for entry in other.entries { add(entry) }
    }

    private mutating func add(_ entry: UseEntry) {
        guard let place = places[entry.subject] else {
            places[entry.subject] = summary.entries.count
            summary.entries.append(entry)
            return
        }
        summary.entries[place].duration += entry.duration
        summary.entries[place].share += entry.share
        summary.entries[place].pickups += entry.pickups
        summary.entries[place].notifications += entry.notifications
    }

    /// The sum so far.
    package var total: UseSummary {
        guard !places.isEmpty else { return summary }
        var total = summary
        total.entries.sort { ($0.kind.rawValue, $0.subject) < ($1.kind.rawValue, $1.subject) }
        return total
    }
}

/// Adds up sections of consecutive segments.
package struct UseSectionsSum {
    private var all = UseSum()
    private var devices: [Int: UseSum] = [:]

    package init() {}

    /// Adds the sections of a segment after all others.
    package mutating func add(_ sections: UseSections) {
        all.add(sections.all)
        for section in sections.devices {
            devices[section.device, default: UseSum()].add(section.summary)
        }
    }

    /// The sum so far.
    package var total: UseSections {
        let sections = devices.sorted { $0.key < $1.key }
            .map { UseSections.Section(device: $0.key, summary: $0.value.total) }
        return UseSections(devices: sections, all: all.total)
    }
}

extension UseSections {
    /// The summary of some of the devices, or of all (nil).
    /// - Returns: nil if several were in use at the same time, so that the sum of summaries is not their
    ///   union.
    package func united(_ chosen: Set<Int>?) -> UseSummary? {
        guard let chosen else { return all }
        let own = devices.filter { chosen.contains($0.device) }
        if own.count == devices.count { return all }
        if own.count <= 1 { return own.first?.summary ?? UseSummary() }
        guard devices.reduce(0, { $0 + $1.summary.duration }) == all.duration else { return nil }
        var sum = UseSum()
        for section in own { sum.add(section.summary) }
        var total = sum.total
        total.runs = UseRuns()
        return total
    }
}
