import Bus
import CommandKit
import Contract
import ServiceKit

extension Screentime {
    static let reportRenderCommand = Command(
        "report render",
        options: [
            Option("--client", "CLIENT", "Bundle id of the app whose report extension draws."),
            Option("--context", "CONTEXT", "Which of its reports, as its code names it."),
            Option("--output", "FILE", "Write the page as HTML; default: print its text.", values: .file),
            Option("--from", "DATE", "First day, YYYY-MM-DD; default: today."),
            Option("--to", "DATE", "Last day, included; default: today."),
            Option(
                "--zone", "ZONE", "Whose clock makes the days; default: the member's, else this machine's."),
            Option("--member", "MEMBER", "Name or id of a member; default: you.", isRepeatable: true),
            Option("--users", "WHO", "all members, or all children.", values: .cases(of: ReportUsers.self)),
            Option("--device", "DEVICE", "Only this device.", isRepeatable: true),
            Option("--model", "MODEL", "Only such devices: mac (any Linux machine), …", isRepeatable: true),
            Option("--app", "APP", "Only this app, by id.", isRepeatable: true),
            Option("--category", "CATEGORY", "Only this category.", isRepeatable: true),
            Option("--domain", "DOMAIN", "Only this web domain and what is below it.", isRepeatable: true),
            segmentOption,
            .json,
        ],
        summary: "Render an app's report extension.",
        details: """
            The extension gets the figures with the names of apps and sites, and cannot send them anywhere:
            it has no network and no files. Its drawing is rebuilt from lists of allowed elements and
            styles, and FILE shows it in a frame that runs and loads nothing. If there is no usage to show,
            the page begins with the reason.
            """
    ) { invocation in
        guard let client = invocation.value("--client"), let context = invocation.value("--context") else {
            throw CommandError(
                ExitCode.usage, "--client and --context are needed",
                remedy: "See `screentime extension list` for apps with a report extension.")
        }
        let session = try invocation.session()
        let params = ReportRender.Params(
            client: client, context: context, filter: try await reportParams(invocation, session))
        // Also of an extension that was just installed.
        let options = CallOptions(
            deadline: 30_000, notBefore: await session.positions(of: .activity, .monitor))
        let report = try await session.call(ReportRender.self, params, options: options)
        if invocation.has("--json") {
            Console.print(report.encoded())
        } else if let path = invocation.value("--output") {
            let output = try ExportOutput(path)
            try output.write(PagePolicy.framed(report.html, title: "Report of \(client)"))
            try output.finish()
            report.notes.forEach { Console.note($0) }
        } else {
            Console.print(ConsoleText(lines: report.text))
            if !report.empty { report.notes.forEach { Console.note($0) } }
        }
        return ExitCode.ok
    }
}
