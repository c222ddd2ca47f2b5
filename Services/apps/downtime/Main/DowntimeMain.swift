import AppSupport
import CommandKit
import DowntimeCore

@main struct DowntimeMain {
    static func main() async {
        HostApp.identify(Plan.client)
        await program.run(Array(CommandLine.arguments.dropFirst()))
    }

    private static let program = AppProgram(
        "downtime", summary: "shields apps and categories at a time of each day",
        commands: [
            .app("authorize", summary: "Ask the person whether this app may act for them.") { _ in
                try await HostApp.authorize("downtime")
                return try answer(Downtime.status())
            },
            .app(
                "start",
                options: [
                    Option("--selection", "NAME", "What to shield; see `screentime selection`."),
                    Option("--from", "HH:MM", "When it begins each day."),
                    Option(
                        "--to", "HH:MM", "When it ends, up to 24:00; before --from: the next day."),
                ], summary: "Shield a selection every day from one time to another."
            ) { given in
                let selection = try given.selection()
                let times = try Downtime.Times(from: given.required("--from"), to: given.required("--to"))
                try await HostApp.authorize("downtime")
                return try answer(Downtime.start(selection: selection, times))
            },
            .app("stop", summary: "Stop it and lift its shields.") { _ in
                try answer(Downtime.stop())
            },
            .app("status", summary: "Show whether it is on, and when.") { _ in
                try answer(Downtime.status())
            },
        ])

    private static func answer(_ status: Downtime.Status) throws -> AppAnswer {
        try AppAnswer(status.sentence, status)
    }
}
