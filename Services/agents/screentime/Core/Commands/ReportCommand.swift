import CommandKit
import Contract
import Glibc
import JSON
import Loop
import Schedules

extension Screentime {
    static let segmentOption = Option(
        "--segment", "SEGMENT", "hourly, daily (default) or weekly; weeks start on Monday.",
        values: .cases(of: ReportSegment.self))

    static let reportCommand = Command(
        "report",
        options: [
            Option("--from", "DATE", "First day, YYYY-MM-DD; default: today."),
            Option("--to", "DATE", "Last day, included; default: today."),
            Option(
                "--zone", "ZONE",
                "Whose clock makes the days, such as Europe/Berlin; default: the member's, else this machine's."
            ),
            Option("--day-start", "HH:MM", "When a day begins; default: the member's, else 00:00."),
            Option("--member", "MEMBER", "Name or id of a member; default: you.", isRepeatable: true),
            Option("--users", "WHO", "all members, or all children.", values: .cases(of: ReportUsers.self)),
            Option("--device", "DEVICE", "Only this device.", isRepeatable: true),
            Option(
                "--model", "MODEL", "Only such devices: mac (any Linux machine), android, …",
                isRepeatable: true),
            Option("--app", "APP", "Only this app, by id.", isRepeatable: true),
            Option("--category", "CATEGORY", "Only this category.", isRepeatable: true),
            Option("--domain", "DOMAIN", "Only this web domain and what is below it.", isRepeatable: true),
            segmentOption,
            Option(
                "--by", "KEY", "app (default), category, domain, device, member or total.",
                values: .cases(of: ReportGrouping.self)),
            Option(
                "--metric", "METRIC", "duration (default), pickups or notifications.",
                values: .cases(of: ReportMetric.self)),
            Option(
                "--format", "FORMAT",
                "table (default), csv, json, html: a page of its own, or activity: all of it, nested, as JSON.",
                values: .words(["table", "csv", "json", "html", "activity"])),
            Option("--json", nil, "The same as --format json."),
        ],
        summary: "Report who used what, and for how long.",
        details: """
            No second counts twice: the time of an app is united over devices, and the total is the union of
            everything. What --app, --category and --domain name is added up. csv has the columns
            segment_start, the key and duration_ms (or pickups, notifications); json has the same rows.
            Hours are RFC 3339 with offset, days and weeks local dates. html is a whole page, which loads
            nothing; on a terminal, table has bars.

            Notes about csv and json are printed on standard error.
            """
    ) { invocation in
        let format = try reportFormat(invocation)
        let session = try invocation.session()
        let params = try await reportParams(invocation, session)
        let report = try await ReportCommandFetch.whole(params, session, isNested: format == "activity")
        switch format {
        case "csv": ReportCommandCSV.lines(report).forEach { Console.print($0) }
        case "json": Console.print(ReportCommandJSON.rows(report))
        case "activity": Console.print(report.activity.encoded())
        case "html":
            let total = try await ReportCommandTable.total(report, session)
            Console.print(ConsoleText(lines: ReportCommandHTML.page(report, total: total)))
        default: try await ReportCommandTable.printReport(report, session)
        }
        for note in report.notes {
            switch format {
            case "table": Console.print(note)
            case "html": break
            default: Console.note(note)
            }
        }
        return ExitCode.ok
    }

    @LoopActor private static func reportFormat(_ invocation: Invocation) throws -> String {
        let format = invocation.value("--format")
        guard invocation.has("--json") else { return format ?? "table" }
        guard format == nil || format == "json" else {
            throw CommandError(
                ExitCode.usage, "both --json and --format \(format ?? "") are given",
                remedy: "Use one of them.")
        }
        return "json"
    }

    /// Days as the service reads them, so that a typing error is a usage error.
    @LoopActor private static func reportDay(_ option: String, _ invocation: Invocation) throws -> String? {
        guard let text = invocation.value(option) else { return nil }
        guard LocalDate(text) != nil else {
            throw CommandError(
                ExitCode.usage, "\(option) is '\(text)', which is no day of the calendar",
                remedy: "Write it as YYYY-MM-DD, such as 2023-05-29.")
        }
        return text
    }

    @LoopActor private static func reportDayStart(_ invocation: Invocation) throws -> Int64? {
        guard let text = invocation.value("--day-start") else { return nil }
        if let time = TimeOfDay(text) { return time.minutes }
        throw CommandError(
            ExitCode.usage, "--day-start is '\(text)'", remedy: "Write it as HH:MM, 00:00 to 23:59.")
    }

    @LoopActor static func reportParams(
        _ invocation: Invocation, _ session: Session
    ) async throws -> ReportQuery.Params {
        let segment = invocation.value("--segment")
        let grouping = invocation.value("--by")
        let metric = invocation.value("--metric")
        let users = invocation.value("--users")
        guard users == nil || !invocation.has("--member") else {
            throw CommandError(
                ExitCode.usage, "both --users and --member are given", remedy: "Use one of them.")
        }
        let (from, to) = (try reportDay("--from", invocation), try reportDay("--to", invocation))
        if let from, let to, from > to {
            throw CommandError(
                ExitCode.usage, "--from (\(from)) is after --to (\(to))",
                remedy: "Swap them; both days are included.")
        }
        let dayStart = try reportDayStart(invocation)
        var members: [String] = []
        for name in invocation.values("--member") ?? [] {
            if let id = try await session.memberID(name) { members.append(id) }
        }
        let categories = try invocation.values("--category")?.map { try CatalogFile.category(named: $0) }
        return ReportQuery.Params(
            from: from, to: to, zone: invocation.value("--zone"), fallbackZone: MachineZone.name,
            dayStartMinutes: dayStart,
            members: members.isEmpty ? nil : members, users: users.flatMap(ReportUsers.init(rawValue:)),
            devices: invocation.values("--device"), models: invocation.values("--model"),
            applications: invocation.values("--app"), categories: categories,
            webDomains: invocation.values("--domain"),
            segment: segment.flatMap(ReportSegment.init(rawValue:)) ?? .daily,
            by: grouping.flatMap(ReportGrouping.init(rawValue:)) ?? .app,
            metric: metric.flatMap(ReportMetric.init(rawValue:)) ?? .duration)
    }
}
