import Rules
import ServiceKit
import Store
import Units

/// Deletes all use inside a time range; use that crosses a border keeps its part outside. Observations inside
/// are removed. A few synthetic ones at the borders (`UsageMachine+Borders`) make late data, and everything
/// after, come out as if the range still existed.
extension UseRemoval {
    /// - Returns: nil if the stream has nothing in the range.
    func cut(
        _ from: Instant, _ to: Instant, outOf stream: Stream, _ report: ForgetReport
    ) throws -> Change? {
        guard from < to, try isTouched(stream, from, to) else { return nil }
        let before = stream.tail
        let start = try log.observations.checkpoint(of: stream.id, until: from)
        var run = try CutRun(start: start.map { try UsageMachine(decoding: $0.machine) })
        try log.observations.forEach(of: stream.id, from: start?.before ?? .min) { entry in
            guard entry.row.order < to else { return false }
            run.apply(entry, isInside: entry.row.order >= from)
            return true
        }
        let border = try borders(of: stream, run, from, to)
        report.removed("observations", run.insideCount)
        try log.observations.remove(of: stream.id, from: from, to: to)
        _ = try log.observations.insert(border, into: stream.id)
        let met = try goOn(stream, &run, border, from: to)
        try log.observations.replaceCheckpoints(
            of: stream.id, after: start?.before ?? .min, through: met ?? .max, by: [])
        if met == nil {
            stream.machine = run.machine
            stream.sinceCheckpoint = run.count
        }
        stream.last = try log.observations.last(of: stream.id)
        stream.latest = [:]
        try log.streams.save(stream)
        return try settle(stream, UsageDelta(from: run.oldOutput, to: run.output), before, report)
    }

    /// Whether an observation, a use or an open use lies in the range.
    private func isTouched(_ stream: Stream, _ from: Instant, _ to: Instant) throws -> Bool {
        let rows = try database.first(
            """
            SELECT EXISTS (SELECT 1 FROM observation
                WHERE stream = ?1 AND order_ms >= ?2 AND order_ms < ?3 AND ordinal > ?4)
            OR EXISTS (SELECT 1 FROM use WHERE stream = ?1 AND start_ms < ?3 AND end_ms > ?2)
            """, stream.id, from, to, Self.borderOrdinal + Self.borderCountMax
        ) { $0.int64(0) != 0 }
        return rows == true
            || stream.tail.parts.values.contains { $0.openSince.map { $0 < to } ?? false }
    }

    /// The synthetic observations at both borders, in order.
    private func borders(
        of stream: Stream, _ run: CutRun, _ from: Instant, _ to: Instant
    ) throws -> [Entry] {
        var border: [Entry] = []
        if run.hasBefore {
            let changes = run.atStart.ending(
                at: try end(of: run.atStart, in: stream, before: from),
                pickupOwner: try run.atStart.pendingPickup.flatMap { try pickupOwner(of: stream, $0) },
                ordinal: Self.borderOrdinal)
            border += try changes.map { try entry($0, order: from) }
        }
        let needed = try Set(run.old.foregroundSubjects.filter { try isNeeded($0, by: stream, after: to) })
        let changes = run.old.restoring(
            at: to, ordinal: Self.borderOrdinal, tabUntil: try nextTabChange(of: stream, to)
        ) { needed.contains($0) }
        return try border + changes.map { try entry($0, order: max(to, $0.at)) }
    }

    private func entry(_ change: UsageChange, order: Instant) throws -> Entry {
        try log.observations.entry(change, Stream.Place(order: order, at: change.at))
    }

    private func nextTabChange(of stream: Stream, _ from: Instant) throws -> Instant {
        let found = try database.first(
            """
            SELECT min(order_ms - shift_ms) FROM observation
            WHERE stream = ?1 AND order_ms >= ?2 AND kind IN (?3, ?4)
            """, stream.id, from, Entry.Code.domain.rawValue, Entry.Code.visit.rawValue
        ) { $0.isNull(0) ? nil : $0.instant(0) }
        return found.flatMap { $0 } ?? .max
    }

