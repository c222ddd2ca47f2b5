import Rules

/// A member's use from some instant on, moved on with each change.
struct UseWindow {
    fileprivate struct Device {
        var closed: [Subject: IntervalSet] = [:]
        var running: [Subject: Int64] = [:]
        var provisional: [Subject: IntervalSet] = [:]

        /// What is not closed, and these uses.
        func tail(of subject: Subject, with uses: [TimeRange]) -> IntervalSet {
            var tail = IntervalSet(uses)
            if let ended = provisional[subject] { tail = tail.union(ended) }
            if let start_ms = running[subject], let goesOn = TimeRange(from: start_ms) { tail.insert(goesOn) }
            return tail
        }

        func isUsed(_ subject: Subject, after at_ms: Int64) -> Bool {
            if running[subject] != nil { return true }
            if let last = provisional[subject]?.last, last.end_ms > at_ms { return true }
            guard let last = closed[subject]?.last else { return false }
            return last.end_ms > at_ms
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

    /// What lies before is not known.
    let from_ms: Int64
    private var devices: [String: Device] = [:]

    init(from from_ms: Int64, _ use: MemberUse = MemberUse()) {
        self.from_ms = from_ms
        for device in use.devices {
            devices[device.device, default: Device()].closed = device.uses.filter { !$0.value.isEmpty }
        }
        for (name, running) in use.running { devices[name, default: Device()].setRunning(running) }
        for (name, uses) in use.provisional { devices[name, default: Device()].setProvisional(uses) }
    }

    /// Moves on.
    /// - Returns: the first instant at which something differs, and the subjects in use on this device after
    ///   it, before or now; `nil` when nothing differs in this window.
    mutating func take(_ change: UseChange) -> (since_ms: Int64, subjects: Set<Subject>)? {
        let before = devices[change.device] ?? Device()
        var after = before
        after.setRunning(change.running)
        after.setProvisional(change.provisional)
        let added = Self.bySubject(change.added, after: from_ms)
        let removed = Self.bySubject(change.removed, after: from_ms)
        var since_ms = Int64.max
        let touched = [added.keys, removed.keys].reduce(into: Set<Subject>()) { $0.formUnion($1) }
            .union(before.running.keys).union(after.running.keys)
            .union(before.provisional.keys).union(after.provisional.keys)
        for subject in touched {
            let old = before.tail(of: subject, with: removed[subject] ?? [])
            let new = after.tail(of: subject, with: added[subject] ?? [])
            if let difference_ms = old.firstDifference(from: new) { since_ms = min(since_ms, difference_ms) }
            if let gone = removed[subject] {
                let left = after.closed[subject]?.subtracting(IntervalSet(gone))
                after.closed[subject] = left
            }
            for interval in added[subject] ?? [] {
                after.closed[subject, default: IntervalSet()].insert(interval)
            }
        }
        devices[change.device] = after
        guard since_ms < .max else { return nil }
        since_ms = max(since_ms, from_ms)
        let subjects = before.subjects.union(after.subjects).filter {
            before.isUsed($0, after: since_ms) || after.isUsed($0, after: since_ms)
        }
        return (since_ms, subjects)
    }

    /// All use in a range, by device.
    /// - Parameter apps: only these; `nil` for everything.
    func use(from start_ms: Int64, to end_ms: Int64 = .max, apps: Set<String>? = nil) -> [DeviceUse] {
        guard let window = TimeRange(start_ms: start_ms, end_ms: end_ms) else { return [] }
        return devices.map { name, device in
            var use = DeviceUse(device: name)
            let subjects = apps.map { Set($0.map { Subject.app($0) }) } ?? device.subjects
            for subject in subjects where device.isUsed(subject, after: start_ms) {
                let part = device.use(of: subject, in: window)
                if !part.isEmpty { use.uses[subject] = part }
            }
            return use
        }
    }

    /// Whether anything of a subject is in the window.
    func knows(_ subject: Subject) -> Bool {
        devices.values.contains { $0.isUsed(subject, after: from_ms) }
    }

    var subjects: Set<Subject> { devices.values.reduce(into: []) { $0.formUnion($1.subjects) } }

    private static func bySubject(_ uses: [Use], after from_ms: Int64) -> [Subject: [TimeRange]] {
        var sorted: [Subject: [TimeRange]] = [:]
        for use in uses where use.interval.end_ms > from_ms {
            sorted[use.subject, default: []].append(use.interval)
        }
        return sorted
    }
}

extension UseWindow.Device {
    fileprivate mutating func setRunning(_ uses: [RunningUse]) {
        running = [:]
        for use in uses { running[use.subject] = min(use.start_ms, running[use.subject] ?? .max) }
    }

    fileprivate mutating func setProvisional(_ uses: [Use]) {
        provisional = [:]
        for use in uses { provisional[use.subject, default: IntervalSet()].insert(use.interval) }
    }
}

extension TimeRange {
    fileprivate init?(from start_ms: Int64) { self.init(start_ms: start_ms, end_ms: MemberUse.forever_ms) }
}

extension IntervalSet {
    /// The first instant that only one of them has.
    fileprivate func firstDifference(from other: IntervalSet) -> Int64? {
        let count = max(intervals.count, other.intervals.count)
        for index in 0..<count {
            guard index < intervals.count else { return other.intervals[index].start_ms }
            guard index < other.intervals.count else { return intervals[index].start_ms }
            let mine = intervals[index]
            let theirs = other.intervals[index]
            if mine.start_ms != theirs.start_ms { return min(mine.start_ms, theirs.start_ms) }
            if mine.end_ms != theirs.end_ms { return min(mine.end_ms, theirs.end_ms) }
        }
        return nil
    }
}
