import Rules
import Store
import Units

/// The use of one member in the segments of a report: from cached days and roll-ups, and from the records
/// where sums are not sufficient.
final class MemberUse {
    let copy: UsageCopy
    /// The member's number.
    let member: Int
    let range: ReportRange
    let now: Instant
    /// Numbers of the requested devices; nil for all.
    let devices: Set<Int>?
    /// Uses that are in no roll-up: those of more than a day, and those that are open now.
    private var others: [RecordedUse] = []
    private(set) var isRunning = false

    init(
        _ copy: UsageCopy, member: Int, devices: Set<Int>?, _ range: ReportRange, now: Instant
    ) throws {
        (self.copy, self.member, self.devices) = (copy, member, devices)
        (self.range, self.now) = (range, now)
        guard let window = range.whole else { return }
        let open = try copy.openUses(of: member, until: now)
        others = try copy.longUses(of: member, in: window) + open
        isRunning = open.contains { use in
            use.interval.intersection(window) != nil && now <= window.end
                && (devices?.contains(use.device) ?? true)
        }
    }

    /// The use in each of these segments.
    /// - Parameter detail: what is needed of it.
    func segments(_ indices: Range<Int>, _ detail: UseDetail) throws -> [UseSections] {
        guard range.length != .hourly else {
            let hours = range.segments[indices]
            let plain = others.isEmpty ? Array(hours) : hours.filter { !hasOthers($0) }
            let sums = try copy.sections(of: member, inEach: plain, detail)
            if plain.count == hours.count { return sums }
            var next = sums.makeIterator()
            return try hours.map { try hasOthers($0) ? stretch($0, detail) : next.next() ?? UseSections() }
        }
        let days = range.days[indices]
        let plain = days.joined().filter { !hasOthers($0) }
        var sums = try copy.days(plain, of: member, range.calendar, now: now, detail).makeIterator()
        return try days.map { days in
            guard days.count > 1 else {
                return try hasOthers(days[0]) ? stretch(days[0], detail) : sums.next() ?? UseSections()
            }
            var sum = UseSectionsSum(detail)
            for day in days {
                sum.add(try hasOthers(day) ? stretch(day, detail) : sums.next() ?? UseSections())
            }
            return sum.total
        }
    }

    private func hasOthers(_ stretch: TimeRange) -> Bool {
        others.contains { $0.interval.intersection(stretch) != nil }
    }

    /// From the roll-ups and, where they are incomplete, from the records.
    private func stretch(_ stretch: TimeRange, _ detail: UseDetail) throws -> UseSections {
        let parts = others.compactMap { $0.interval.intersection(stretch) }
        guard let start = parts.map(\.start).min(), let end = parts.map(\.end).max() else {
            return try copy.sections(of: member, in: stretch, detail)
        }
        let first = max(stretch.start, Quarter.start(Quarter.holding(start)))
        let last = min(stretch.end, Quarter.start(Quarter.after(end)))
        var sum = UseSectionsSum(detail)
        if let before = TimeRange(start: stretch.start, end: first) {
            sum.add(try copy.sections(of: member, in: before, detail))
        }
        if let middle = TimeRange(start: first, end: last) {
            let recorded = try copy.recorded(of: member, in: middle, besides: others)
            sum.add(UseSections(uses: recorded.uses, marks: recorded.marks))
        }
        if let after = TimeRange(start: last, end: stretch.end) {
            sum.add(try copy.sections(of: member, in: after, detail))
        }
        return sum.total
    }

    /// The requested use in one segment, computed from the records: of the requested devices, each subject
    /// with its weight.
    func exact(_ segment: Int, _ weight: (RecordedSubject) throws -> UseWeight) throws -> UseSections {
        var recorded = try copy.recorded(of: member, in: range.segments[segment], besides: others)
        if let devices {
            recorded.uses.removeAll { !devices.contains($0.device) }
            recorded.marks.removeAll { !devices.contains($0.device) }
        }
        var weights: [RecordedSubject: UseWeight] = [:]
        let subjects = Set(recorded.uses.map(\.subject)).union(recorded.marks.map(\.subject))
        for subject in subjects { weights[subject] = try weight(subject) }
        return UseSections(uses: recorded.uses, marks: recorded.marks) { weights[$0] ?? .nothing }
    }
}

extension UsageCopy {
    /// Uses of more than a day that overlap the window.
    func longUses(of member: Int, in window: TimeRange) throws(StoreError) -> [RecordedUse] {
        let uses = try database.query(
            "SELECT series, start_ms, end_ms FROM long_use "
                + "WHERE member = ?1 AND start_ms < ?3 AND end_ms > ?2", member, window.start,
            window.end
        ) { (series: Int($0.int64(0)), interval: TimeRange(start: $0.instant(1), end: $0.instant(2))) }
        return try recordedUses(uses)
    }

    /// Open uses, up to an instant.
    func openUses(of member: Int, until: Instant) throws(StoreError) -> [RecordedUse] {
        let uses = try database.query(
            "SELECT series.id, open_since_ms FROM device JOIN series ON series.device = device.id "
                + "WHERE member = ?1 AND open_since_ms IS NOT NULL", member
        ) { (series: Int($0.int64(0)), interval: TimeRange(start: $0.instant(1), end: until)) }
        return try recordedUses(uses)
    }

    private func recordedUses(
        _ uses: [(series: Int, interval: TimeRange?)]
    ) throws(StoreError) -> [RecordedUse] {
        var recorded: [RecordedUse] = []
        for (series, interval) in uses {
            guard let interval else { continue }
            let owner = try directory.owner(of: series)
            recorded.append(RecordedUse(device: owner.device, subject: owner.subject, interval: interval))
        }
        return recorded
    }
}
