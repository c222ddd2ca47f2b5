import CommandKit
import Contract
import JSON
import Units

extension Screentime {
    static let clockConfirmCommand = Command(
        "clock confirm", options: [.json],
        summary: "Accept the machine's present clock, even if it was set by hand.",
        details: """
            Setting the clock neither ends a day nor begins one: time goes on as before until time
            synchronisation or this command confirms the clock. `screentime doctor` reports the step.
            """
    ) { invocation in
        let result = try await invocation.session().call(TimeConfirm.self, Nothing())
        if invocation.has("--json") {
            Console.print(String(decoding: result.encoded(), as: UTF8.self))
        } else if result.moved == 0 {
            Console.print("The clock was believed already; it is \(LocalTime.text(result.now)).")
        } else {
            Console.print("It is \(LocalTime.text(result.now)) now: \(movement(result.moved)).")
        }
        return ExitCode.ok
    }

    private static func movement(_ moved: Milliseconds) -> String {
        let seconds = (abs(moved) + 500) / .second
        return "time went \(moved > 0 ? "forward" : "back") by \(LocalTime.duration(.seconds(seconds)))"
    }
}
