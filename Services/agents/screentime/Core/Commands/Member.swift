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
            var table = TextTable([
                "NAME", "ID", "ROLE", "ZONE", "DAY STARTS", "OWN REQUESTS", "ONE MORE MINUTE",
            ])
            for member in result.members {
                table.add([
                    member.name, member.id, member.role.rawValue, member.zone ?? "system",
                    TimeOfDay(minutes: member.dayStartMinutes).text, ownRequests(member),
                    member.oneMoreMinute == false ? "off" : "on",
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
                Option("--day-start", "HH:MM", "When their day begins in reports; 00:00 unless set."),
                Option(
                    "--self-approval-delay", "MINUTES",
                    "After which they may approve their own requests for more time, 0 to 1440; 5 unless set."),
                Option(
                    "--one-more-minute", "on|off", "Whether they may take one more minute; on unless set.",
                    values: .words(["on", "off"])), .json,
            ],
            summary: "Set a member's time zone, start of day, and rules for more time.",
            details: """
                A longer delay takes effect at once, a shorter one after the present delay has passed.
                """
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
            params.selfApprovalMinutes = try invocation.number("--self-approval-delay", in: 0...1_440)
                .map(Int64.init)
            params.oneMoreMinute = invocation.value("--one-more-minute").map { $0 == "on" }
            guard params != MemberSet.Params(name: params.name) else {
                throw CommandError(
                    ExitCode.usage, "nothing to set",
                    remedy: "Give --zone, --day-start, --self-approval-delay or --one-more-minute.")
            }
            let result = try await invocation.session().call(MemberSet.self, params)
            if invocation.has("--json") {
                Console.print(result.encoded())
            } else {
                let start = TimeOfDay(minutes: result.member.dayStartMinutes).text
                let zone = result.member.zone ?? "system"
                Console.print("\(result.member.name): zone \(zone), the day starts at \(start).")
                showRules(result.member, params)
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

    /// From when on a member may approve what they asked for: only the person of this account may.
    private static func ownRequests(_ member: Member) -> String {
        guard member.uid != nil else { return "-" }
        return "after \(delay(of: member))"
    }

    private static func delay(of member: Member) -> String {
        EnglishWords.length(minutes: member.selfApprovalMinutes ?? Member.selfApprovalMinutesDefault)
    }

    /// What was set of the rules for more time.
    private static func showRules(_ member: Member, _ set: MemberSet.Params) {
        if set.dayStartMinutes != nil, member.uid != nil {
            Console.note("Limits keep their day until they are set again; `limits renew` renews them all.")
        }
        if set.selfApprovalMinutes != nil {
            Console.print("They may approve their own requests after \(delay(of: member)).")
            if let next = member.nextSelfApprovalMinutes, let at = member.nextSelfApprovalAt {
                let delay = EnglishWords.length(minutes: next)
                Console.print("From \(LocalTime.end(at)) on after \(delay).")
            }
            if member.uid == nil {
                Console.note("So far nobody but the person of this account approves their own requests.")
            }
        }
        if set.oneMoreMinute != nil {
            Console.print("One more minute: \(member.oneMoreMinute == false ? "off" : "on").")
        }
    }
}
