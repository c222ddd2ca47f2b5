import Bus
import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import TestSupport
import Testing
import Units

private let isDesktopHere = World.areInstalled("dunst", "dunstctl", "Xvfb", "dbus-daemon")

/// The weekly report: a notification that report-service's figures are written into when it is due.
@Suite("weekly report", .enabled(if: isDesktopHere, "needs the packages dunst, xvfb and dbus-daemon"))
struct WeeklyReportTests {
    /// Services on the virtual clock, from a Monday on, with two weeks of use: the first of 90 minutes of
    /// one app, the second of 2 h of another and 30 minutes of the first; then it is Sunday noon.
    private static func withTwoWeeks(
        environment: [String: String] = [:], _ body: @LoopActor (World, EventRecorder) async throws -> Void
    ) async throws {
        let services = ["auth-service", "activity-center", "report-service"]
        try await World.with(services, environment: environment, clock: "2026-03-09T08:00:00Z") { world in
            try await world.startSessionBus()
            try await world.startDisplay()
            try world.startDunst()
            try await world.use("editor", for: .seconds(90 * 60))
            try await world.clock.advance(.days(6))
            // Sunday the 15th: the first of the seven days.
            try await world.use("player", for: .seconds(120 * 60))
            try await world.clock.advance(.days(6))
            try await world.use("editor", for: .seconds(30 * 60))
            try await world.start("notifier")
            // Sunday the 22nd is the day of the report, and not in it.
            try await world.clock.advance(.hours(18))
            try await world.use("player", for: .seconds(30 * 60))
            try await body(world, try world.record(.notifier))
        }
    }

    @LoopActor private static func list(_ world: World) async throws -> [NotificationRecord] {
        try await world.call(NotificationList.self, NotificationList.Params()).notifications
    }

