import Contract
import JSON
import Rules
import Units

/// As many segments of nested activities as fit into one answer: `ReportActivity` records, which are written
/// without making them first.
struct ActivityPage {
    /// A member's device with activity.
    private struct Part {
        var activity: MemberActivity
        var device: ReportDevice
        var segments: [ActivitySegment] = []
    }

    private var parts: [Part] = []
    private var subjects: ActivitySubjects
    /// Upper bound of its size without escapes.
    private(set) var bytes = 0
    /// The first segment of the next page, relative to this one; nil if this is the last page.
    private(set) var next: Int64?

    /// - Parameters:
    ///   - members: in the order of the answer.
    ///   - mayCut: if false, too many segments are an error, so that no caller mistakes a part for the whole.
    ///   - bytesMax: how large it may be.
    /// - Throws: `limitExceeded`; errors of the store.
    init(_ members: [MemberActivity], _ subjects: ReportSubjects, mayCut: Bool, bytesMax: Int) throws {
        self.subjects = ActivitySubjects(subjects)
        for member in members {
            parts += try member.activeDevices().map { Part(activity: member, device: $0) }
        }
        // {"user":{},"device":{},…}, and names.
        bytes = parts.reduce(0) {
            $0 + 512 + $1.device.name.utf8.count + ($1.activity.member.name ?? "").utf8.count
        }
        // All members have the same segments.
        let begun = parts.isEmpty ? 0 : members[0].segments
        for segment in 0..<begun {
            let found = try self.segment(segment)
            let more = found.reduce(0) { $0 + $1.bytes(self.subjects) }
            if bytes + more > bytesMax {
                guard mayCut, segment > 0 else {
                    throw ReportBytes.tooMuch(begun * parts.count, mayCut: mayCut, bytesMax: bytesMax)
                }
                next = Int64(segment)
                return
            }
            bytes += more
            for place in parts.indices { parts[place].segments.append(found[place]) }
        }
    }

    var isEmpty: Bool { parts.isEmpty }

    /// One segment of each part.
    private mutating func segment(_ segment: Int) throws -> [ActivitySegment] {
        try parts.map { part in
            let summary = try part.activity.summary(segment, part.device.number)
            return try ActivitySegment(summary, part.activity.use.range.segments[segment], &subjects)
        }
    }

    /// Writes `[ReportActivity]`.
    func write(_ writer: inout JSONWriter) {
        writer.beginArray()
        for part in parts {
            let (member, range) = (part.activity.member, part.activity.use.range)
            // It has a segment, so it has a range.
            let whole = range.whole.map { Interval(start: $0.start, end: $0.end) } ?? Interval()
            let activity = ReportActivity(
                user: ReportActivityUser(member: member.id, name: member.name, role: member.role),
                device: ReportActivityDevice(
                    name: part.device.name, model: ReportDevice.reported(part.device.model)),
                lastUpdated: part.device.latest, segmentInterval: range.length, dateInterval: whole)
            writer.write(activity, but: "activity_segments") { writer in
                writer.beginArray()
                for segment in part.segments { segment.write(&writer, subjects) }
                writer.endArray()
            }
        }
        writer.endArray()
    }
}
