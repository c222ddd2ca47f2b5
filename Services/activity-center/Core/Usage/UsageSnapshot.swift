import Bus
import Contract
import Engine
import ServiceKit

extension UsageLog {
    /// Bytes of events in one page, so that an answer stays a legal message.
    private static let pageBytesMax = 600_000

    /// The present use as events: by stream, subject and time. A page's name is the place where it begins:
    /// `stream-subject`.
    func snapshot(_ page: String?) throws -> SnapshotPage {
        var place = try Self.place(page)
        var events: [[UInt8]] = []
        if page == nil, let held = clockGuard.present { events.append(service.snapshotEvent(held)) }
        var bytes = 0
        let all = try streams.all()
        while true {
            guard let stream = all.first(where: { $0.id >= place.stream }) else {
                return SnapshotPage(events: events, nextPage: nil)
            }
            if stream.id != place.stream { place = (stream.id, -1) }
            let open = try openSubjects(of: stream)
            let stored = try usage.nextSubject(of: stream.id, after: place.subject)
            let next = ([stored].compactMap { $0 } + open.filter { $0 > place.subject }).min()
            guard let next else {
                place = (stream.id + 1, -1)
                continue
            }
            if bytes >= Self.pageBytesMax {
                return SnapshotPage(events: events, nextPage: "\(place.stream)-\(place.subject + 1)")
            }
            place.subject = next
            for event in try self.events(of: stream, next) {
                let encoded = service.snapshotEvent(event)
                bytes += encoded.count
                events.append(encoded)
            }
        }
    }

    private static func place(_ page: String?) throws(ServiceError) -> (stream: Int64, subject: Int64) {
        guard let page else { return (0, -1) }
        let parts = page.split(separator: "-").compactMap { Int64($0) }
        guard parts.count == 2, parts.allSatisfy((0...Int64(Int32.max)).contains) else {
            throw ServiceError(
                .invalidParams, "there is no page '\(page.prefix(64))'",
                remedy: "Send next_page as the previous answer gave it.")
        }
        return (parts[0], parts[1] - 1)
    }

    private func openSubjects(of stream: Stream) throws -> [Int64] {
        try stream.tail.parts.keys.compactMap { subject in
            guard let subject else { return SubjectTable.none }
            return try subjects.find(subject)
        }
    }

    private func events(of stream: Stream, _ id: Int64) throws -> [UsageRecorded] {
        let subject = try subjects.subject(id)
        let part = stream.tail.parts[subject]
        var rows = try usage.rows(of: stream.id, subject: id, from: 0, to: .max)
        rows.add(part, from: 0, to: .max)
        rows.sort()
        return rows.events(try recorder.event(subject, of: stream, from: 0, to: .max, part))
    }
}
