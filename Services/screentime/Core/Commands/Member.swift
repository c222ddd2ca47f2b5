import Contract
import JSON

extension Screentime {
    static let memberCommands = [
        Command("member list", options: [.json], summary: "The members of the household.") { invocation in
            let result = try await invocation.session().call(MemberList.self, Nothing())
            if invocation.has("--json") {
                Console.print(result.encoded())
                return ExitCode.ok
            }
            var table = TextTable(["NAME", "ID", "ROLE"])
            for member in result.members { table.add([member.name, member.id, member.role.rawValue]) }
            table.printAll()
            return ExitCode.ok
        },
        Command(
            "member add", ["NAME"],
            options: [Option("--role", "ROLE", "guardian, individual (default) or child."), .json],
            summary: "Adds a member; the name has 1 to 64 characters."
        ) { invocation in
            let role = try invocation.word("--role", of: MemberRole.allCases.map(\.rawValue))
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
            "member remove", ["NAME"],
            summary: "Removes a member; their recorded use stays until it is forgotten."
        ) { invocation in
            _ = try await invocation.session().call(
                MemberRemove.self, MemberRemove.Params(name: invocation.arguments[0]))
            Console.print("Removed \(invocation.arguments[0]).")
            return ExitCode.ok
        },
    ]
}
