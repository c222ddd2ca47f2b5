import CommandKit
import Contract
import JSON
import Loop
import Units

extension Screentime {
    static let shieldCommands = shieldReadCommands + [shieldShowCommand, shieldPressCommand]

    private static let shieldReadCommands = [
        Command("shield list", options: [.member, .json], summary: "List what is shielded now, and why.") {
            invocation in
            let session = try invocation.session()
            let member = try await session.memberID(invocation.value("--member"))
            var result = try await session.call(ShieldList.self, ShieldList.Params(member: member))
            // It is shielded for a moment, while the agent sees whether shields act.
            result.shields.removeAll { $0.kind == .app && $0.subject == CanaryApp.id }
            if invocation.has("--json") {
                Console.print(result.encoded())
                return ExitCode.ok
            }
            let names = try await session.memberNames()
            var table = TextTable(["MEMBER", "KIND", "SUBJECT", "SINCE", "BECAUSE OF"])
            for shield in result.shields {
                let reasons = shield.reasons.map { "\($0.client) \($0.store) \($0.rule)" }.joined(
                    separator: ", ")
                table.add([
                    names[shield.member] ?? shield.member, shield.kind.rawValue,
                    shield.kind.readable(shield.subject), LocalTime.text(shield.since), reasons,
                ])
            }
            table.printAll()
            return ExitCode.ok
        },
        Command(
            "shield explain", ["APP"], options: [.member, .json],
            summary: "Explain why an app or a domain is shielded or not."
        ) { invocation in
            let session = try invocation.session()
            let member = try await session.memberID(invocation.value("--member"))
            let subject = try await session.appID(invocation.arguments[0], of: member)
            var result = try await session.call(
                ShieldExplain.self, ShieldExplain.Params(member: member, subject: subject))
            result.explanation += await session.sharedProcesses(of: subject)
            if invocation.has("--json") {
                Console.print(result.encoded())
            } else {
                result.explanation.forEach { Console.print(InstantReading.inOwnTime($0)) }
            }
            return ExitCode.ok
        },
    ]
}

extension Session {
    /// What covers an app on this desktop although it is not shielded itself, a sentence each.
    fileprivate func sharedProcesses(of app: String) async -> [String] {
        do {
            return Set(try await covers().filter { $0.guest == app }.map(\.app)).sorted().map {
                "\(app) stands still, too, because it shares a process with \($0), which is shielded"
            }
        } catch {
            return [
                "Whether it shares a process with a shielded app is not known: \(AgentName.shieldCover) runs "
                    + "and does not answer."
            ]
        }
    }
}
