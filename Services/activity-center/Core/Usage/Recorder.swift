import Contract
import Loop
import Rules
import ServiceKit
import Store
import Units

/// Stores changes of a stream's use and publishes them as `usage.recorded`.
@LoopActor final class Recorder {
    private let subjects: SubjectTable
    private let usage: UsageTable
    private let catalog: Catalog

    init(_ subjects: SubjectTable, _ usage: UsageTable, _ catalog: Catalog) {
        self.subjects = subjects
        self.usage = usage
        self.catalog = catalog
    }

    /// The change of one subject.
    private struct Change {
        /// Added rows; they are the complete result if nothing older lies in the range.
        var added = SubjectRows()
        var low = Instant.max
        var high = Instant.min
        var removes = false

        mutating func touch(_ at: Instant) {
            low = min(low, at)
            high = max(high, at)
        }
    }

    /// - Parameters:
    ///   - before: the tail before the change; the stream has the new one.
    ///   - renamed: apps whose name or category changed, or that turned out to be browsers.
    func record(
        _ delta: UsageDelta, of stream: Stream, before: Tail, renamed: Set<Subject> = [],
        _ transaction: Transaction
    ) throws {
        var changes = Self.changes(delta)
        let tail = stream.tail
        Self.add(from: before, to: tail, &changes)
        for subject in renamed where changes[subject] == nil { changes[subject] = Change() }
        try usage.remove(delta.removed, of: stream)
        try usage.add(delta.added, to: stream)
        for (subject, change) in changes.sorted(by: { Self.isBefore($0.key, $1.key) }) {
            try emit(subject, change, of: stream, tail.parts[subject], transaction)
        }
    }

    private static func isBefore(_ left: Subject?, _ right: Subject?) -> Bool {
        guard let right else { return false }
        guard let left else { return true }
        return left < right
    }

    private static func changes(_ delta: UsageDelta) -> [Subject?: Change] {
        var changes: [Subject?: Change] = [:]
        for use in delta.added.uses {
            changes[use.subject, default: Change()].added.uses.append(use.interval)
            changes[use.subject]?.touch(use.interval.start)
        }
        for mark in delta.added.marks {
            changes[mark.subject, default: Change()].added.add(mark)
            changes[mark.subject]?.touch(mark.at)
        }
        for use in delta.removed.uses {
            changes[use.subject, default: Change()].touch(use.interval.start)
            changes[use.subject]?.removes = true
        }
        for mark in delta.removed.marks {
            changes[mark.subject, default: Change()].touch(mark.at)
            changes[mark.subject]?.removes = true
        }
        return changes
    }

    private static func add(from before: Tail, to after: Tail, _ changes: inout [Subject?: Change]) {
        guard before != after else { return }
        for subject in Set(before.parts.keys).union(after.parts.keys)
        where before.parts[subject] != after.parts[subject] {
            var change = changes[subject] ?? Change()
            for part in [before.parts[subject], after.parts[subject]] {
                if let use = part?.provisional { change.touch(use.start) }
                if let pickup = part?.pickup { change.touch(pickup) }
            }
            changes[subject] = change
        }
    }

    private func emit(
        _ subject: Subject?, _ change: Change, of stream: Stream, _ part: Tail.Part?,
        _ transaction: Transaction
    ) throws {
        // Nothing new begins: the event only reports what is open, and replaces an empty range.
        let isEmpty = change.low > change.high
        let from = isEmpty ? part?.openSince ?? 0 : change.low
        let to = isEmpty ? from : change.high + 1
        var rows = isEmpty ? SubjectRows() : try self.rows(subject, change, of: stream)
        rows.add(part, from: from, to: to)
        rows.sort()
        let event = try event(subject, of: stream, from: from, to: to, part)
        for event in rows.events(event) { try transaction.emit(event) }
    }

    /// Publishes a range of a subject again; nil stands for pickups without an app.
    func republish(
        _ subject: Subject?, of stream: Stream, _ range: Range<Instant>, _ transaction: Transaction
    ) throws {
        let id = try subjects.id(subject)
        let part = stream.tail.parts[subject]
        var rows = try usage.rows(
            of: stream.id, subject: id, from: range.lowerBound, to: range.upperBound)
        rows.add(part, from: range.lowerBound, to: range.upperBound)
        rows.sort()
        let event = try event(subject, of: stream, from: range.lowerBound, to: range.upperBound, part)
        for event in rows.events(event) { try transaction.emit(event) }
    }

    private func rows(_ subject: Subject?, _ change: Change, of stream: Stream) throws -> SubjectRows {
        let id = try subjects.id(subject)
        defer { stream.latest[id] = max(stream.latest[id] ?? .min, change.high) }
        if let latest = stream.latest[id], latest < change.low, !change.removes {
            return change.added
        }
        if stream.latest[id] == nil {
            stream.latest[id] = try usage.latest(of: stream.id, subject: id)
        }
        return try usage.rows(of: stream.id, subject: id, from: change.low, to: change.high + 1)
    }

    /// The event without rows; `SubjectRows` adds them.
    func event(
        _ subject: Subject?, of stream: Stream, from: Instant, to: Instant, _ part: Tail.Part?
    ) throws -> UsageRecorded {
        UsageRecorded(
            member: stream.member, device: stream.device, deviceModel: stream.model,
            kind: subject?.subjectKind ?? .app, subject: subject?.id ?? "",
            category: try subject.map(catalog.category), name: subject.flatMap(catalog.name),
            browser: subject.map(catalog.isBrowser) == true ? true : nil, from: from, to: to,
            openSince: part?.openSince)
    }
}
