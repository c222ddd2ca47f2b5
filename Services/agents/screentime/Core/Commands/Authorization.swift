import CommandKit
import Contract
import JSON
import Loop
import Units

extension Screentime {
    static let authorizationCommands = [
        Command(
            "authorization list", options: [.json],
            summary: "List the apps that requested authorization and what they may do.",
            action: { try await listAuthorizations($0) }),
        Command(
            "authorization request",
            options: [
                Option(
                    "--for", "WHOM", "individual (default) or child.",
                    values: .cases(of: AuthorizationFor.self)),
                Option("--client", "BUNDLE_ID", "Which app asks; default org.screentime.cli."),
                Option("--name", "TEXT", "How the app calls itself."), .member,
                Option("--timeout", "TIME", "How long to wait for the person, as 60s (default) or 5m."),
                .json,
            ],
            summary: "Request authorization for an app and wait for the decision.",
            action: { try await requestAuthorization($0) }),
        Command(
            "authorization approve", ["ID"], options: [.json],
            summary: "Approve a request; the beginning of its id is enough.",
            action: { try await decide($0, .approve) }),
        Command(
            "authorization deny", ["ID"], options: [.json], summary: "Deny a request.",
            action: { try await decide($0, .deny) }),
        Command(
            "authorization revoke", ["CLIENT"], options: [.member],
            summary: "Revoke an app's authorization; its limits are cleared.",
            action: { invocation in
                let session = try invocation.session()
                let params = AuthorizationRevoke.Params(
                    client: invocation.arguments[0],
                    member: try await session.memberID(invocation.value("--member")))
                _ = try await session.call(AuthorizationRevoke.self, params)
                Console.print("Revoked \(params.client).")
                return ExitCode.ok
            }),
        Command(
            "authorization access", ["CLIENT", onOrOff], options: [.member],
            summary: "Turn an app's access on (approve) or off (revoke).",
            action: { try await turnSwitch($0) { $0.access = $1 } }),
        Command(
            "authorization restrictions", ["CLIENT", onOrOff], options: [.member],
            summary: "Turn an app's limits on or off; off keeps them, inactive.",
            action: { try await turnSwitch($0) { $0.restrictions = $1 } }),
    ]

    private static let onOrOff = Argument("on|off", values: .suggestions(["on", "off"]))

    @LoopActor private static func listAuthorizations(_ invocation: Invocation) async throws -> Int32 {
        let session = try invocation.session()
        let result = try await session.call(AuthorizationList.self, AuthorizationList.Params())
        if invocation.has("--json") {
            Console.print(result.encoded())
            return ExitCode.ok
        }
        let names = try await session.memberNames()
        var table = TextTable(["ID", "CLIENT", "MEMBER", "FOR", "STATUS", "ACCESS", "RESTRICTIONS"])
        for entry in result.authorizations {
            table.add([
                entry.id, entry.client, names[entry.member] ?? entry.member, entry.forWhom.rawValue,
                entry.pending ? "asking" : entry.status.rawValue, entry.access ? "on" : "off",
                entry.restrictions ? "on" : "off",
            ])
        }
        table.printAll()
        return ExitCode.ok
    }

    @LoopActor private static func requestAuthorization(_ invocation: Invocation) async throws -> Int32 {
        let session = try invocation.session()
        let forWhom = invocation.value("--for")
        let params = AuthorizationRequest.Params(
            client: invocation.value("--client") ?? "org.screentime.cli",
            clientName: invocation.value("--name"),
            forWhom: forWhom.flatMap(AuthorizationFor.init(rawValue:)) ?? .individual,
            member: try await session.memberID(invocation.value("--member")))
        let deadline = try invocation.given.milliseconds(
            "--timeout", default: 60_000, in: 100...Limits.requestDeadlineMax)
        let asking = Task { @LoopActor in
            try await session.call(
                AuthorizationRequest.self, params, deadline: deadline, client: params.client)
        }
        await sayHowToAnswer(session, params)
        let result = try await namingTheRefusal { try await asking.value }
        if invocation.has("--json") {
            Console.print(result.encoded())
        } else {
            Console.print("\(params.client) is \(result.authorization.status.rawValue).")
        }
        return ExitCode.ok
    }

