import Bus
import Contract
import Glibc
import JSON

extension Screentime {
    static let reportCommand = Command(
        "report",
        options: [
            Option("--from", "DATE", "First day, YYYY-MM-DD; default: today."),
            Option("--to", "DATE", "Last day, included; default: today."),
            Option(
                "--zone", "ZONE",
                "Whose clock makes the days, such as Europe/Berlin; default: this machine's."),
            .member,
            Option("--device", "DEVICE", "Only this device."),
            Option("--segment", "SEGMENT", "hourly, daily (default) or weekly; weeks start on Monday."),
            Option("--by", "KEY", "app (default), category, domain, device or total."),
            Option("--metric", "METRIC", "duration (default), pickups or notifications."),
            Option("--format", "FORMAT", "table (default), csv or json."),
        ],
        summary: "Who used what for how long.",
        details: """
            No second counts twice: per app the time is united over devices, the total is the union of
            everything. csv has the columns segment_start, the key and duration_ms (or pickups,
            notifications); json the same rows. Hours are RFC 3339 with offset, days and weeks a local date.
            Remarks about csv and json go to standard error.
            """
    ) { invocation in
        let format = try invocation.word("--format", of: ["table", "csv", "json"]) ?? "table"
        let session = try invocation.session()
        let params = try await reportParams(invocation, session)
        let report = try await ReportCommandFetch.whole(params, session)
        switch format {
        case "csv": ReportCommandCSV.lines(report).forEach { Console.print($0) }
        case "json": Console.print(ReportCommandJSON.rows(report))
        default: try await ReportCommandTable.printReport(report, session)
        }
        for note in report.notes {
            if format == "table" { Console.print(note) } else { Console.note(note) }
        }
        return ExitCode.ok
    }

    @BusActor private static func reportParams(
        _ invocation: Invocation, _ session: Session
    ) async throws -> ReportQuery.Params {
        let segment = try invocation.word("--segment", of: ReportSegment.allCases.map(\.rawValue))
        let grouping = try invocation.word("--by", of: ReportGrouping.allCases.map(\.rawValue))
        let metric = try invocation.word("--metric", of: ReportMetric.allCases.map(\.rawValue))
        return ReportQuery.Params(
            from: invocation.value("--from"), to: invocation.value("--to"),
            zone: invocation.value("--zone") ?? LocalZone.name,
            member: try await session.memberID(invocation.value("--member")),
            device: invocation.value("--device"),
            segment: segment.flatMap(ReportSegment.init(rawValue:)) ?? .daily,
            by: grouping.flatMap(ReportGrouping.init(rawValue:)) ?? .app,
            metric: metric.flatMap(ReportMetric.init(rawValue:)) ?? .duration)
    }
}

/// The time zone this process lives in, without Foundation.
enum LocalZone {
    /// Its IANA name from TZ or from where /etc/localtime points; nil when neither names one:
    /// report-service then takes its own.
    static var name: String? {
        if let value = getenv("TZ") {
            let text = String(cString: value)
            return ianaName(text.hasPrefix(":") ? String(text.dropFirst()) : text)
        }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/etc/localtime", &buffer, buffer.count)
        return count > 0
            ? ianaName(String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)) : nil
    }

    /// `text` is a name, or a path with the name after `zoneinfo/`. An empty TZ means UTC (tzset(3)).
    static func ianaName(_ text: String) -> String? {
        guard !text.isEmpty else { return "UTC" }
        let parts = text.split(separator: "/")
        if let place = parts.lastIndex(of: "zoneinfo") {
            // The same zones again, without and with leap seconds.
            let isVariant = parts.count > place + 1 && ["posix", "right"].contains(parts[place + 1])
            return parts[(place + (isVariant ? 2 : 1))...].joined(separator: "/")
        }
        return text.hasPrefix("/") || text.hasPrefix(".") ? nil : text
    }
}
