import Bus
import Contract
import ScreenTimeTesting
import Testing

/// Requests for more time at the command line, on the virtual clock.
@Suite("commands for more time") struct RequestCommandTests {
    @Test func whoAsksAndWhoDecidesUseTheTerminal() async throws {
        let services = ["auth-service", "notifier", "shield-service"]
        try await World.with(services, clock: "2026-03-02T08:00:00Z") { world in
            func say(_ words: String..., status: Int32 = 0) async throws -> String {
                try await world.say(words, status)
            }
            _ = try await say("member", "add", "Anna", "--role", "child")
            let made = try await say(
                "request", "app:org.example.game", "--minutes", "30", "--member", "Anna", "--reason",
                "homework")
            #expect(made.contains("asked for 30 minutes with org.example.game"))
            let id = String(made.prefix(6))
            #expect(try await say("requests", "--state", "pending").contains("homework"))
            #expect(try await say("requests", "--state", "denied", "--json").contains(#""requests":[]"#))
            let approved = try await say("requests", "approve", String(id.prefix(5)), "--minutes", "20")
            #expect(approved.contains("\(id): approved 20 minutes with org.example.game, until"))
            #expect(try await say("requests", "deny", id, status: 1).contains("was approved at"))
            #expect(
                try await say("requests", "approve", "zzzzzzz", status: 1).contains("screentime requests"))
            #expect(try await say("request", "app:a", "--minutes", "0", status: 64).contains("--minutes"))

            // One's own, after the delay.
            let own = String(try await say("request", "category:games").prefix(6))
            let early = try await say("requests", "approve", own, status: 77)
            #expect(early.contains("2026-03-02 08:05:00"))
            try await world.clock.advance(.minutes(5))
            #expect(
                try await say("requests", "approve", own, "--say", "just now").contains("the rest of the day")
            )
            #expect(try await say("requests", "--json").contains(#""answer":"just now""#))

