import Contract
import JSON
import Rules
import ServiceKit
import Units

extension UsageLog {
    /// Where a page begins: at a subject, and at an instant within it.
    private struct Place {
        var stream: Int64 = 0
        var subject: Int64 = 0
        var from: Instant = 0
        var name: String { "\(stream)-\(subject)-\(from)" }
    }

    /// The present use as events, sorted by stream, subject and time. A page token is the position at which
    /// it begins: `stream-subject-instant`.
    func snapshot(_ page: String?) throws -> SnapshotPage {
        var place = try Self.place(page)
        var result = SnapshotPage()
        if page == nil, let held = clockGuard.present { _ = result.add([service.snapshotEvent(held)]) }
        let all = try streams.all()
        while true {
            guard let stream = all.first(where: { $0.id >= place.stream }) else { return result }
            if stream.id != place.stream { place = Place(stream: stream.id) }
            let open = try openSubjects(of: stream)
            let stored = try usage.nextSubject(of: stream.id, after: place.subject - 1)
            let next = ([stored].compactMap { $0 } + open.filter { $0 >= place.subject }).min()
            guard let next else {
                place = Place(stream: stream.id + 1)
                continue
            }
            if next != place.subject { place = Place(stream: stream.id, subject: next) }
            for event in try events(of: stream, next, from: place.from) {
                guard result.add([service.snapshotEvent(event)]) else {
                    place.from = event.from
                    result.nextPage = place.name
                    return result
                }
            }
            place = Place(stream: stream.id, subject: next + 1)
        }
    }

    private static func place(_ page: String?) throws(ServiceError) -> Place {
        guard let page else { return Place() }
        let parts = page.split(separator: "-", omittingEmptySubsequences: false).compactMap { Int64($0) }
        guard (2...3).contains(parts.count), parts.prefix(2).allSatisfy((0...Int64(Int32.max)).contains),
            parts.count == 2 || JSONLimits.integers.contains(parts[2])
        else {
            throw ServiceError(
                .invalidParams, "unknown page '\(page.prefix(64))'",
                remedy: "Send next_page of the previous answer.")
        }
        return Place(
            stream: parts[0], subject: parts[1], from: Instant(milliseconds: parts.count == 3 ? parts[2] : 0))
    }

    private func openSubjects(of stream: Stream) throws -> [Int64] {
        try stream.tail.parts.keys.compactMap { subject in
            guard let subject else { return SubjectTable.none }
            return try subjects.find(subject)
        }
    }

    private func events(
        of stream: Stream, _ id: Int64, from: Instant
    ) throws -> [UsageRecorded] {
        let subject = try subjects.subject(id)
        let part = stream.tail.parts[subject]
        var rows = try usage.rows(of: stream.id, subject: id, from: from, to: .max)
        rows.add(part, from: from, to: .max)
        rows.sort()
        return rows.events(try recorder.event(subject, of: stream, from: from, to: .max, part))
    }
}
