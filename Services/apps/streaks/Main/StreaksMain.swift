import AppSupport
import StreaksCore

@main struct StreaksMain {
    static func main() async {
        HostApp.identify(Book.client)
        await program.run(Array(CommandLine.arguments.dropFirst()))
    }

    private static let options = [
        AppOption("--selection", "NAME", "Whose use counts; see `screentime selection`."),
        AppOption("--minutes", "N", "Of use a day, 1 to 1440."),
    ]

    private static let program = AppProgram(
        "streaks", summary: "counts the days in a row on which you kept to less, or more, of something",
        commands: [
            AppCommand("authorize", summary: "Ask the person whether this app may act for them.") { _ in
                try await HostApp.authorize("streaks")
                return try answer(Streaks.list())
            },
            AppCommand(
                "decrease", ["NAME"], options: options,
                summary: "Add a task that is missed on a day that reaches so much."
            ) { try await add($0, .decrease) },
            AppCommand(
                "increase", ["NAME"], options: options,
                summary: "Add a task that is complete on a day that reaches so much."
            ) { try await add($0, .increase) },
            AppCommand("remove", ["NAME"], summary: "Remove a task with its days.") { given in
                try answer(Streaks.remove(given.arguments[0]))
            },
            AppCommand("list", summary: "How each task stands.") { _ in try answer(Streaks.list()) },
        ])

    private static func add(_ given: AppInvocation, _ aim: ScreenTimeTask.Aim) async throws
        -> AppAnswer
    {
        guard let minutes = AppWords.number(try given.required("--minutes")) else {
            throw AppError("--minutes is no number", remedy: "See --help.", code: AppError.usage)
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
