import CommandKit
import Contract
import JSON
import Loop
import ServiceKit

extension Screentime {
    static let doctorCommand = Command(
        "doctor",
        options: [
            .json,
            Option(
                "--enforcement", nil,
                "Let the desktop-agent shield a program of its own, and see whether that is covered and stopped."
            ),
            Option(
                "--deep", nil,
                "Read every page of every store and every installed extension, and compare logs and cursors."),
        ],
        summary: "Check this machine: what is missing or wrong, and how to fix it.",
        details: """
            --enforcement takes a second and shows nothing: the program's window is off the screen. The
            desktop-agent does the same once a day while nobody is there; doctor shows the last result.

            Exit code 0 when nothing is wrong (warnings are hints), 1 otherwise.
            """
    ) { invocation in
        let session = try invocation.session()
        var findings = try await diagnose(session)
        if invocation.has("--enforcement") { findings += await EnforcementChecks.run(session) }
        findings += await EnforcementChecks.last(session)
        if invocation.has("--deep") {
            findings += await StoreChecks.all(session)
            findings += await BundleChecks.all(session)
        }
        if invocation.has("--json") {
            let document: JSONValue = ["findings": .array(findings.map(\.json))]
            Console.print(document.encoded())
        } else {
            findings.forEach(print)
        }
        return findings.contains { $0.state == .error } ? ExitCode.refused : ExitCode.ok
    }

    private static func print(_ finding: Finding) {
        let mark =
            switch finding.state {
            case .ok: Console.styled("ok     ", .green)
            case .warning: Console.styled("warning", .yellow)
            case .error: Console.styled("error  ", .red)
            }
        Console.print("\(mark)  \(finding.check): \(InstantReading.inOwnTime(finding.message))")
        if !finding.remedy.isEmpty { Console.print("         \(finding.remedy)") }
    }

    @LoopActor private static func diagnose(_ session: Session) async throws -> [Finding] {
        let configuration = session.configuration
        var findings = DirectoryChecks.all(configuration)
        findings += await ServiceChecks.all(session)
        findings += await SettingChecks.all(session)
        findings += MachineChecks.all(configuration)
        findings += await ConfinementChecks.all(session)
        findings += await ClockChecks.all(session)
        return findings
    }
}