    /// When the running use really ended, at the latest at `before`: power may have failed, or the sensor may
    /// have been silent.
    private func end(of machine: UsageMachine, in stream: Stream, before: Instant) throws -> Instant
    {
        for running in machine.runningSubjects where !running.subject.isForgotten {
            guard let id = try log.subjects.find(running.subject) else { continue }
            let end = try database.first(
                "SELECT max(end_ms) FROM use WHERE stream = ?1 AND subject = ?2 AND start_ms = ?3", stream.id,
                id, running.start
            ) { $0.isNull(0) ? nil : $0.instant(0) }
            if let end = end.flatMap({ $0 }) { return min(end, before) }
            // It has no end: it is open now, or ends at the last change.
            let isOpen = stream.tail.parts[running.subject]?.openSince != nil
            return isOpen ? before : min(stream.machine.lastKnown ?? before, before)
        }
        return before
    }

    private func pickupOwner(of stream: Stream, _ at: Instant) throws -> Subject? {
        let id = try database.first(
            "SELECT subject FROM mark WHERE stream = ?1 AND at_ms = ?2 AND kind = ?3 ORDER BY subject DESC",
            stream.id, at, Int64(Mark.Kind.pickup.rawValue)
        ) { $0.int64(0) }
        return try id.flatMap { try log.subjects.subject($0) }
    }

    /// Whether a foreground subject is in use after an instant, or can still be.
    private func isNeeded(_ subject: Subject, by stream: Stream, after at: Instant) throws -> Bool {
        if subject.isForgotten || stream.machine.foregroundSubjects.contains(subject) { return true }
        guard let id = try log.subjects.find(subject) else { return false }
        return try database.first(
            "SELECT EXISTS (SELECT 1 FROM use WHERE stream = ?1 AND subject = ?2 AND end_ms > ?3)", stream.id,
            id, at
        ) { $0.int64(0) != 0 } ?? false
    }

    /// Feeds the observations after the range to both machines, the former and the new one, until they are
    /// equal.
    /// - Returns: where they became equal; nil if they did not.
    private func goOn(
        _ stream: Stream, _ run: inout CutRun, _ border: [Entry], from to: Instant
    ) throws -> Instant? {
        let ours = Set(border.map(\.row))
        for entry in border where entry.row.order <= to { run.takeBorder(entry) }
        let last = border.map(\.row.order).max() ?? to
        var met: Instant?
        var copy = run
        try log.observations.forEach(of: stream.id, from: to) { entry in
            if ours.contains(entry.row) {
                if entry.row.order > to { copy.takeBorder(entry) }
                return true
            }
            copy.takeAfter(entry)
            if copy.machinesAreEqual, entry.row.order > last { met = entry.row.order }
            return met == nil
        }
        run = copy
        return met
    }

    private func settle(
        _ stream: Stream, _ delta: UsageDelta, _ before: Tail, _ report: ForgetReport
    ) throws -> Change {
        var change = Change(stream: stream, delta: delta)
        for use in delta.added.uses + delta.removed.uses {
            change.touch(use.subject, use.interval.start, use.interval.start + 1)
        }
        for mark in delta.added.marks + delta.removed.marks {
            change.touch(mark.subject, mark.at, mark.at + 1)
        }
        report.removed("uses", max(0, delta.removed.uses.count - delta.added.uses.count))
        try log.usage.remove(delta.removed, of: stream)
        try log.usage.add(delta.added, to: stream)
        change.touch(before, stream.tail)
        return change
    }
}

/// Two machines: one with the former observations, one without the range.
private struct CutRun {
    /// With the former observations.
    private(set) var old: UsageMachine
    /// The former machine at the start of the range.
    private(set) var atStart: UsageMachine
    /// Without the range.
    private(set) var machine: UsageMachine
    private(set) var oldOutput = UsageOutput()
    private(set) var output = UsageOutput()
    private(set) var insideCount = 0
    /// Whether there was any observation before the range.
    private(set) var hasBefore: Bool
    /// Number of changes since the checkpoint.
    private(set) var count = 0

    init(start: UsageMachine?) {
        old = start ?? UsageMachine()
        atStart = old
        machine = old
        hasBefore = start != nil
    }

    var machinesAreEqual: Bool { old == machine }

    /// Applies an observation up to the end of the range.
    mutating func apply(_ entry: Entry, isInside: Bool) {
        guard isInside else {
            var ignored = UsageOutput()
            old.apply(entry.change, &ignored)
            atStart = old
            machine = old
            hasBefore = true
            count += 1
            return
        }
        old.apply(entry.change, &oldOutput)
        insideCount += 1
    }

    mutating func takeBorder(_ entry: Entry) {
        machine.apply(entry.change, &output)
        count += 1
    }

    mutating func takeAfter(_ entry: Entry) {
        old.apply(entry.change, &oldOutput)
        machine.apply(entry.change, &output)
        count += 1
    }
}
