import CommandKit
import Contract
import Glibc
import JSON
import Units

extension Screentime {
    static let monitorCommands = [
        Command(
            "monitor list", options: [.member, .json], summary: "List the monitored activities."
        ) { invocation in
            let session = try invocation.session()
            let member = try await session.memberID(invocation.value("--member"))
            let result = try await session.call(MonitoringList.self, MonitoringList.Params(member: member))
            if invocation.has("--json") {
                Console.print(result.encoded())
                return ExitCode.ok
            }
            let names = try await session.memberNames()
            var table = TextTable(["NAME", "CLIENT", "MEMBER", "NOW", "INTERVAL", "EVENTS"])
            for entry in result.activities {
                table.add([
                    entry.activity.name, entry.client, names[entry.member] ?? entry.member,
                    entry.inInterval ? "inside" : "outside", interval(entry),
                    (entry.activity.events ?? []).map(\.name).joined(separator: ", "),
                ])
            }
            table.printAll()
            result.activities.forEach(explain)
            return ExitCode.ok
        },
        Command(
            "monitor start", [.file("FILE.json")], options: [.member, .json],
            summary: "Monitor the activities of a policy file; one of the same name is replaced.",
            details: policyHelp
        ) { invocation in
            let policy = try readPolicy(invocation.arguments[0])
            let session = try invocation.session()
            let member = try await session.memberID(invocation.value("--member"))
            let result: MonitoringStart.Result
            do {
                result = try await session.call(
                    MonitoringStart.self,
                    MonitoringStart.Params(member: member, activities: policy.activities))
            } catch let error as ServiceError where Self.blamesTheFile(error.name) {
                throw CommandError(
                    ExitCode.badData, "'\(invocation.arguments[0])': \(error.message)",
                    remedy: "\(error.remedy) No new activity is monitored.")
            }
            if invocation.has("--json") {
                Console.print(result.encoded())
                return ExitCode.ok
            }
            for entry in result.activities {
                Console.print("Monitoring '\(entry.activity.name)', \(interval(entry)).")
            }
            return ExitCode.ok
        },
        Command(
            "monitor stop", ["[NAME]"],
            options: [.init("--all", nil, "Every activity of the member."), .member],
            summary: "Stop monitoring an activity, or all; a running interval ends."
        ) { invocation in
            let name = invocation.arguments.first
            guard (name == nil) == invocation.has("--all") else {
                throw CommandError(
                    ExitCode.usage, "'monitor stop' needs either a name or --all",
                    remedy: "See `screentime monitor list`.")
            }
            let session = try invocation.session()
            let result = try await session.call(
                MonitoringStop.self,
                MonitoringStop.Params(
                    member: try await session.memberID(invocation.value("--member")),
                    names: name.map { [$0] }))
            if let name, !result.stopped.contains(name) {
                throw CommandError(
                    ExitCode.refused, "no activity '\(name)' is monitored",
                    remedy: "See `screentime monitor list`.")
            }
            for name in result.stopped { Console.print("Stopped '\(name)'.") }
            return ExitCode.ok
        },
    ]

    private static func blamesTheFile(_ name: ErrorName) -> Bool {
        switch name {
        case .invalidParams, .invalidArgument, .limitExceeded, .invalidDateComponents, .intervalTooShort,
            .intervalTooLong:
            true
        default: false
        }
    }

    private static let policyHelp = """
        The file, for example:
          {"activities":[{"name":"daily",
            "schedule":{"intervalStart":{"hour":0,"minute":0},
                        "intervalEnd":{"hour":24},
                        "repeats":true,"warningTime":{"minute":5}},
            "events":[{"name":"social","applications":["com.spotify.music"],
                       "threshold":{"minute":30}}]}]}
        An interval ends where it says: 23:59 leaves a minute of each day that counts nowhere.
        """

    /// Why an interval of one is missing, or at other times.
    static func explain(_ entry: MonitoredActivity) {
        for one in entry.altered ?? [] { Console.print(one.sentence(of: entry.activity.name)) }
    }

    private static func interval(_ entry: MonitoredActivity) -> String {
        guard let start = entry.intervalStart, let end = entry.intervalEnd else {
            return "no interval to come"
        }
        return "\(LocalTime.text(start)) to \(LocalTime.text(end))"
    }

    /// - Throws: what is wrong with the file, with the field's path.
    static func readPolicy(_ path: String) throws(CommandError) -> PolicyFile {
        let bytes = try readFile(path, bytesMax: Limits.messageBytesMax)
        func wrong(_ why: String) -> CommandError {
            CommandError(
                ExitCode.badData, "'\(path)' is not a policy file: \(why)",
                remedy: "See `screentime monitor start --help` for an example.")
        }
        let policy: PolicyFile
        let slip: String?
        do throws(JSONError) {
            policy = try PolicyFile.decode(bytes)
            slip = unknownField(
                in: try JSONValue.decode(bytes), among: try JSONValue.decode(policy.encoded()))
        } catch {
            throw wrong(error.message)
        }
        if let slip { throw wrong("nothing is known of the field '\(slip)'") }
        guard !policy.activities.isEmpty else { throw wrong("'activities' is empty") }
        return policy
    }

    /// The path of a field that its type does not have. On the bus such are ignored; in a file that a person
    /// wrote one is a slip of the pen, and an event that names no app by mistake would limit them all.
    /// - Parameter known: the same document as its type writes it.
    private static func unknownField(
        in given: JSONValue, among known: JSONValue, at path: String = ""
    ) -> String? {
        switch (given, known) {
        case (.object(let fields), .object(let knownFields)):
            for field in fields {
                let here = path.isEmpty ? field.key : "\(path).\(field.key)"
                guard let match = knownFields.first(where: { $0.key == field.key }) else {
                    if case .null = field.value { continue }
                    return here
                }
                if let found = unknownField(in: field.value, among: match.value, at: here) { return found }
            }
            return nil
        case (.array(let elements), .array(let knownElements)):
            for (index, pair) in zip(elements, knownElements).enumerated() {
                if let found = unknownField(in: pair.0, among: pair.1, at: "\(path)[\(index)]") {
                    return found
                }
            }
            return nil
        default: return nil
        }
    }

    /// A whole file.
    static func readFile(_ path: String, bytesMax: Int) throws(CommandError) -> [UInt8] {
        try InputFile.whole(path, bytesMax: bytesMax, remedy: "Split it.")
    }
}
