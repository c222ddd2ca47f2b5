import AppSupport
import CommandKit
import EncouragementCore
import Foundation

@main struct EncouragementMain {
    static func main() async {
        HostApp.identify(Promise.client)
        await program.run(Array(CommandLine.arguments.dropFirst()))
    }

    private static let program = AppProgram(
        "encouragement",
        summary: "reminds you of your own promise, in your own words, and forbids nothing",
        commands: [
            .app("authorize", summary: "Ask the person whether this app may act for them.") { _ in
                try await HostApp.authorize("encouragement")
                return try answer(Encouragement.status())
            },
            .app(
                "start",
                options: [
                    Option("--selection", "NAME", "Whose use counts; see `screentime selection`."),
                    Option("--hours", "N", "Of use a day, 0 to 24; default 0."),
                    Option("--minutes", "N", "0 to 59; default 0."),
                    Option("--say", "SENTENCE", "Your own words, before the limit and at it."),
                ], summary: "Follow the use of a selection, every day."
            ) { given in
                let selection = try given.selection()
                let hours = try number(given, "--hours")
                let minutes = try number(given, "--minutes")
                let sentence = try given.required("--say")
                try Encouragement.check(hours: hours, minutes: minutes, sentence: sentence)
                try await HostApp.authorize("encouragement")
                return try answer(
                    Encouragement.start(
                        selection: selection, hours: hours, minutes: minutes, sentence: sentence))
            },
            .app("stop", summary: "Stop it.") { _ in try answer(Encouragement.stop()) },
            .app("status", summary: "Show the promise.") { _ in try answer(Encouragement.status())
            },
            .app("diary", summary: "List every callback the extension received, oldest first.") { _ in
                let diary = try Diary.read()
                var table = TextTable(["AT", "CALLBACK", "ACTIVITY", "EVENT"])
                for line in diary.lines {
                    let at = LocalTime.text(secondsSince1970: line.at.timeIntervalSince1970)
                    table.add([at, line.callback, line.activity, line.event ?? ""])
                }
                return try AppAnswer(diary.lines.isEmpty ? "Nothing yet." : table.text, diary)
            },
        ])

    private static func number(_ given: Given, _ name: String) throws -> Int {
        guard let text = given.value(name) else { return 0 }
        guard let number = AppWords.number(text) else {
            throw CommandError(
                "\(name) '\(text)' is not a number", remedy: "See --help.", code: CommandError.usage)
        }
        return number
    }

    private static func answer(_ status: Encouragement.Status) throws -> AppAnswer {
        try AppAnswer(status.text, status)
    }
}
