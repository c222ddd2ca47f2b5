package import Units

/// How much of a time range is needed.
package enum UseDetail: Hashable, Sendable {
    /// The time in which anything is in use on any device.
    case duration
    /// The summary of all devices together.
    case subjects
    /// Each device, too.
    case devices
}

/// Adds up summaries of consecutive segments.
package struct UseSum {
    private var summary = UseSummary()
    /// Places of the entries; empty until a second summary is added.
    private var places = SubjectPlaces()

    /// An empty sum.
    package init() {}

    /// Adds the summary of a segment after all others.
    package mutating func add(_ other: UseSummary) {
        addHead(other)
        // Most sums have one summary, and need no index.
        guard !summary.entries.isEmpty else {
            summary.entries = other.entries
            return
        }
        guard !other.entries.isEmpty else { return }
        index()
        var expected = 0
        for entry in other.entries { add(entry, &expected) }
    }

    /// Reads a packed summary of a segment after all others, and adds it.
    mutating func add(_ reader: inout PackedReader, from origin: Instant) throws(PackedReader.Damaged) {
        var head = UseSummary()
        let count = try reader.head(of: &head, origin)
        addHead(head)
        guard !summary.entries.isEmpty else { return try reader.entries(count, of: &summary) }
        guard count > 0 else { return }
        index()
        var (previous, expected) = (0, 0)
        for _ in 0..<count {
            let entry = try reader.entry(after: previous)
            previous = entry.subject
            add(entry, &expected)
        }
    }

    /// Adds only time in which anything is in use.
    mutating func add(duration: Milliseconds) { summary.duration += duration }

    private mutating func addHead(_ head: UseSummary) {
        summary.duration += head.duration
        summary.runs.append(head.runs)
        if let pickup = head.firstPickup {
            summary.firstPickup = min(summary.firstPickup ?? .max, pickup)
        }
    }

    private mutating func index() {
        guard places.count == 0 else { return }
        for entry in summary.entries { _ = places.place(of: entry.subject) }
    }

    /// - expected: the place at which the subject probably is: most segments have the same subjects in the
    ///   same order. Set to that of the next.
    @inline(__always)
    private mutating func add(_ entry: UseEntry, _ expected: inout Int) {
        let isExpected =
            expected < summary.entries.count && summary.entries[expected].subject == entry.subject
        let place = isExpected ? expected : places.place(of: entry.subject)
        if place < summary.entries.count {
            summary.entries[place].add(entry)
        } else {
            summary.entries.append(entry)
        }
        expected = place + 1
    }

    /// The sum so far.
    package var total: UseSummary {
        guard places.count > 0 else { return summary }
        var total = summary
        total.entries.sort { ($0.kind.rawValue, $0.subject) < ($1.kind.rawValue, $1.subject) }
        return total
    }
}

extension UseEntry {
    /// Adds the figures of the same subject in another segment.
    fileprivate mutating func add(_ other: UseEntry) {
        duration += other.duration
        share += other.share
        pickups += other.pickups
        notifications += other.notifications
    }
}

/// Adds up sections of consecutive segments.
package struct UseSectionsSum {
    private let detail: UseDetail
    private var all = UseSum()
    private var devices: [(device: Int, sum: UseSum)] = []
    /// Whether every segment so far had the same device alone. Its sum is then that of all, which is not
    /// kept.
    private var isOneDevice = true

    /// - Parameter detail: what the sum contains; the rest is omitted.
    package init(_ detail: UseDetail) { self.detail = detail }

    /// Adds the sections of a segment after all others.
    package mutating func add(_ sections: UseSections) {
        switch detail {
        case .duration: all.add(duration: sections.all.duration)
        case .subjects: all.add(sections.all)
        case .devices:
            guard !sections.isEmpty else { return }
            prepare(alone: sections.devices.count == 1 ? sections.devices[0].device : nil)
            if !isOneDevice { all.add(sections.all) }
            for section in sections.devices { devices[place(of: section.device)].sum.add(section.summary) }
        }
    }

    /// Adds the bytes of ``UseSections/packed(from:)`` of a segment after all others.
    /// - Parameter origin: as when they were packed.
    package mutating func add(
        packed bytes: UnsafeRawBufferPointer, from origin: Instant
    ) throws(PackedReader.Damaged) {
        var reader = PackedReader(bytes)
        guard !reader.isAtEnd else { return }
        // The summary of all devices is first, or that of the only device.
        var device = try reader.section()
        switch detail {
        case .duration: return all.add(duration: try reader.time())
        case .subjects: return try all.add(&reader, from: origin)
        case .devices: break
        }
        prepare(alone: device == UseSections.everything ? nil : device)
        guard device == UseSections.everything else {
            if !isOneDevice {
                var same = reader
                try all.add(&same, from: origin)
            }
            return try devices[place(of: device)].sum.add(&reader, from: origin)
        }
        try all.add(&reader, from: origin)
        while !reader.isAtEnd {
            device = try reader.section()
            try devices[place(of: device)].sum.add(&reader, from: origin)
        }
    }

    /// - Parameter device: the only one of the next segment; nil if it has several.
    private mutating func prepare(alone device: Int?) {
        guard isOneDevice else { return }
        guard let first = devices.first else {
            isOneDevice = device != nil
            return
        }
        guard device != first.device else { return }
        isOneDevice = false
        all = first.sum
    }

    private mutating func place(of device: Int) -> Int {
        if let place = devices.firstIndex(where: { $0.device == device }) { return place }
        devices.append((device, UseSum()))
        return devices.count - 1
    }

    /// The sum so far.
    package var total: UseSections {
        let sections = devices.sorted { $0.device < $1.device }
            .map { UseSections.Section(device: $0.device, summary: $0.sum.total) }
        var all = isOneDevice && !sections.isEmpty ? sections[0].summary : all.total
        all.runs = UseRuns()
        return UseSections(devices: sections, all: all)
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
