import Contract
import Loop
import Rules
import ServiceKit
import Store

/// Stores how a stream's use changed, and tells it as `usage.recorded`.
@LoopActor final class Recorder {
    private let subjects: SubjectTable
    private let usage: UsageTable
    private let catalog: Catalog

    init(_ subjects: SubjectTable, _ usage: UsageTable, _ catalog: Catalog) {
        self.subjects = subjects
        self.usage = usage
        self.catalog = catalog
    }

    /// What happens to one subject.
    private struct Change {
        /// What is added; the whole answer when nothing older lies in the range.
        var added = SubjectRows()
        var low_ms = Int64.max
        var high_ms = Int64.min
        var removes = false

        mutating func touch(_ at_ms: Int64) {
            low_ms = min(low_ms, at_ms)
            high_ms = max(high_ms, at_ms)
        }
    }

    /// - Parameters:
    ///   - before: the tail from before the change; the stream has the new one.
    ///   - renamed: apps whose name or category changed, or that turned out to be browsers.
    func record(
        _ delta: UsageDelta, of stream: Stream, before: Tail, renamed: Set<Subject> = [],
        _ transaction: Transaction
    ) throws {
        var changes = Self.changes(delta)
        let tail = stream.tail
        Self.add(from: before, to: tail, &changes)
        for subject in renamed { changes[subject, default: Change()].removes = false }
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
            changes[use.subject]?.touch(use.interval.start_ms)
        }
        for mark in delta.added.marks {
            changes[mark.subject, default: Change()].added.add(mark)
            changes[mark.subject]?.touch(mark.at_ms)
        }
        for use in delta.removed.uses {
            changes[use.subject, default: Change()].touch(use.interval.start_ms)
            changes[use.subject]?.removes = true
        }
        for mark in delta.removed.marks {
            changes[mark.subject, default: Change()].touch(mark.at_ms)
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
                if let use = part?.provisional { change.touch(use.start_ms) }
                if let pickup_ms = part?.pickup_ms { change.touch(pickup_ms) }
            }
            changes[subject] = change
        }
    }

    private func emit(
        _ subject: Subject?, _ change: Change, of stream: Stream, _ part: Tail.Part?,
        _ transaction: Transaction
    ) throws {
        // Nothing begins anew: the event only tells what is open, and replaces an empty range.
        let isEmpty = change.low_ms > change.high_ms
        let from_ms = isEmpty ? part?.openSince_ms ?? 0 : change.low_ms
        let to_ms = isEmpty ? from_ms : change.high_ms + 1
        var rows = isEmpty ? SubjectRows() : try self.rows(subject, change, of: stream)
        rows.add(part, from: from_ms, to: to_ms)
        rows.sort()
        let event = try event(subject, of: stream, from: from_ms, to: to_ms, part)
        for event in rows.events(event) { try transaction.emit(event) }
    }

    /// Tells again what is there of a subject in a range; nil: pickups without an app.
    func retell(
        _ subject: Subject?, of stream: Stream, _ range: Range<Int64>, _ transaction: Transaction
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
        defer { stream.latest[id] = max(stream.latest[id] ?? .min, change.high_ms) }
        if let latest_ms = stream.latest[id], latest_ms < change.low_ms, !change.removes {
            return change.added
        }
        if stream.latest[id] == nil {
            stream.latest[id] = try usage.latest(of: stream.id, subject: id)
        }
        return try usage.rows(of: stream.id, subject: id, from: change.low_ms, to: change.high_ms + 1)
    }

    /// The event's frame; `SubjectRows` fills it.
    func event(
        _ subject: Subject?, of stream: Stream, from from_ms: Int64, to to_ms: Int64, _ part: Tail.Part?
    ) throws -> UsageRecorded {
        UsageRecorded(
            member: stream.member, device: stream.device, deviceModel: stream.model,
            kind: subject?.subjectKind ?? .app, subject: subject?.id ?? "",
            category: try subject.map(catalog.category), name: subject.flatMap(catalog.name),
            browser: subject.map(catalog.isBrowser) == true ? true : nil, fromMs: from_ms, toMs: to_ms,
            openSinceMs: part?.openSince_ms)
    }
}
