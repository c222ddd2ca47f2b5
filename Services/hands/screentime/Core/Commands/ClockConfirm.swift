import Contract
import JSON

extension Screentime {
    static let clockConfirmCommand = Command(
        "clock confirm", options: [.json],
        summary: "Believes the machine's clock as it is now, also where it was set by hand.",
        details: """
            Setting the clock ends no day and opens no new one: time goes on as before, until time
            synchronisation or this command says that the clock is right. `screentime doctor` names the step.
            """
    ) { invocation in
        let result = try await invocation.session().call(TimeConfirm.self, Nothing())
        if invocation.has("--json") {
            Console.print(String(decoding: result.encoded(), as: UTF8.self))
        } else if result.movedMs == 0 {
            Console.print("The clock was believed already; it is \(LocalTime.text(result.nowMs)).")
        } else {
            Console.print("It is \(LocalTime.text(result.nowMs)) now: \(movement(result.movedMs)).")
        }
        return ExitCode.ok
    }

    private static func movement(_ moved_ms: Int64) -> String {
        let seconds = (abs(moved_ms) + 500) / 1_000
        return "time went \(moved_ms > 0 ? "forward" : "back") by \(LocalTime.duration(seconds * 1_000))"
    }
}
