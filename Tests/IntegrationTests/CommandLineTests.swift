import Bus
import Contract
import Glibc
import JSON
import ScreenTimeTesting
import Testing

@Suite("command line") struct CommandLineTests {
    static let commands = [
        "status", "doctor", "member list", "member add", "member set", "member remove", "authorization list",
        "authorization request", "authorization approve", "authorization deny", "authorization revoke",
        "authorization access", "authorization restrictions", "monitor list", "monitor start", "monitor stop",
        "shield list", "shield explain", "notifications", "trace", "logs",
    ]

    @Test func everyCommandHasHelp() async throws {
        try await World.with([]) { world in
            for words in Self.commands {
                let parts = words.split(separator: " ").map(String.init) + ["--help"]
                let (status, lines) = try await world.run("help", [World.products + "/screentime"] + parts)
                #expect(
                    status == 0 && lines.first?.hasPrefix("usage: screentime \(words)") == true, "\(words)")
            }
            let overview = try await world.command("--help")
            #expect(overview.status == 0)
            for words in Self.commands { #expect(overview.output.contains("  \(words)"), "\(words)") }
            #expect(
                try await world.command("--version").lines == [
                    "screentime 0.1.0, contract \(Registry.version)"
                ])
        }
    }

    @Test(
        arguments: [
            ([], "no command was given"), (["nonsense"], "unknown command 'nonsense'"),
            (["member"], "'member' alone is not a command"),
            (["member", "frob"], "unknown command 'member frob'"),
            (["status", "--frob"], "unknown option '--frob'"), (["status", "extra"], "'extra' is too much"),
            (["member", "add"], "NAME is missing"), (["trace", "--last"], "--last needs a value"),
            (["trace", "--last", "x"], "--last is 'x'"), (["trace", "--last", "+5"], "--last is '+5'"),
            (["status", "--wait", "-0"], "--wait is '-0'"),
            (["authorization", "request", "--timeout", "+5s"], "--timeout is '+5s'"),
            (["trace", "--format=xml"], "--format is 'xml'"),
            (["trace", "--trace", "zzz"], "--trace is 'zzz'"),
            (["status", "--json=1"], "--json has no value"),
            (["status", "--json", "--json"], "--json is given twice"),
            (["authorization", "access", "org.a", "maybe"], "'maybe' is no position"),
            (["authorization", "request", "--timeout", "soon"], "--timeout is 'soon'"),
            (["trace", "--follow", "--format", "otlp"], "--follow cannot write otlp"),
        ] as [([String], String)])
    func misuseIsExplained(words: [String], message: String) async throws {
        try await World.with([]) { world in
            let (status, lines) = try await world.run("misuse", [World.products + "/screentime"] + words)
            #expect(status == 64 && lines.isEmpty)
            #expect(world.errors(of: "misuse").hasPrefix("screentime: \(message)"))
        }
    }

    /// A client's name goes into the request itself as well as into its parameters.
    @Test func whatIsNoNameOfAnAppIsRefusedAlike() async throws {
        try await World.with(["auth-service"]) { world in
            for name in ["a\nb", "a\u{1B}[2J", String(repeating: "x", count: 513), ""] {
                for words in [
                    ["authorization", "request", "--client", name], ["authorization", "revoke", name],
                    ["selection", "create", "s", "--client", name],
                ] {
                    let said = try await world.command(words)
                    #expect(said.status == 1 && said.lines.isEmpty, "\(words): \(said)")
                    #expect(!said.errors.contains("contract"), "\(said.errors)")
                }
            }
        }
    }

    @Test func aServiceThatIsNotThereIs69() async throws {
        try await World.with([]) { world in
            let outcome = try await world.command("member", "list")
            #expect(outcome.status == 69 && outcome.lines.isEmpty)
            #expect(outcome.errors.hasPrefix("screentime: auth-service is not running. Start it"))
            #expect(try await world.command("trace").status == 69)
        }
    }

    @Test func aRuntimeDirectoryThatIsTooLongIsASentence() async throws {
        try await World.with([]) { world in
            let path = "/tmp/" + String(repeating: "x", count: 120)
            for words in ["status", "report", "trace"] {
                let outcome = try await world.command(words, environment: ["SCREENTIME_RUNTIME_DIR": path])
                #expect(outcome.status == 1 && outcome.lines.isEmpty)
                #expect(outcome.errors.contains("Set SCREENTIME_RUNTIME_DIR to a shorter path."))
            }
        }
    }

    @Test(arguments: ["screentime", "limits", "streaks", "downtime", "encouragement", "worklog", "charts"])
    func anAnswerThatCannotBeWrittenIsNoSuccess(program: String) async throws {
        try await World.with([]) { world in
            for (place, reason) in [("/dev/full", "No space left on device"), ("&-", "Bad file descriptor")] {
                let script = "\(World.products)/\(program) --help >\(place)"
                let label = "to-\(world.processes.count)"
                let (status, _) = try await world.run(label, ["/bin/sh", "-c", script])
                #expect(status == 75, "\(script)")
                #expect(world.errors(of: label).contains(reason), "\(script)")
            }
            // With all descriptors closed the exit code still reports the failure.
            let silent = "\(World.products)/\(program) nonsense <&- >&- 2>&-"
            #expect(try await world.run("silent", ["/bin/sh", "-c", silent]).status == 64)
        }
    }

    /// No other file gets the number of a standard one that is closed.
    @Test func whatIsMeantForATerminalGoesIntoNoLog() async throws {
        try await World.with([]) { world in
            let script = "exec timeout 30 \(World.products)/auth-service <&- >&- 2>&-"
            let service = try world.launch("closed", ["/bin/sh", "-c", script])
            let log = world.directory + "/state/logs/auth-service.log"
            try await world.eventually("it answers") {
                try await world.command("member", "list").status == 0
            }
            #expect(try !String(contentsOfFile: log, encoding: .utf8).contains("READY"))
            kill(service.pid, SIGTERM)
            _ = try await service.exit(deadline: 60_000)
        }
    }

    @Test func membersAndWhoTheyAre() async throws {
        try await World.with(["auth-service"]) { world in
            let own = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? ""
            #expect(try await world.command("member", "add", "Anna").lines == ["Added Anna (member-Anna)."])
            let list = try await world.command("member", "list", "--json").json()
            let names = list["members"]?.arrayValue?.compactMap { $0["name"]?.stringValue }
            #expect(Set(names ?? []) == [own, "Anna"])
            let twice = try await world.command("member", "add", "Anna")
            #expect(twice.status == 1)
            #expect(
                twice.errors == "screentime: there is already a member with this name. "
                    + "Choose another name; see `screentime member list`.\n")
            #expect(try await world.command("member", "remove", "Anna").lines == ["Removed Anna."])
            #expect(try await world.command("member", "remove", own).status == 1)
            let unknown = try await world.command("authorization", "revoke", "org.a", "--member", "Al Bo")
            #expect(unknown.errors.contains("Add one with `screentime member add 'Al Bo'`"))
        }
    }

    @Test func askingAndAnsweringInTwoTerminals() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            let screentime = World.products + "/screentime"
            let asking = try world.launch(
                "asking", [screentime, "authorization", "request", "--for", "individual", "--name", "Mail"])
            let pending = try await events.pending("org.screentime.cli")
            let nobody = try await world.command("authorization", "approve", "-", "--json")
            #expect(nobody.status == 1 && nobody.lines.isEmpty)
            let prefix = String(pending.id.prefix(5))
            let approved = try await world.command("authorization", "approve", prefix)
            #expect(approved.lines == ["org.screentime.cli is approved."])
            #expect(try await asking.exit() == 0)
            #expect(asking.lines == ["org.screentime.cli is approved."])
            let again = try await world.command("authorization", "request", "--json")
            #expect(try again.json()["authorization"]?["status"] == "approved")
            #expect(
                try await world.command("authorization", "access", "org.screentime.cli", "off").status == 0)
            #expect(
                try await world.command("authorization", "restrictions", "org.screentime.cli", "off").status
                    == 0)
            let row = try await world.command("authorization", "list").lines.last ?? ""
            #expect(row.hasSuffix("denied  off     off"))
            #expect(try await world.command("authorization", "revoke", "org.screentime.cli").status == 0)
            #expect(try await world.command("authorization", "revoke", "org.none").status == 1)
        }
    }

    /// Of two requests that wait together, the second also asks to see names: the first answer is not for it.
    @Test func anApprovalSaysThatAnotherQuestionIsOpen() async throws {
        try await World.with(["auth-service"]) { world in
            let client = try world.client(.auth)
            for dataAccess in [nil, true] {
                client.send(
                    AuthorizationRequest.self,
                    AuthorizationRequest.Params(client: "org.b", dataAccess: dataAccess),
                    options: CallOptions(deadline: 60_000, client: "org.b")
                ) { _ in }
            }
            // Answered after both were taken.
            _ = try await client.call(HealthCheck.self, Nothing())
            let id = try #require(try await world.authorizations("org.b").first?.id)
            #expect(
                try await world.command("authorization", "approve", id).lines == [
                    "org.b is approved.",
                    "It also asks to see the names of apps and sites; that question is still open.",
                ])
            #expect(
                try await world.command("authorization", "approve", id).lines == ["org.b is approved."])
        }
    }

    @Test func noAndNothingAreBothRefusals() async throws {
        try await World.with(["auth-service"]) { world in
            let events = try world.record(.auth)
            let silence = try await world.command("authorization", "request", "--timeout", "10s")
            #expect(silence.status == 1 && silence.errors.contains("the person did not answer in time"))
            let asking = try world.launch(
                "asking", [World.products + "/screentime", "authorization", "request", "--client", "org.b"])
            let pending = try await events.pending("org.b")
            #expect(
                try await world.command("authorization", "deny", pending.id).lines == ["org.b is denied."])
            #expect(try await asking.exit() == 1)
            #expect(world.errors(of: "asking").contains("the person refused (authorizationCanceled)"))
        }
    }

    @Test(arguments: [
        (
            #"{"activities":[{"name":"a","schedule":{"intervalStart":{"hour":"x"}}}]}"#,
            "activities[0].schedule.intervalStart.hour"
        ),
        (
            #"{"activities":[{"schedule":{"intervalStart":{},"intervalEnd":{},"repeats":true}}]}"#,
            "activities[0].name"
        ), (#"{"activities":3}"#, "activities"),
        ("{", "byte 1"), (#"{"activities":[]}"#, "'activities' is empty"),
        (
            #"{"activities":[{"name":"a","schedule":{"intervalStart":{"hour":1},"intervalEnd":{"hour":2},"#
                + #""repeats":true},"events":[{"name":"e","aplications":["x"],"threshold":{"second":1}}]}]}"#,
            "activities[0].events[0].aplications"
        ),
    ])
    func aBadPolicyFileNamesTheField(text: String, place: String) async throws {
        try await World.with([]) { world in
            let path = try world.write(text, to: "policy.json")
            let outcome = try await world.command("monitor", "start", path)
            #expect(outcome.status == 65 && outcome.errors.contains(place), "\(outcome.errors)")
            #expect(try await world.command("monitor", "start", path + ".none").status == 66)
        }
    }
}
