import AppSupport
import CommandKit
import WorklogCore

@main struct WorklogMain {
    static func main() async {
        HostApp.identify(Rules.client)
        await program.run(Array(CommandLine.arguments.dropFirst()))
    }

    private static let program = AppProgram(
        "worklog", summary: "shields games and social media until the work is done",
        commands: [
            .app("authorize", summary: "Ask the person whether this app may act for them.") { _ in
                try await HostApp.authorize("worklog")
                return try answer(Worklog.status())
            },
            .app(
                "setup",
                options: [
                    Option("--gaming", "NAME", "Selection whose web categories are shielded."),
                    Option("--social", "NAME", "Selection whose apps and web categories are shielded."),
                ], summary: "Shield games on the web, and social media."
            ) { given in
                let gaming = try given.selection("--gaming")
                let social = try given.selection("--social")
                try await HostApp.authorize("worklog")
                return try answer(Worklog.setup(gaming: gaming, social: social))
            },
            .app(
                "evenings", [Argument("on|off", values: .suggestions(["on", "off"]))],
                summary: "Lift the shields of social media from 17:00 to 20:00."
            ) { given in
                guard let isOn = ["on": true, "off": false][given.arguments[0]] else {
                    throw CommandError(
                        "say on or off", remedy: "worklog evenings on", code: CommandError.usage)
                }
                return try answer(Worklog.evenings(isOn))
            },
            .app(
                "until", [Argument("MINUTES|none", values: .suggestions(["none"]))],
                options: [Option("--selection", "NAME", "What counts, for example a category of work.")],
                summary: "Keep everything shielded until the work goal of the day is reached."
            ) { given in
                if given.arguments[0] == "none" { return try answer(Worklog.withoutGoal()) }
                guard let minutes = AppWords.number(given.arguments[0]) else {
                    throw CommandError(
                        "'\(given.arguments[0])' is not a number of minutes",
                        remedy: "worklog until 60 --selection work", code: CommandError.usage)
                }
                return try answer(
                    Worklog.goal(selection: given.selection(), minutes: minutes))
            },
            .app("stop", summary: "Lift all shields and delete the rules.") { _ in
                try answer(Worklog.stop())
            },
            .app("revoke", summary: "Give up the app's authorization.") { _ in
                try await Worklog.revoke()
                return try answer(Worklog.status())
            },
            .app("status", summary: "Show what is shielded, and what would lift it.") { _ in
                try answer(Worklog.status())
            },
        ])

    private static func answer(_ status: Worklog.Status) throws -> AppAnswer {
        try AppAnswer(status.sentence, status)
    }
}