    /// The name that the app would get, beside the words for the person.
    @LoopActor private static func namingTheRefusal<R>(_ ask: () async throws -> R) async throws -> R {
        do { return try await ask() } catch let error as ServiceError {
            throw CommandError(
                ExitCode.of(error.name), "\(error.message) (\(error.name.rawValue))", remedy: error.remedy)
        }
    }

    /// Tells who waits at this terminal how to answer at another one. The request is taken before the health
    /// check is answered, so the list read after it has the pending row.
    @LoopActor private static func sayHowToAnswer(_ session: Session, _ params: AuthorizationRequest.Params)
        async
    {
        do {
            _ = try await session.call(HealthCheck.self, Nothing())
            let list = try await session.call(
                AuthorizationList.self, AuthorizationList.Params(client: params.client))
            let member = params.member ?? list.authorizations.first { $0.member.hasPrefix("uid-") }?.member
            guard let asked = list.authorizations.first(where: { $0.pending && $0.member == member }) else {
                return
            }
            Console.note(
                "Waiting for the person's word: answer the notification, or run "
                    + "`screentime authorization approve \(asked.id)` (or deny).")
        } catch {
            return  // The request itself reports the error.
        }
    }

    @LoopActor private static func decide(
        _ invocation: Invocation, _ decision: Decision
    ) async throws -> Int32 {
        let session = try invocation.session()
        let list = try await session.call(AuthorizationList.self, AuthorizationList.Params()).authorizations
        let id = try unambiguous(invocation.arguments[0], among: list.map(\.id))
        let result = try await session.call(
            AuthorizationDecide.self, AuthorizationDecide.Params(id: id, decision: decision))
        if invocation.has("--json") {
            Console.print(result.encoded())
        } else {
            Console.print("\(result.authorization.client) is \(result.authorization.status.rawValue).")
            // Another of its requests asks for more.
            if result.authorization.pending {
                Console.print("It also asks to see the names of apps and sites; that question is still open.")
            }
        }
        return ExitCode.ok
    }

    /// The one id that begins so.
    /// - Parameter list: command that lists them.
    static func unambiguous(
        _ prefix: String, among ids: [String], _ what: String = "authorization",
        list: String = "screentime authorization list"
    ) throws(CommandError) -> String {
        if ids.contains(prefix) { return prefix }
        let found = prefix.isEmpty ? [] : ids.filter { $0.hasPrefix(prefix) }
        guard let first = found.first else {
            throw CommandError(
                ExitCode.refused, "no \(what) has an id that begins with '\(prefix)'",
                remedy: "See `\(list)`.")
        }
        guard found.count == 1 else {
            throw CommandError(
                ExitCode.refused, "'\(prefix)' is the beginning of \(found.sorted().joined(separator: ", "))",
                remedy: "Give more of the id.")
        }
        return first
    }

    @LoopActor private static func turnSwitch(
        _ invocation: Invocation, _ set: (inout AuthorizationSwitch.Params, Bool) -> Void
    ) async throws -> Int32 {
        let client = invocation.arguments[0]
        let position = invocation.arguments[1]
        guard position == "on" || position == "off" else {
            throw CommandError(
                ExitCode.usage, "'\(position)' is no position of a switch", remedy: "Use on or off.")
        }
        let session = try invocation.session()
        var params = AuthorizationSwitch.Params(
            client: client, member: try await session.memberID(invocation.value("--member")))
        set(&params, position == "on")
        _ = try await session.call(AuthorizationSwitch.self, params)
        Console.print("\(client): \(params.access == nil ? "restrictions" : "access") \(position).")
        return ExitCode.ok
    }
}