            let taken = String(try await say("request", "domain:Example.ORG", "--member", "Anna").prefix(6))
            #expect(try await say("requests", "withdraw", taken).contains("is withdrawn"))
            #expect(try await say("requests", "--member", "Anna").contains("example.org"))
            #expect(try await say("request", "app:a", "--one-more-minute").contains("One more minute with a"))
            #expect(
                try await say("request", "app:a", "--one-more-minute", status: 1).contains(
                    "one more minute was used today"))

            // Who did what, also the exceptions that followed.
            try await world.clock.advance(.minutes(30))
            let lines = try await say("audit", "--member", "Anna").split(separator: "\n").map(String.init)
            let told = [
                "is child (zone system", "asked for 30 minutes with app org.example.game",
                "approved 20 minutes with app org.example.game", "exception began: app org.example.game",
                "withdrawn", "exception ended: app org.example.game",
            ]
            let found = told.map { words in lines.firstIndex { $0.contains(words) } }
            #expect(!found.contains(nil), "\(lines)")
            #expect(found.compactMap { $0 } == found.compactMap { $0 }.sorted(), "\(lines)")
            #expect(lines.contains { $0.contains("homework") } && lines.contains { $0.contains("guardian") })
            _ = try await say("member", "remove", "Anna")
            _ = try await say("member", "add", "Anna", "--role", "guardian")
            let again = try await say("audit", "--member", "Anna").split(separator: "\n").last
            #expect(again?.contains("is guardian (zone system") == true, "another one of the same name")
            let json = try await say("audit", "--json")
            #expect(json.contains(#""exceptions":[{"#) && json.contains(#""ending":"timeIsOver""#))
        }
    }

    /// auth-service, which owns requests, does not know it.
    @Test func whatWasEndedBeforeItsTimeIsNamed() async throws {
        let services = ["auth-service", "notifier", "shield-service"]
        try await World.with(services, clock: "2026-03-02T08:00:00Z") { world in
            func say(_ words: String..., status: Int32 = 0) async throws -> String {
                try await world.say(words, status)
            }
            _ = try await say("member", "add", "Anna", "--role", "child")
            let made = try await say("request", "app:go", "--minutes", "30", "--member", "Anna")
            let id = String(made.prefix(6))
            _ = try await say("requests", "approve", id)
            #expect(try await !say("requests").contains("ended"))
            #expect(try await say("requests", "approve", id).contains("approved 30 minutes with go"))
            let late = try await say("requests", "withdraw", id, status: 1)
            #expect(late.contains("screentime exceptions end \(id)"), "\(late)")
            _ = try await say("exceptions", "end", id)
            #expect(try await say("requests").contains("approved, ended"))
            let again = try await say("requests", "approve", id, status: 1)
            #expect(again.contains("what it opened was ended"), "\(again)")
            // Requests are auth-service's: they are shown, and approved, without the other one.
            try await world.process("shield-service").destroy()
            let alone = try await say("requests")
            #expect(alone.contains("approved  ") && alone.contains("is not known: shield-service"))
        }
    }

    @Test(arguments: [".", "exa mple", "xn--//x-.example"])
    func whatIsNoDomainIsRefused(name: String) async throws {
        try await World.with(["auth-service"]) { world in
            let outcome = try await world.command("request", "domain:\(name)")
            #expect(outcome.status != 0 && outcome.errors.contains("'\(name)' is no domain"), "\(outcome)")
        }
    }

    /// Approved as it was typed, it would open nothing.
    @Test(arguments: ["category", "domain_category"])
    func aCategoryHasOneNameAndWhatIsNoneIsRefused(kind: String) async throws {
        try await World.with(["auth-service"]) { world in
            for (typed, name) in [("GAMES", "games"), ("Social_Networking", "social"), ("All", "all")] {
                let made = try await world.command("request", "\(kind):\(typed)", "--json")
                #expect(made.output.contains(#""kind":"\#(kind)","subject":"\#(name)""#), "\(typed): \(made)")
            }
            let refused = try await world.command("request", "\(kind):Game")
            #expect(refused.status != 0 && refused.errors.contains("no category 'Game'"), "\(refused)")
            #expect(refused.errors.contains("games"), "\(refused)")
        }
    }

    /// While everything is shielded, every word is: it is nevertheless looked up, and refused if nothing here
    /// has this name.
    @Test func aWordNamesTheSameWhateverIsShielded() async throws {
        try await World.with(["auth-service", "activity-center", "shield-service"]) { world in
            let steam = InstalledApp(app: "com.valvesoftware.Steam", name: "Steam", categories: ["Game"])
            _ = try await world.call(CatalogObserve.self, CatalogObserve.Params(device: "d", apps: [steam]))
            try await CatalogTests.use(world, CatalogTests.browsing("www.site.example", in: "exe:/opt/chess"))
            _ = try await ShieldServiceTests.write(
                world, "named", [("shield.applications", ["org.go"]), ("shield.webDomains", ["intranet"])])
            let covers = try RequestServer(
                named: AgentName.shieldCover, in: world.runtime, tracer: Tracer(service: "test"))
            defer { covers.close() }
            let ghost = CoveredWindow(app: "exe:/opt/ghost", name: "Ghost", subject: "exe:/opt/ghost")
            covers.answer(CoverList.self) { _, _, reply in
                reply.succeed(CoverList.Result(covers: [ghost]))
            }
            let meant: [(String, SubjectKind, String)] = [
                ("steam", .app, "com.valvesoftware.Steam"), ("app:steam", .app, "steam"),
                ("com.valvesoftware.Steam", .app, "com.valvesoftware.Steam"), ("games", .category, "games"),
                ("Youtube.com", .domain, "youtube.com"), ("intranet", .domain, "intranet"),
                ("org.go", .app, "org.go"), ("exe:/opt/chess", .app, "exe:/opt/chess"),
                ("ghost", .app, "exe:/opt/ghost"), ("exe:/opt/ghost", .app, "exe:/opt/ghost"),
                ("all", .category, "all"),
            ]
            func check(_ shields: String) async throws {
                for (typed, kind, subject) in meant {
                    let made = try await world.command("request", typed, "--json")
                    let expected = #""kind":"\#(kind.rawValue)","subject":"\#(subject)""#
                    #expect(made.output.contains(expected), "\(typed), \(shields): \(made)")
                }
                let unknown = try await world.command("request", "nosuch thing")
                #expect(
                    unknown.status != 0 && unknown.errors.contains("no app, site or category 'nosuch thing'"),
                    "\(shields): \(unknown)")
            }
            try await check("some")
            for key in ["shield.applicationCategories", "shield.webDomainCategories"] {
                _ = try await ShieldServiceTests.write(world, "night", [(key, ["policy": "all"])])
            }
            try await check("all")
            let shown = try await world.command("shield", "show", "steam", "--json")
            #expect(shown.output.contains("com.valvesoftware.Steam"), "\(shown)")
            let explained = try await world.command("shield", "explain", "steam")
            #expect(explained.output.contains("'com.valvesoftware.Steam'"), "\(explained)")
        }
    }

    /// Between two seconds, too: it is rounded up wherever it is read.
    @Test func anEndIsTheSameSecondEverywhere() async throws {
        let services = ["auth-service", "notifier", "shield-service"]
        try await World.with(services, clock: "2026-03-02T08:00:00Z") { world in
            func say(_ words: String..., status: Int32 = 0) async throws -> String {
                try await world.say(words, status)
            }
            try await world.clock.advance(.milliseconds(300))
            _ = try await say("member", "add", "Anna", "--role", "child")
            let own = try await say("request", "app:chess")
            #expect(own.contains("approve it from 2026-03-02 08:05:01 on"), "\(own)")
            let early = try await say("requests", "approve", String(own.prefix(6)), status: 77)
            #expect(early.contains("from 2026-03-02 08:05:01 on"), "\(early)")
            let made = try await say("request", "app:go", "--minutes", "30", "--member", "Anna")
            let id = String(made.prefix(6))
            let end = "2026-03-02 08:30:01"
            #expect(try await say("requests", "approve", id).contains("until \(end)."))
            #expect(try await say("requests", "deny", id, status: 1).contains("until \(end)"))
            #expect(try await say("requests", "--member", "Anna").contains("2026-03-02 08:00:00  \(end)"))
            let decided = Position(.auth, try await world.health(.auth).head)
            _ = try await world.call(ExceptionList.self, ExceptionList.Params(), notBefore: [decided])
            #expect(try await say("exceptions").contains("2026-03-02 08:00:00  \(end)"))
            #expect(try await say("audit").contains("app go, until \(end)"))
        }
    }

    @Test func theRulesOfAMemberAreSet() async throws {
        try await World.with(["auth-service", "notifier"], clock: "2026-03-02T08:00:00Z") { world in
            _ = try await world.command("member", "add", "Anna")
            let set = try await world.command(
                "member", "set", "Anna", "--self-approval-delay", "60", "--one-more-minute", "off")
            #expect(set.status == 0 && set.output.contains("after 1 hour"), "\(set)")
            #expect(set.output.contains("One more minute: off"))
            let shorter = try await world.command("member", "set", "Anna", "--self-approval-delay", "0")
            #expect(shorter.output.contains("on after 0 minutes"), "\(shorter)")
            let listed = try await world.command("member", "list", "--json")
            #expect(listed.output.contains(#""self_approval_minutes":60,"next_self_approval_minutes":0"#))
            #expect(
                try await world.command("member", "set", "Anna", "--self-approval-delay", "x").status == 64)
            #expect(
                try await world.command("member", "set", "Anna", "--one-more-minute", "perhaps").status == 64)
            // It settles by itself.
            try await world.clock.advance(.minutes(60))
            let settled = try await world.command("member", "list", "--json")
            #expect(settled.output.contains(#""self_approval_minutes":0,"one_more_minute":false"#))
        }
    }
}

extension World {
    /// What a command prints, on either output.
    fileprivate func say(_ words: [String], _ status: Int32) async throws -> String {
        let outcome = try await command(words)
        #expect(outcome.status == status, "\(words): \(outcome)")
        return outcome.output + outcome.errors
    }
}
