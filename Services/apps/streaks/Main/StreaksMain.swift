import AppSupport
import CommandKit
import StreaksCore

@main struct StreaksMain {
    static func main() async {
        HostApp.identify(Book.client)
        await program.run(Array(CommandLine.arguments.dropFirst()))
    }

    private static let options = [
        Option("--selection", "NAME", "Whose use counts; see `screentime selection`."),
        Option("--minutes", "N", "Of use a day, 1 to 1440."),
    ]

    private static let program = AppProgram(
        "streaks", summary: "counts the days in a row on which you kept to less, or more, of something",
        commands: [
            .app("authorize", summary: "Ask the person whether this app may act for them.") { _ in
                try await HostApp.authorize("streaks")
                return try answer(Streaks.list())
            },
            .app(
                "decrease", ["NAME"], options: options,
                summary: "Add a task that is missed on a day that reaches so much."
            ) { try await add($0, .decrease) },
            .app(
                "increase", ["NAME"], options: options,
                summary: "Add a task that is complete on a day that reaches so much."
            ) { try await add($0, .increase) },
            .app("remove", ["NAME"], summary: "Remove a task with its days.") { given in
                try answer(Streaks.remove(given.arguments[0]))
            },
            .app("list", summary: "Show the state of each task.") { _ in try answer(Streaks.list()) },
        ])

    private static func add(_ given: Given, _ aim: ScreenTimeTask.Aim) async throws
        -> AppAnswer
    {
        guard let minutes = AppWords.number(try given.required("--minutes")) else {
            throw CommandError("--minutes is not a number", remedy: "See --help.", code: CommandError.usage)
        }
        let selection = try given.selection()
        try Streaks.check(given.arguments[0], minutes: minutes)
        try await HostApp.authorize("streaks")
        return try answer(Streaks.add(given.arguments[0], aim, selection: selection, minutes: minutes))
    }

    private static func answer(_ streaks: [Streak]) throws -> AppAnswer {
        let text = streaks.map(\.sentence).joined(separator: "\n")
        return try AppAnswer(text.isEmpty ? "No tasks yet." : text, streaks)
    }
}
