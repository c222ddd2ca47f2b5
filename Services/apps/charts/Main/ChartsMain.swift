import AppSupport
import ChartsCore
import CommandKit
import DeviceActivity
import Foundation

@main struct ChartsMain {
    static func main() async {
        HostApp.identify(ChartRequest.client)
        await program.run(Array(CommandLine.arguments.dropFirst()))
    }

    /// The `--json` output.
    private struct Drawn: Encodable {
        var context: String
        var file: String?
        var text: String
    }

    private static let program = AppProgram(
        "charts", summary: "draws a week of use as a donut or as bars",
        commands: [
            .app("authorize", summary: "Ask the person whether this app may act for them.") { _ in
                try await HostApp.authorize("charts")
                return try AppAnswer("Charts has permission.", ["authorized": true])
            },
            .app(
                "show", [Argument("pie|bar", values: .suggestions(["pie", "bar"]))],
                options: [
                    Option("--weeks-back", "N", "Weeks before the present one; default 0."),
                    Option(
                        "--users", "all|children", "Whose use; default: yours.",
                        values: .suggestions(["all", "children"])),
                    Option(
                        "--devices", "MODEL,…", "mac (any Linux machine), iPhone, iPad, iPod.",
                        values: .suggestions(["mac", "iPhone", "iPad", "iPod"])),
                    Option(
                        "--output", "FILE.html", "File for the page; default: print its text.",
                        values: .file),
                ], summary: "Draw the usage of a week."
            ) { try await show($0) },
        ])

    private static func show(_ given: Given) async throws -> AppAnswer {
        let kinds = ["pie": ChartRequest.Kind.pie, "bar": .bar]
        guard let kind = kinds[given.arguments[0]] else {
            throw CommandError(
                "there is no chart '\(given.arguments[0])'", remedy: "Use pie or bar.",
                code: CommandError.usage)
        }
        guard let weeks = AppWords.number(given.value("--weeks-back") ?? "0") else {
            throw CommandError(
                "--weeks-back is not a number", remedy: "See --help.", code: CommandError.usage)
        }
        let request = try ChartRequest(
            kind, weeksBack: weeks, users: given.value("--users"),
            devices: given.value("--devices").map { $0.split(separator: ",").map(String.init) },
            now: Date(), calendar: .current)
        try await HostApp.authorize("charts")
        var words = try request.renderWords
        if let file = given.value("--output") { words += ["--output", file] }
        let text = try Screentime.run(words)
        return try AppAnswer(
            text, Drawn(context: kind.rawValue, file: given.value("--output"), text: text))
    }
}
