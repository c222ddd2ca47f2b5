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
        var segments = JSONWriter(capacity: 4_096)
    }

    private var parts: [Part] = []
    private var subjects: ActivitySubjects
    /// Number of segments that have begun.
    private var begun = 0

    /// - members: in the order of the answer.
    init(_ members: [MemberActivity], _ subjects: ReportSubjects) throws {
        self.subjects = ActivitySubjects(subjects)
        for member in members {
            parts += try member.activeDevices().map { Part(activity: member, device: $0) }
            begun = member.segments
        }
    }

    var isEmpty: Bool { parts.isEmpty }

    /// The content to be sent.
    /// - mayCut: if false, too many segments are an error, so that no caller mistakes a part for the whole.
    /// - Throws: `limitExceeded`
    mutating func content(mayCut: Bool) throws -> ReportContent {
        // {"user":{},"device":{},…}, and names.
        var bytes = parts.reduce(0) {
            $0 + 512 + $1.device.name.utf8.count + ($1.activity.member.name ?? "").utf8.count
        }
        var next: Int64?
        for place in parts.indices { parts[place].segments.beginArray() }
        for segment in 0..<(parts.isEmpty ? 0 : begun) {
            var found: [ActivitySegment] = []
            for part in parts {
                let summary = try part.activity.summary(segment, part.device.number)
                let range = part.activity.use.range.segments[segment]
                found.append(try ActivitySegment(summary, range, &subjects))
            }
            bytes += found.reduce(0) { $0 + $1.bytes(subjects) }
            if bytes > ReportLimits.answerBytesMax {
                guard mayCut, segment > 0 else {
                    throw ReportBytes.tooMuch(begun * parts.count, mayCut: mayCut)
                }
                next = Int64(segment)
                break
            }
            for place in parts.indices { found[place].write(&parts[place].segments, subjects) }
        }
        var writer = JSONWriter(capacity: bytes)
        writer.beginArray()
        while !parts.isEmpty { Self.write(parts.removeFirst(), &writer) }
        writer.endArray()
        return ReportContent(field: "activity", bytes: writer.finish(), next: next)
    }

    private static func write(_ part: Part, _ writer: inout JSONWriter) {
        var part = part
        part.segments.endArray()
        let (member, range) = (part.activity.member, part.activity.use.range)
        // It has a segment, so it has a range.
        let whole = range.whole.map { Interval(start: $0.start, end: $0.end) } ?? Interval()
        let activity = ReportActivity(
            user: ReportActivityUser(member: member.id, name: member.name, role: member.role),
            device: ReportActivityDevice(
                name: part.device.name, model: ReportDevice.reported(part.device.model)),
            lastUpdated: part.device.latest, segmentInterval: range.length, dateInterval: whole)
        ReportContent(field: "activity_segments", bytes: part.segments.finish())
            .write(activity, to: &writer)
    }
}
