import Contract
import JSON

extension Screentime {
    static let notificationsCommand = Command(
        "notifications", options: [Option("--pending", nil, "Only those that are not shown yet."), .json],
        summary: "The last notifications and where they are."
    ) { invocation in
        let result = try await invocation.session().call(
            NotificationList.self, NotificationList.Params(pending: invocation.has("--pending") ? true : nil))
        if invocation.has("--json") {
            Console.print(result.encoded())
            return ExitCode.ok
        }
        var table = TextTable(["POSTED", "STATE", "IDENTIFIER", "TITLE"])
        for entry in result.notifications {
            let state = entry.answer.map { "\(entry.state.rawValue): \($0)" } ?? entry.state.rawValue
            table.add([LocalTime.text(entry.postedMs), state, entry.identifier, entry.title.oneLine])
        }
        table.printAll()
        let waiting = Set(result.notifications.compactMap(\.waitingFor)).sorted()
        for reason in waiting { Console.note(reason) }
        return ExitCode.ok
    }
}

extension String {
    /// Words of others on one line, without control characters that a terminal would obey.
    var oneLine: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    scalar.properties.generalCategory == .control ? " " : scalar
                }))
    }
}