    @Test func itTellsTheSevenDaysBeforeAndComesAgain() async throws {
        try await Self.withTwoWeeks { world, events in
            let on = try await world.command("report", "weekly", "--day", "sunday", "--at", "23:15")
            #expect(on.status == 0 && on.output.contains("23:15"), "\(on)")
            try await world.clock.advance(.hours(20))
            let delivered = try await events.first(NotificationDelivered.self).notification
            #expect(delivered.title == "Last 7 days: 2 h 30 min")
            #expect(
                delivered.body == """
                    Mar 15 to Mar 21: 67% more than in the 7 days before.
                    Most used: player 2 h, editor 30 min.
                    """)
            #expect(delivered.details?.weeklyReport == nil && delivered.details?.tellsOpening == true)
            let planned = try #require(try await Self.list(world).first { $0.state == .scheduled })
            #expect(planned.due.map(UTCTime.text) == "2026-03-29T23:15:00.000Z")
            #expect(planned.details?.weeklyReport == true)
            try await world.clock.advance(.days(7))
            try await world.eventually("the next one") {
                try await Self.list(world).contains { $0.state == .delivered && $0.title != delivered.title }
            }
            let next = try #require(try await Self.list(world).last)
            #expect(next.title == "Last 7 days: 30 min")
            #expect(next.body.hasPrefix("Mar 22 to Mar 28: 80% less than in the 7 days before."))
            let off = try await world.command("report", "weekly", "--off")
            #expect(off.status == 0 && off.output.contains("No weekly report is switched on"), "\(off)")
            #expect(try await world.clock.nextDue(of: "notifier") == nil)
        }
    }

    /// Whatever was missed while the machine was off: one comes, about the newest week, and does not call
    /// that the last seven days.
    @Test func missedOnesComeOnceAboutTheNewestWeek() async throws {
        try await Self.withTwoWeeks { world, events in
            _ = try await world.command("report", "weekly", "--day", "sunday", "--at", "23:15")
            try await Self.end("notifier", world)
            try await world.clock.advance(.days(9))
            try await world.start("notifier")
            let delivered = try await events.first(NotificationDelivered.self).notification
            #expect(delivered.title == "Mar 22 to Mar 28: 30 min")
            #expect(delivered.due.map(UTCTime.text) == "2026-03-29T23:15:00.000Z")
            let planned = try #require(try await Self.list(world).first { $0.state == .scheduled })
            #expect(planned.due.map(UTCTime.text) == "2026-04-05T23:15:00.000Z")
        }
    }

    @LoopActor private static func move(_ world: World, to zone: String) async throws {
        let members = try await world.call(MemberList.self, Nothing()).members
        let own = try #require(members.first { $0.uid == Int64(getuid()) })
        let moved = try await world.command("member", "set", own.name, "--zone", zone)
        #expect(moved.status == 0, "\(moved)")
    }

    @LoopActor private static func awaitPlan(_ world: World, _ due: String) async throws {
        try await world.eventually("planned for \(due)") {
            let planned = try await Self.list(world).first { $0.state == .scheduled }
            return planned?.due.map(UTCTime.text) == due
        }
    }

    /// To the east its time has passed there; to the west it comes again on the same day.
    @Test func eachWeekIsToldOnceWhereverThePersonMoves() async throws {
        try await Self.withTwoWeeks { world, events in
            try await Self.move(world, to: "America/New_York")
            _ = try await world.command("report", "weekly", "--day", "sunday", "--at", "14:00")
            try await Self.awaitPlan(world, "2026-03-22T18:00:00.000Z")
            try await Self.move(world, to: "Asia/Seoul")
            let delivered = try await events.first(NotificationDelivered.self).notification
            #expect(delivered.due.map(UTCTime.text) == "2026-03-22T05:00:00.000Z")
            try await Self.awaitPlan(world, "2026-03-29T05:00:00.000Z")
            try await Self.move(world, to: "America/New_York")
            try await Self.awaitPlan(world, "2026-03-29T18:00:00.000Z")
        }
    }

    @LoopActor private static func end(_ name: String, _ world: World) async throws {
        let process = try world.process(name)
        process.signal(SIGTERM)
        #expect(try await process.exit() == 0)
    }

    /// The machine comes to where it is Saturday: Sunday is yet to come, once.
    @Test func oneThatWasMissedOnAJourneyComesOnItsDay() async throws {
        try await Self.withTwoWeeks(environment: ["TZ": "Asia/Seoul"]) { world, events in
            _ = try await world.command("report", "weekly", "--day", "sunday", "--at", "16:00")
            try await Self.awaitPlan(world, "2026-03-22T07:00:00.000Z")
            try await Self.end("notifier", world)
            try await world.clock.advance(.hours(1))
            world.environment["TZ"] = "Pacific/Honolulu"
            try await world.start("notifier")
            try await Self.awaitPlan(world, "2026-03-23T02:00:00.000Z")
            try await world.clock.advance(.hours(20))
            let delivered = try await events.first(NotificationDelivered.self).notification
            #expect(delivered.body.hasPrefix("Mar 15 to Mar 21"), "\(delivered)")
            try await Self.awaitPlan(world, "2026-03-30T02:00:00.000Z")
        }
    }

    /// Due in one zone, written in another one.
    @Test func oneThatWaitsKeepsItsDays() async throws {
        try await Self.withTwoWeeks { world, events in
            try await Self.move(world, to: "Asia/Seoul")
            _ = try await world.command("report", "weekly", "--day", "sunday", "--at", "16:00")
            try await Self.end("report-service", world)
            try await world.clock.advance(.hours(1))
            try await world.eventually("it waits") {
                try await world.health(.notifier).degradedBy.contains {
                    $0.contains("the weekly report is not written")
                }
            }
            try await Self.move(world, to: "Pacific/Honolulu")
            try await Self.awaitPlan(world, "2026-03-30T02:00:00.000Z")
            try await world.start("report-service")
            let delivered = try await events.first(NotificationDelivered.self).notification
            #expect((delivered.title + delivered.body).contains("Mar 15 to Mar 21"), "\(delivered)")
        }
    }

    @Test func oneThatIsShownNowKeepsThePlan() async throws {
        try await World.with(["auth-service", "activity-center", "report-service", "notifier"]) { world in
            let now = try await world.command("report", "weekly", "--day", "sunday", "--now")
            #expect(now.output.contains("The weekly report comes on"), "\(now)")
            #expect(try await Self.list(world).map(\.state) == [.scheduled, .pending])
            let off = try await world.command("report", "weekly", "--off")
            #expect(off.output.contains("No weekly report is switched on"), "\(off)")
            #expect(try await Self.list(world).map(\.state) == [.pending])
        }
    }

    /// What a person may ask for in a way that means something else.
    @Test func whatIsHalfMeantIsSaid() async throws {
        try await World.with(["auth-service", "notifier"]) { world in
            let late = try await world.command("report", "weekly", "--at", "09:00")
            #expect(late.status == 64 && late.errors.contains("no --day"), "\(late)")
            let both = try await world.command(
                "report", "weekly", "--email", "mina@example.org", "--webhook", "http://evil.example/")
            #expect(both.status != 0 && both.errors.contains("failed: --email mina@example.org"), "\(both)")
            #expect(try await world.call(ChannelList.self, Nothing()).channels.map(\.kind) == [.email])
            let members = try await world.call(MemberList.self, Nothing()).members
            let own = try #require(members.first { $0.uid == Int64(getuid()) })
            _ = try await world.command("report", "weekly", "--day", "sunday")
            let named = try await world.command(
                "report", "weekly", "--day", "monday", "--member", own.name)
            #expect(named.status == 0, "\(named)")
            #expect(try await Self.list(world).map(\.identifier) == ["weekly-report"], "one, not two")
        }
    }

    /// It is written as soon as it can be, by then about the days before it was due; nothing else waits.
    @Test func itWaitsForTheReportService() async throws {
        try await Self.withTwoWeeks(environment: ["LANGUAGE": "fr:ko", "LC_ALL": "fr_FR.UTF-8"]) {
            world, events in
            try await world.process("report-service").destroy()
            _ = try await world.call(NotificationPost.self, WeeklyReport.posting(member: nil))
            _ = try await world.call(
                NotificationPost.self, NotificationPost.Params(identifier: "other", title: "Other"))
            #expect(try await events.first(NotificationDelivered.self).notification.identifier == "other")
            try await world.eventually("the reason") {
                let health = try await world.health(.notifier)
                return health.degradedBy.contains { $0.contains("the weekly report is not written") }
            }
            let shown = try await world.command("report", "weekly")
            #expect(shown.errors.contains("the weekly report is not written"), "\(shown)")
            try await world.process("notifier").destroy()
            try await world.start("notifier")
            try await world.start("report-service")
            try await world.eventually("it is written") {
                try await Self.list(world).contains {
                    $0.identifier == "weekly-report-now" && $0.title == "지난 7일: 2시간 30분"
                        && $0.state == .delivered
                }
            }
            try await world.eventually("nothing is wrong") {
                try await world.health(.notifier).state == .ready
            }
        }
    }

    /// Without a notification daemon. What fails is tried again, as the same report.
    @Test(.enabled(if: World.areInstalled("curl"), "needs curl"))
    func itGoesOutByMailAndWebhook() async throws {
        let services = ["auth-service", "activity-center", "report-service"]
        try await World.with(services, clock: "2026-03-16T08:00:00Z") { world in
            try Self.takeMail(world)
            try await world.use("editor", for: .seconds(90 * 60))
            try await world.clock.advance(.days(1))
            try await world.start("notifier")
            let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
            let hook = try world.launch("hook", ["python3", "-c", Self.hook, secret])
            let port = try await hook.wait(for: "its port") { $0.lines.first }
            let url = "http://127.0.0.1:\(port)/hook?a=\"b"
            let refused = try await world.command("report", "weekly", "--webhook", "http://example.org")
            #expect(refused.status != 0 && refused.errors.contains("not allowed"), "\(refused)")
            let on = try await world.command("report", "weekly", "--webhook", url)
            #expect(on.status == 0 && on.errors.contains("whsec_") && on.output.contains("posted to \(url)"))
            let own = ChannelSet.Params(kind: .webhook, address: url, secret: secret)
            #expect(try await world.call(ChannelSet.self, own).secret == secret)
            #expect(try await world.call(ChannelSet.self, own).secret == nil, "it is the same")
            let elsewhere = ChannelSet.Params(kind: .webhook, address: url + "&c")
            let other = try await world.call(ChannelSet.self, elsewhere).secret
            #expect(other != nil && other != secret, "who had the key cannot sign for another address")
            #expect(try await world.call(ChannelSet.self, own).secret == secret)
            let now = try await world.command("report", "weekly", "--email", "mina@example.org", "--now")
            #expect(now.status == 0 && !now.errors.contains("whsec_"), "\(now)")
            try await world.eventually("the mail") {
                world.readText(world.directory + "/mail").hasSuffix("\n")
            }
            #expect(world.readText(world.directory + "/words") == "-i\n--\nmina@example.org\n")
            let mail = world.readText(world.directory + "/mail")
            #expect(mail.hasPrefix("To: mina@example.org\nSubject: =?UTF-8?B?"))
            try await world.eventually("the failure") {
                try await world.command("report", "weekly").output.contains(
                    "Reports are also posted to \(url); 1 not sent: the server answered 302")
            }
            #expect(try await world.health(.notifier).degradedBy.contains { $0.contains("by webhook") })
            // A restart forgets nothing.
            try await world.process("notifier").destroy()
            try await world.start("notifier")
            try await world.clock.advance(.seconds(61))
            try await world.eventually("the second failure") {
                try await world.command("report", "weekly").output.contains("the server answered 500")
            }
            try await world.clock.advance(.seconds(121))
            let lines = try await hook.wait(for: "all posts") { $0.lines.count == 4 ? $0.lines : nil }
            let posts = try lines.dropFirst().map { try JSONValue.decode(Array($0.utf8)) }
            #expect(posts[0]["id"] == posts[1]["id"] && posts[1]["id"] == posts[2]["id"])
            #expect(posts.map { $0["status"] } == [302, 500, 200])
            for post in posts {
                #expect(post["signed"] == true && post["path"] == "/hook?a=\"b", "\(post)")
                #expect(post["type"] == "screentime.weekly_report" && post["data"]?["total_ms"] == 5_400_000)
                #expect(post["data"]?["apps"]?[0]?["name"] == "editor")
            }
            try await world.eventually("it arrived") { try await world.health(.notifier).state == .degraded }
            let after = try await world.command("report", "weekly", "--no-email")
            #expect(!after.output.contains("mailed") && after.output.contains("last on"), "\(after)")
            let all = try await Self.list(world)
            #expect(all.map(\.state) == [.pending] && all[0].title == "Last 7 days: 1 h 30 min")
        }
    }

    /// Another one that arrives hides nothing: what waits is told while it is tried again, at once, and when
    /// it is discarded.
    @Test func whatWaitsIsToldUntilItIsSent() async throws {
        let services = ["auth-service", "activity-center", "report-service"]
        // No time passes, so that nothing is tried again by itself.
        try await World.with(services, clock: "2026-03-16T08:00:00Z") { world in
            let gate = try Self.takeMailThroughGate(world)
            defer { close(gate) }
            let full = try world.write("", to: "full")
            try await world.start("notifier")
            func told() async throws -> String { try await world.command("report", "weekly").output }
            let failure = "1 not sent: sendmail ended with 75: mailbox is full; tried again on"
            _ = try await world.command("report", "weekly", "--email", "root", "--now")
            try await world.eventually("the failure") { try await told().contains(failure) }
            #expect(unlink(full) == 0)
            _ = try await world.command("report", "weekly", "--now")
            try await world.eventually("the second one, then the first again") {
                world.readText(world.directory + "/again") == "again\n"
            }
            let both = try await told()
            #expect(both.contains(", last on ") && both.contains(failure), "\(both)")
            #expect(try await world.health(.notifier).degradedBy.contains { $0.contains("by email") })
            #expect(write(gate, "open\n", 5) == 5)
            try await world.eventually("both arrived") { try await !told().contains("not sent") }
            #expect(try await !world.health(.notifier).degradedBy.contains { $0.contains("by email") })
            #expect(try await told().contains("mailed to root, last on "))
            _ = try await world.command("report", "weekly", "--email", "daemon")
            let elsewhere = try await told()
            #expect(!elsewhere.contains("last on"), "nothing was sent to this one: \(elsewhere)")
            _ = try world.write("", to: "full")
            _ = try await world.command("report", "weekly", "--now")
            try await world.eventually("a third one waits") { try await told().contains(failure) }
            let off = try await world.command("report", "weekly", "--no-email")
            #expect(off.status == 0 && off.errors.contains("1 report that was not sent"), "\(off)")
            let none = try await world.command("report", "weekly", "--no-email")
            #expect(none.status == 0 && !none.errors.contains("not sent"), "nothing waits: \(none)")
        }
    }

    /// What stands for the machine's sendmail refuses all mail while the file `full` is there. A mail that it
    /// refused waits for a line of the gate.
    /// - Returns: the gate, which is closed by the caller.
    @LoopActor private static func takeMailThroughGate(_ world: World) throws -> Int32 {
        let program = try world.write(
            """
            #!/bin/sh
            cd '\(world.directory)'
            id=$(grep '^Message-ID:')
            if [ -f full ]; then echo "$id" >>refused; echo mailbox is full >&2; exit 75; fi
            if grep -qxF "$id" refused; then echo again >>again; read line <gate; fi
            """, to: "sendmail")
        #expect(chmod(program, 0o700) == 0)
        world.environment["SCREENTIME_SENDMAIL"] = program
        #expect(mkfifo(world.directory + "/gate", 0o600) == 0)
        // Open for both directions, no end waits for the other one.
        return open(world.directory + "/gate", O_RDWR | O_CLOEXEC)
    }

    /// It was due before anybody wanted a mail.
    @Test func whatWaitsLeavesByAChannelThatComesLater() async throws {
        try await World.with(["auth-service", "activity-center", "report-service"]) { world in
            try Self.takeMail(world)
            try await world.start("notifier")
            _ = try await world.command("report", "weekly", "--now")
            let waiting = try await Self.list(world)
            #expect(waiting.map(\.title) == ["Weekly report"])
            _ = try await world.command("report", "weekly", "--email", "root")
            try await world.eventually("the mail") {
                world.readText(world.directory + "/mail").hasSuffix("\n")
            }
        }
    }

    /// What names a forgotten app is not sent any more.
    @Test func aForgottenAppLeavesWithNoReport() async throws {
        let services = [
            "auth-service", "activity-center", "report-service", "monitor-runner", "shield-service",
        ]
        try await World.with(services, clock: "2026-03-16T08:00:00Z") { world in
            let program = try world.write("#!/bin/sh\necho mailbox is full >&2\nexit 75\n", to: "sendmail")
            #expect(chmod(program, 0o700) == 0)
            world.environment["SCREENTIME_SENDMAIL"] = program
            try await world.use("editor", for: .seconds(90 * 60))
            try await world.clock.advance(.days(1))
            try await world.start("notifier")
            _ = try await world.command("report", "weekly", "--email", "root", "--now")
            try await world.eventually("the failure") {
                try await world.command("report", "weekly").output.contains(
                    "1 not sent: sendmail ended with 75: mailbox is full; tried again on")
            }
            let forgotten = try await world.command("forget", "--app", "editor", "--yes")
            #expect(forgotten.status == 0, "\(forgotten)")
            let channels = try await world.call(ChannelList.self, Nothing()).channels
            #expect(channels.map(\.waiting) == [0])
            #expect(try await Self.list(world) == [], "the notification named it, too")
            #expect(try StoreTables(world, .notifier).tables(with: ["editor"]) == [])
        }
    }

    /// What stands for the machine's sendmail keeps its arguments and the mail.
    @LoopActor private static func takeMail(_ world: World) throws {
        let program = try world.write(
            "#!/bin/sh\ncd '\(world.directory)'\nprintf '%s\\n' \"$@\" >words\ncat >mail\n", to: "sendmail")
        #expect(chmod(program, 0o700) == 0)
        world.environment["SCREENTIME_SENDMAIL"] = program
    }

    /// Prints its port, then of each post what it was. It sends the first one elsewhere, answers the second
    /// with an error, and the third with more than anybody reads.
    private static let hook = """
        import base64, hashlib, hmac, http.server, json, sys
        class Hook(http.server.BaseHTTPRequestHandler):
            count, key = 0, base64.b64decode(sys.argv[1].removeprefix("whsec_"))
            def log_message(self, *words): pass
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                names = ["webhook-id", "webhook-timestamp"]
                signed = b".".join([self.headers[name].encode() for name in names] + [body])
                digest = hmac.new(Hook.key, signed, hashlib.sha256).digest()
                wanted = "v1," + base64.b64encode(digest).decode()
                Hook.count += 1
                status = {1: 302, 2: 500}.get(Hook.count, 200)
                told = json.loads(body)
                print(json.dumps({
                    "id": self.headers["webhook-id"], "signed": wanted == self.headers["webhook-signature"],
                    "path": self.path, "status": status, **told}), flush=True)
                self.send_response(status)
                if status == 302: self.send_header("Location", "/elsewhere")
                self.end_headers()
                try:
                    if status == 200: self.wfile.write(bytes(10_000_000))
                except OSError: pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Hook)
        print(server.server_port, flush=True)
        server.serve_forever()
        """

    /// It would read from its own notification what it was not approved for.
    @Test func noAppGetsOne() async throws {
        try await World.with(["auth-service", "notifier"]) { world in
            try await world.approve("org.example.app", try world.record(.auth))
            let error = await #expect(throws: ServiceError.self) {
                try await world.call(
                    NotificationPost.self, WeeklyReport.posting(member: nil), client: "org.example.app")
            }
            #expect(error?.name == .accessDenied)
        }
    }

    /// A click on it: the agent of the desktop opens the reports.
    @Test(.enabled(if: isX11Here, "needs xvfb, openbox, xterm and xdotool"))
    func aClickOpensTheReports() async throws {
        try await World.withDesktop(
            ["auth-service", "activity-center", "shield-service", "report-service"]
        ) { world in
            let browser = try await world.startConsole()
            let told = world.directory + "/told"
            let program = try world.write("#!/bin/sh\nprintf %s \"$1\" >'\(told)'\n", to: "xdg-open")
            #expect(chmod(program, 0o700) == 0)
            world.environment["PATH"] = "\(world.directory):/usr/bin:/bin"
            try await world.process("desktop-agent").destroy()
            try await world.start("desktop-agent")
            try await world.startSessionBus()
            try world.startDunst()
            try await world.start("notifier")
            let events = try world.record(.notifier)
            _ = try await world.command("report", "weekly", "--now")
            let shown = try await events.first(NotificationDelivered.self).notification
            #expect(shown.title == "Last 7 days: no use measured")
            let answer = try await world.command("notifications", "answer", shown.identifier, "default")
            #expect(answer.status == 0, "\(answer)")
            try await world.eventually("the browser") { !world.readText(told).isEmpty }
            #expect(world.readText(told).hasPrefix("http://127.0.0.1:\(browser.port)/sign-in?to=/reports#"))
            let agent = try RequestClient(
                toNamed: AgentName.desktopAgent, in: world.runtime, tracer: world.tracer)
            defer { agent.close() }
            let long = "/" + String(repeating: "a", count: 33)
            let wrong = ["", "reports", "/", "/--print", "/reports/../x", long]
            for page in wrong {
                let error = await #expect(throws: ServiceError.self, "\(page)") {
                    try await agent.call(
                        PageOpen.self, PageOpen.Params(page: page), options: CallOptions(deadline: 30_000))
                }
                #expect(error?.name == .invalidParams)
            }
        }
    }
}
