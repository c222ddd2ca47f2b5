import CommandKit
import Contract
import JSON

extension Screentime {
    static let memberCommands = [
        Command("member list", options: [.json], summary: "List the members of the household.") {
            invocation in
            let result = try await invocation.session().call(MemberList.self, Nothing())
            if invocation.has("--json") {
                Console.print(result.encoded())
                return ExitCode.ok
            }
            var table = TextTable(["NAME", "ID", "ROLE", "ZONE", "DAY STARTS"])
            for member in result.members {
                table.add([
                    member.name, member.id, member.role.rawValue, member.zone ?? "system",
                    TimeOfDay(minutes: member.dayStartMinutes).text,
                ])
            }
            table.printAll()
            return ExitCode.ok
        },
        Command(
            "member add", ["NAME"],
            options: [
                Option(
                    "--role", "ROLE", "guardian, individual (default) or child.",
                    values: .cases(of: MemberRole.self)), .json,
            ],
            summary: "Add a member; the name has 1 to 64 characters."
        ) { invocation in
            let role = invocation.value("--role")
            let result = try await invocation.session().call(
                MemberAdd.self,
                MemberAdd.Params(
                    name: invocation.arguments[0], role: role.flatMap(MemberRole.init(rawValue:))))
            if invocation.has("--json") {
                Console.print(result.encoded())
            } else {
                Console.print("Added \(result.member.name) (\(result.member.id)).")
            }
            return ExitCode.ok
        },
        Command(
            "member set", ["NAME"],
            options: [
                Option("--zone", "ZONE", "IANA time zone of their schedules and days, or system."),
                Option("--day-start", "HH:MM", "When their day begins in reports; 00:00 unless set."), .json,
            ],
            summary: "Set a member's time zone and start of day."
        ) { invocation in
            var params = MemberSet.Params(name: invocation.arguments[0], zone: invocation.value("--zone"))
            if let text = invocation.value("--day-start") {
                guard let time = TimeOfDay(text) else {
                    throw CommandError(
                        ExitCode.usage, "--day-start is '\(text)'",
                        remedy: "Write it as HH:MM, 00:00 to 23:59.")
                }
                params.dayStartMinutes = time.minutes
            }
            guard params.zone != nil || params.dayStartMinutes != nil else {
                throw CommandError(
                    ExitCode.usage, "nothing to set", remedy: "Give --zone, --day-start or both.")
            }
            let result = try await invocation.session().call(MemberSet.self, params)
            if invocation.has("--json") {
                Console.print(result.encoded())
            } else {
                let start = TimeOfDay(minutes: result.member.dayStartMinutes).text
                let zone = result.member.zone ?? "system"
                Console.print("\(result.member.name): zone \(zone), the day starts at \(start).")
            }
            return ExitCode.ok
        },
        Command(
            "member remove", ["NAME"],
            summary: "Remove a member; their recorded usage stays until it is forgotten."
        ) { invocation in
            _ = try await invocation.session().call(
                MemberRemove.self, MemberRemove.Params(name: invocation.arguments[0]))
            Console.print("Removed \(invocation.arguments[0]).")
            return ExitCode.ok
        },
    ]
}
