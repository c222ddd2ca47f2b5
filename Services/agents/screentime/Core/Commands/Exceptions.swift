import CommandKit
import Contract
import Loop

extension Screentime {
    static let exceptionCommands = [
        Command(
            "exceptions",
            options: [Option("--member", "MEMBER", "Name or id of a member; default: all."), .json],
            summary: "List what may be used although it is shielded, and until when.",
            action: { try await listExceptions($0) }),
        Command(
            "exceptions end", ["ID"], options: [.json],
            summary: "End an exception now; the beginning of its id is enough.",
            action: { try await endException($0) }),
    ]

    @LoopActor private static func listExceptions(_ invocation: Invocation) async throws -> Int32 {
        let session = try invocation.session()
        let params = ExceptionList.Params(member: try await session.memberID(invocation.value("--member")))
        let result = try await session.call(ExceptionList.self, params)
        if invocation.has("--json") {
            Console.print(result.encoded())
            return ExitCode.ok
        }
        let names = try await session.memberNames()
        var table = TextTable(["ID", "MEMBER", "KIND", "SUBJECT", "SINCE", "UNTIL", "DECIDED BY", "REASON"])
        for one in result.exceptions {
            table.add([
                one.id, names[one.member] ?? one.member, one.kind.rawValue,
                one.kind.readable(one.subject), LocalTime.text(one.began),
                LocalTime.end(one.end), one.decider.rawValue, one.reason ?? "",
            ])
        }
        table.printAll()
        if let more = result.leftOut { Console.note("There are \(more) more, which end later.") }
        return ExitCode.ok
    }

    @LoopActor private static func endException(_ invocation: Invocation) async throws -> Int32 {
        let session = try invocation.session()
        let list = try await session.call(ExceptionList.self, ExceptionList.Params())
        let id = try unambiguous(
            invocation.arguments[0], among: list.exceptions.map(\.id), "exception",
            list: "screentime exceptions")
        let result = try await session.call(ExceptionEnd.self, ExceptionEnd.Params(id: id))
        if invocation.has("--json") {
            Console.print(result.encoded())
        } else {
            Console.print("Ended \(id); what it opened is shielded again.")
        }
        return ExitCode.ok
    }
}
