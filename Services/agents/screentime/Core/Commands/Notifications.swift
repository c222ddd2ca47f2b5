import CommandKit
import Contract
import JSON
import Units

extension Screentime {
    static let notificationsCommands = [
        Command(
            "notifications",
            options: [Option("--pending", nil, "Only those that are not shown yet."), .json],
            summary: "List recent notifications and where they are shown, and scheduled ones."
        ) { invocation in
            let pending = invocation.has("--pending") ? true : nil
            let result = try await invocation.session().call(
                NotificationList.self, NotificationList.Params(pending: pending))
            if invocation.has("--json") { Console.print(result.encoded()) } else { show(result) }
            return ExitCode.ok
        },
        Command(
            "notifications answer", ["IDENTIFIER", "ACTION"],
            options: [
                Option("--client", "CLIENT", "Bundle id of who posted it; default: the person or a service."),
                Option("--text", "TEXT", "Words, for an action that takes some."),
            ],
            summary: "Answer a notification as if its button were pressed, even if it is not shown."
        ) { invocation in
            _ = try await invocation.session().call(
                NotificationAnswer.self,
                NotificationAnswer.Params(
                    client: invocation.value("--client"), identifier: invocation.arguments[0],
                    action: invocation.arguments[1], text: invocation.value("--text")))
            return ExitCode.ok
        },
    ]

    private static func show(_ result: NotificationList.Result) {
        var table = TextTable(["POSTED", "STATE", "DUE", "DELIVERED", "CLIENT", "IDENTIFIER", "TITLE"])
        for entry in result.notifications {
            let state = entry.answer.map { "\(entry.state.rawValue): \($0)" } ?? entry.state.rawValue
            let late = entry.late == nil ? "" : ", late"
            table.add([
                LocalTime.text(entry.posted), state + late, entry.due.map(LocalTime.text) ?? "-",
                entry.delivered.map(LocalTime.text) ?? "-",
                entry.client ?? "-", entry.identifier, entry.title,
            ])
        }
        table.printAll()
        for badge in result.badges ?? [] { Console.print("\(badge.client) has the badge \(badge.count)") }
        let waiting = Set(result.notifications.compactMap(\.waitingFor)).sorted()
        for reason in waiting { Console.note(reason) }
    }
}
