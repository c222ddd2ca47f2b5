import Contract
import JSON

/// Closed use as tables for other programs.
package enum UsageTables {
    /// The use that one device's changes, in their order, come to; what is open at the end of a live one
    /// counts up to its last change, as reports have it.
    package static func use(
        of device: String, _ changes: some Sequence<UsageChange>, isLive: Bool
    ) -> DeviceUse {
        var machine = UsageMachine()
        var output = machine.apply(changes)
        let closing = machine.closing()
        if isLive { output.uses += closing.uses }
        return DeviceUse(device: device, uses: output.uses, marks: output.marks + closing.marks)
    }

    // MARK: CSV

    package static let csvHeader = "device,kind,subject,start_ms,end_ms,duration_ms,start"

    /// RFC 4180: a line per stretch of use, by start. `start` is the same instant in RFC 3339.
    package static func csv(_ use: DeviceUse) -> [String] {
        stretches(use).map { subject, range in
            [
                csvField(use.device), subject.subjectKind.rawValue, csvField(subject.id),
                "\(range.start)", "\(range.end)", "\(range.duration)", UTCTime.text(range.start),
            ].joined(separator: ",")
        }
    }

    /// RFC 4180, section 2: a field with a comma, a quote or a line break stands in quotes, its own quotes
    /// doubled.
    package static func csvField(_ text: String) -> String {
        let needsQuotes = text.utf8.contains { $0 == 0x22 || $0 == 0x2c || $0 == 0x0a || $0 == 0x0d }
        guard needsQuotes else { return text }
        let parts = text.split(separator: "\"" as Character, omittingEmptySubsequences: false)
        return "\"" + parts.joined(separator: "\"\"") + "\""
    }

    private static func stretches(_ use: DeviceUse) -> [(Subject, TimeRange)] {
        use.uses.flatMap { subject, time in time.intervals.map { (subject, $0) } }
            .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    }

    // MARK: ActivityWatch

    /// As the server's own export: a bucket of windows, one of presence and one of pages for each device.
    /// Pages without a host are left out, pickups and notifications have no place there.
    package static func activityWatch(_ devices: [DeviceUse]) -> [UInt8] {
        var writer = JSONWriter(capacity: 1 << 16)
        writer.beginObject()
        writer.key("buckets")
        writer.beginObject()
        for use in devices {
            let stretches = stretches(use)
            let present = use.union.intervals.map { Event(range: $0, data: [("status", "not-afk")]) }
            let windows = stretches.filter { $0.0.kind == .app }.map {
                Event(range: $0.1, data: [("app", $0.0.id), ("title", "")])
            }
            let pages = stretches.filter { $0.0.kind == .domain && !$0.0.id.isEmpty }.map {
                Event(range: $0.1, data: [("url", url($0.0.id)), ("title", $0.0.id)])
            }
            write("aw-watcher-window", "currentwindow", use.device, windows, &writer)
            write("aw-watcher-afk", "afkstatus", use.device, present, &writer)
            write("aw-watcher-web", "web.tab.current", use.device, pages, &writer)
        }
        writer.endObject()
        writer.endObject()
        return writer.finish()
    }

    private static func url(_ host: String) -> String {
        host.contains(":") ? "https://[\(host)]/" : "https://\(host)/"
    }

    private struct Event {
        let range: TimeRange
        let data: [(String, String)]
    }

    private static func write(
        _ client: String, _ type: String, _ device: String, _ events: [Event], _ writer: inout JSONWriter
    ) {
        let id = "\(client)_\(device)"
        writer.key(id)
        writer.beginObject()
        let first = events.first?.range.start ?? 0
        for (key, value) in [
            ("id", id), ("created", UTCTime.text(first)), ("type", type), ("client", client),
            ("hostname", device),
        ] {
            writer.key(key)
            writer.string(value)
        }
        writer.key("data")
        writer.beginObject()
        writer.endObject()
        writer.key("events")
        writer.beginArray()
        for event in events { write(event, &writer) }
        writer.endArray()
        writer.endObject()
    }

    private static func write(_ event: Event, _ writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("timestamp")
        writer.string(UTCTime.text(event.range.start))
        writer.key("duration")
        writer.number(Double(event.range.duration.count) / 1000)
        writer.key("data")
        writer.beginObject()
        for (key, value) in event.data {
            writer.key(key)
            writer.string(value)
        }
        writer.endObject()
        writer.endObject()
    }
}
