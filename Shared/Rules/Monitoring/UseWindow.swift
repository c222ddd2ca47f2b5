import Rules
import Units

/// A member's use from an instant on, updated with each change.
struct UseWindow {
    fileprivate struct Device {
        var closed: [Subject: IntervalSet] = [:]
        var running: [Subject: Instant] = [:]
        var provisional: [Subject: IntervalSet] = [:]

        /// Use that is not closed, and these intervals.
        func tail(of subject: Subject, with uses: [TimeRange]) -> IntervalSet {
            var tail = IntervalSet(uses)
            if let ended = provisional[subject] { tail = tail.union(ended) }
            if let start = running[subject], let open = TimeRange(from: start) { tail.insert(open) }
            return tail
        }

        func isUsed(_ subject: Subject, after at: Instant) -> Bool {
            if running[subject] != nil { return true }
            if let last = provisional[subject]?.last, last.end > at { return true }
            guard let last = closed[subject]?.last else { return false }
            return last.end > at
        }

        var subjects: Set<Subject> {
            Set(closed.keys).union(running.keys).union(provisional.keys)
        }

        func use(of subject: Subject, in window: TimeRange) -> IntervalSet {
            let known = (closed[subject] ?? IntervalSet()).clipped(to: window)
            let tail = tail(of: subject, with: [])
            return tail.isEmpty ? known : known.union(tail.clipped(to: window))
        }
    }

    /// Use before this instant is not known.
    let from: Instant
    private var devices: [String: Device] = [:]

    init(from: Instant, _ use: MemberUse = MemberUse()) {
        self.from = from
        for device in use.devices {
            devices[device.device, default: Device()].closed = device.uses.filter { !$0.value.isEmpty }
        }
        for (name, running) in use.running { devices[name, default: Device()].setRunning(running) }
        for (name, uses) in use.provisional { devices[name, default: Device()].setProvisional(uses) }
    }

    /// Applies a change.
    /// - Returns: the first instant at which something differs, and the subjects in use on this device after
    ///   it, before or after the change; nil if nothing differs in this window.
    mutating func apply(_ change: UseChange) -> (since: Instant, subjects: Set<Subject>)? {
        let before = devices[change.device] ?? Device()
        var after = before
        after.setRunning(change.running)
        after.setProvisional(change.provisional)
        let added = Self.bySubject(change.added, after: from)
        let removed = Self.bySubject(change.removed, after: from)
        var since = Instant.max
        let touched = [added.keys, removed.keys].reduce(into: Set<Subject>()) { $0.formUnion($1) }
            .union(before.running.keys).union(after.running.keys)
            .union(before.provisional.keys).union(after.provisional.keys)
        for subject in touched {
            let old = before.tail(of: subject, with: removed[subject] ?? [])
            let new = after.tail(of: subject, with: added[subject] ?? [])
            if let difference = old.firstDifference(from: new) { since = min(since, difference) }
            if let gone = removed[subject] {
                let left = after.closed[subject]?.subtracting(IntervalSet(gone))
                after.closed[subject] = left
            }
            for interval in added[subject] ?? [] {
                after.closed[subject, default: IntervalSet()].insert(interval)
            }
        }
        devices[change.device] = after
        guard since < .max else { return nil }
        since = max(since, from)
        let subjects = before.subjects.union(after.subjects).filter {
            before.isUsed($0, after: since) || after.isUsed($0, after: since)
        }
        return (since, subjects)
    }

    /// The use in a range, by device.
    /// - Parameter apps: only these; nil for everything.
    func use(from start: Instant, to end: Instant = .max, apps: Set<String>? = nil) -> [DeviceUse] {
        guard let window = TimeRange(start: start, end: end) else { return [] }
        return devices.map { name, device in
            var use = DeviceUse(device: name)
            let subjects = apps.map { Set($0.map { Subject.app($0) }) } ?? device.subjects
            for subject in subjects where device.isUsed(subject, after: start) {
                let part = device.use(of: subject, in: window)
                if !part.isEmpty { use.uses[subject] = part }
            }
            return use
        }
    }

    /// Whether the window has any use of a subject.
    func knows(_ subject: Subject) -> Bool {
        devices.values.contains { $0.isUsed(subject, after: from) }
    }

    var subjects: Set<Subject> { devices.values.reduce(into: []) { $0.formUnion($1.subjects) } }

    private static func bySubject(_ uses: [Use], after from: Instant) -> [Subject: [TimeRange]] {
        var sorted: [Subject: [TimeRange]] = [:]
        for use in uses where use.interval.end > from {
            sorted[use.subject, default: []].append(use.interval)
        }
        return sorted
    }
}

extension UseWindow.Device {
    fileprivate mutating func setRunning(_ uses: [RunningUse]) {
        running = [:]
        for use in uses { running[use.subject] = min(use.start, running[use.subject] ?? .max) }
    }

    fileprivate mutating func setProvisional(_ uses: [Use]) {
        provisional = [:]
        for use in uses { provisional[use.subject, default: IntervalSet()].insert(use.interval) }
    }
}

extension TimeRange {
    fileprivate init?(from start: Instant) { self.init(start: start, end: MemberUse.forever) }
}

extension IntervalSet {
    /// The first instant that is in only one of the sets.
    fileprivate func firstDifference(from other: IntervalSet) -> Instant? {
        let count = max(intervals.count, other.intervals.count)
        for index in 0..<count {
            guard index < intervals.count else { return other.intervals[index].start }
            guard index < other.intervals.count else { return intervals[index].start }
            let mine = intervals[index]
            let theirs = other.intervals[index]
            if mine.start != theirs.start { return min(mine.start, theirs.start) }
            if mine.end != theirs.end { return min(mine.end, theirs.end) }
        }
        return nil
    }
}
