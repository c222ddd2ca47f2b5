import Contract
import JSON

/// Exports closed use as tables for other programs.
package enum UsageTables {
    /// The use that results from one device's changes, in order. Use that is open at the end of a live device
    /// counts up to its last change, as in reports.
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

    /// First line of the CSV; instants are UTC milliseconds.
    package static let csvHeader = "device,kind,subject,start_ms,end_ms,duration_ms,start"

    /// One line per interval of use, by start (RFC 4180). `start` is the same instant as `start_ms` in RFC
    /// 3339.
    package static func csv(_ use: DeviceUse) -> [String] {
        stretches(use).map { subject, range in
            [
                csvField(use.device), subject.subjectKind.rawValue, csvField(subject.id),
                "\(range.start)", "\(range.end)", "\(range.duration)", UTCTime.text(range.start),
            ].joined(separator: ",")
        }
    }

    /// Quotes a field with a comma, a quote or a line break, with quotes doubled (RFC 4180, section 2).
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

    /// JSON as exported by the ActivityWatch server: for each device a bucket of windows, one of presence and
    /// one of pages. Pages without a host, pickups and notifications are omitted.
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
