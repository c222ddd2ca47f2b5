package import Units

/// One interval of use as a read model stores it, with numbers for device and subject.
package struct RecordedUse: Hashable, Sendable {
    /// Number of the device.
    package var device: Int
    /// What was used.
    package var subject: RecordedSubject
    /// From when until when.
    package var interval: TimeRange

    package init(device: Int, subject: RecordedSubject, interval: TimeRange) {
        self.device = device
        self.subject = subject
        self.interval = interval
    }
}

/// A subject identified by its number.
package struct RecordedSubject: Hashable, Sendable {
    /// App, host or nobody; never `site`.
    package var kind: UseEntry.Kind
    /// Number in the read model.
    package var number: Int
    /// For a host: the number of its registrable domain.
    package var site: Int?

    package init(kind: UseEntry.Kind, number: Int, site: Int? = nil) {
        self.kind = kind
        self.number = number
        self.site = site
    }
}

/// Pickups or notifications at one instant.
package struct RecordedMark: Hashable, Sendable {
    /// Number of the device.
    package var device: Int
    /// Subject of the mark; nobody for a pickup without an app.
    package var subject: RecordedSubject
    /// Pickup or notification.
    package var kind: Mark.Kind
    /// When it occurred.
    package var at: Instant
    /// How many at this instant.
    package var count: Int64

    package init(device: Int, subject: RecordedSubject, kind: Mark.Kind, at: Instant, count: Int64) {
        self.device = device
        self.subject = subject
        self.kind = kind
        self.at = at
        self.count = count
    }
}

/// The part of a subject's time that a query counts.
package enum UseWeight: Hashable, Sendable {
    /// It does not count.
    case nothing
    /// All its time.
    case whole
    /// For an app, its time without that of known domains.
    case share
}

extension UseSections {
    /// Computes the summaries of a segment directly from its recorded use, all of which must be inside the
    /// segment.
    package init(
        uses: [RecordedUse], marks: [RecordedMark], weight: (RecordedSubject) -> UseWeight = { _ in .whole }
    ) {
        let usesOf = Dictionary(grouping: uses) { $0.device }
        let marksOf = Dictionary(grouping: marks) { $0.device }
        var sets: [UseSets] = []
        for device in Set(usesOf.keys).union(marksOf.keys).sorted() {
            let own = UseSets(usesOf[device] ?? [])
            var summary = own.summary(marksOf[device] ?? [], weight)
            summary.runs = UseRuns(of: own.union(weight))
            if summary.isEmpty { continue }
            devices.append(Section(device: device, summary: summary))
            sets.append(own)
        }
        if devices.count == 1 {
            all = devices[0].summary
            all.runs = UseRuns()
        } else if !devices.isEmpty {
            all = UseSets(united: sets).summary(marks, weight)
        }
    }
}

/// The time of each subject in one segment, of one device or several.
private struct UseSets {
    var times: [RecordedSubject: IntervalSet] = [:]
    /// Time without that of known domains, for apps where it differs.
    var shares: [RecordedSubject: IntervalSet] = [:]

    init(_ uses: [RecordedUse]) {
        var loose: [RecordedSubject: [TimeRange]] = [:]
        for use in uses { loose[use.subject, default: []].append(use.interval) }
        times = loose.mapValues { IntervalSet($0) }
        let hosts = times.lazy.filter { $0.key.kind == .host }.map(\.value)
        let known = IntervalSet.union(of: hosts)
        guard !known.isEmpty else { return }
        for (subject, time) in times where subject.kind == .app { shares[subject] = time.subtracting(known) }
    }

    init(united parts: [UseSets]) {
        for part in parts {
            for (subject, time) in part.times { times[subject] = times[subject]?.union(time) ?? time }
        }
        guard parts.contains(where: { !$0.shares.isEmpty }) else { return }
        for part in parts {
            for (subject, time) in part.times where subject.kind == .app {
                let share = part.shares[subject] ?? time
                shares[subject] = shares[subject]?.union(share) ?? share
            }
        }
    }

    func share(of subject: RecordedSubject) -> IntervalSet {
        shares[subject] ?? times[subject] ?? IntervalSet()
    }

    func union(_ weight: (RecordedSubject) -> UseWeight) -> IntervalSet {
        .union(
            of: times.map { subject, time in
                switch weight(subject) {
                case .nothing: IntervalSet()
                case .whole: time
                case .share: share(of: subject)
                }
            })
    }

    func summary(_ marks: [RecordedMark], _ weight: (RecordedSubject) -> UseWeight) -> UseSummary {
        var entries: [Int: UseEntry] = [:]
        var sites: [Int: [IntervalSet]] = [:]
        for (subject, time) in times where weight(subject) != .nothing {
            var entry = UseEntry(subject.kind, subject.number)
            entry.duration = time.total
            entry.share = shares[subject]?.total ?? entry.duration
            entries[subject.number] = entry
            if let site = subject.site { sites[site, default: []].append(time) }
        }
        for (site, times) in sites {
            var entry = UseEntry(.site, site)
            entry.duration = times.count == 1 ? times[0].total : IntervalSet.union(of: times).total
            entry.share = entry.duration
            entries[site] = entry
        }
        var summary = UseSummary()
        for mark in marks where weight(mark.subject) != .nothing {
            entries[mark.subject.number, default: UseEntry(mark.subject.kind, mark.subject.number)].add(mark)
            if let site = mark.subject.site { entries[site, default: UseEntry(.site, site)].add(mark) }
            guard mark.kind == .pickup else { continue }
            summary.firstPickup = min(summary.firstPickup ?? .max, mark.at)
        }
        summary.duration = union(weight).total
        summary.entries = entries.values.sorted {
            ($0.kind.rawValue, $0.subject) < ($1.kind.rawValue, $1.subject)
        }
        return summary
    }
}

extension UseEntry {
    fileprivate mutating func add(_ mark: RecordedMark) {
        switch mark.kind {
        case .pickup: pickups += mark.count
        case .notification: notifications += mark.count
        }
    }
}
