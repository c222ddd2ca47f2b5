import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing

/// The app that people ask for first, with all processes, by the virtual clock.
@Suite("limits") struct LimitsAppTests {
    static let services = [
        "auth-service", "activity-center", "shield-service", "monitor-runner", "notifier",
    ]
    private static let game = "org.example.Game"
    private static let docs = "org.example.Docs"

    @LoopActor private static func limits(
        _ world: World, _ words: String...
    ) async throws -> World.AppOutcome {
        let done = try await world.app("limits", words: words)
        #expect(done.status == 0, "\(words): \(done.errors)")
        return done
    }

    /// Title and body of all notifications.
    @LoopActor private static func said(_ world: World) async throws -> Set<String> {
        let all = try await world.call(NotificationList.self, NotificationList.Params()).notifications
        return Set(all.map { "\($0.title): \($0.body)" })
    }

    @Test func anExitCodeSaysWhoIsWrong() async throws {
        try await World.with(Self.services) { world in
            let unknown = try await world.app("limits", words: ["set", "org.nobody.Knows", "30m", "--app"])
            #expect(unknown.status == 1 && unknown.errors.contains("no app 'org.nobody.Knows'"))
            let words = try await world.app("limits", words: ["set", "not a domain", "30m", "--domain"])
            #expect(words.status == 64 && words.errors.contains("is not a domain"), "\(words.errors)")
            try await world.process("activity-center").destroy()
            let absent = try await world.app("limits", words: ["set", Self.game, "30m", "--app"])
            #expect(absent.status == 69 && absent.errors.contains("activity-center"), "\(absent.errors)")
        }
    }

    /// Triggered by hand, without a registered event: an event without subjects would shield everything.
    @Test func anEventThatNobodyRegisteredShutsNothing() async throws {
        try await World.with(Self.services, clock: "2026-03-02T09:00:00Z") { world in
            try await world.teach([Self.game: "games"])
            _ = try await Self.limits(world, "set", Self.game, "30m")
            for activity in ["limit daily app \(Self.game)", "typo"] {
                let run = try await world.screentime(
                    "extension", "run-once", "org.screentime.limits.monitor", "eventDidReachThreshold",
                    "--activity", activity, "--event", "limit")
                #expect(run.lines.contains { $0.contains("no event 'limit'") }, "\(run.lines)")
                #expect(try await world.shielded().isEmpty, "\(activity)")
            }
        }
    }

    @Test func aLimitWarnsShutsAndOpensAsItIsRaisedAndLowered() async throws {
        try await World.with(Self.services, clock: "2026-03-02T09:00:00Z") { world in
            try await world.teach([Self.game: "games", Self.docs: "productivity"])
            _ = try await Self.limits(
                world, "set", Self.game, "30m", "--warn", "5m", "--say", "약속했잖아 <b>&")
            try await world.use(Self.game, for: .minutes(26))
            #expect(try await Self.said(world) == ["Almost there: 약속했잖아 <b>&"])
            #expect(try await world.shielded().isEmpty)
            try await world.clock.advance(.seconds(1))
            try await world.use(Self.game, for: .minutes(5))
            #expect(
                try await Self.said(world) == ["Almost there: 약속했잖아 <b>&", "Time is up: 약속했잖아 <b>&"])
            #expect(try await world.shielded() == ["app \(Self.game) limit daily app \(Self.game)"])
            let shut = try await Self.limits(world, "list", "--json").json()[0]
            #expect(shut?["shut"] == true && shut?["usedSeconds"] == 1_860 && shut?["leftSeconds"] == 0)
            // Raised above the use: open at once. Lowered below it: shut at once.
            _ = try await Self.limits(world, "set", Self.game, "1h")
            try await world.clock.settle()
            #expect(try await world.shielded().isEmpty)
            let open = try await Self.limits(world, "list", "--json").json()[0]
            #expect(open?["shut"] == false && open?["leftSeconds"] == 1_740, "\(String(describing: open))")
            _ = try await Self.limits(world, "set", Self.game, "31m")
            try await world.clock.settle()
            #expect(try await world.shielded().count == 1)
            // The next day is a new one.
            try await world.clock.advance(to: "2026-03-03T00:00:01Z")
            #expect(try await world.shielded().isEmpty)
            _ = try await Self.limits(world, "remove", Self.game)
            #expect(try await Self.limits(world, "list").lines == ["No limits yet."])
        }
    }

    @Test func aWeekHasItsDaysAndTheTotalCountsWhatCounts() async throws {
        try await World.with(Self.services, clock: "2026-03-06T09:00:00Z") { world in
            try await world.teach([Self.game: "games", Self.docs: "productivity"])
            _ = try await Self.limits(world, "total", "1h", "--days", "mon-fri")
            _ = try await Self.limits(world, "set", "games", "20m", "--days", "sat,sun")
            _ = try await Self.limits(world, "set", "example.org", "10m")
            _ = try await Self.limits(world, "ignore", Self.docs)
            // Friday: uncounted apps continue; counted ones end with the hour.
            try await world.use(Self.docs, for: .minutes(90))
            #expect(try await world.shielded().isEmpty)
            try await world.clock.advance(.seconds(1))
            try await world.use(Self.game, for: .minutes(61))
            #expect(
                try await world.shielded() == [
                    "category all limit fri total", "domain_category all limit fri total",
                ])
            // A service that dies in between changes nothing.
            let runner = try world.process("monitor-runner")
            try await runner.destroy()
            try await world.start("monitor-runner")
            // Saturday: no total, the games have a limit.
            try await world.clock.advance(to: "2026-03-07T09:00:00Z")
            #expect(try await world.shielded().isEmpty)
            try await world.use(Self.game, for: .minutes(21))
            #expect(
                try await world.shielded() == [
                    "category games limit sat category games",
                    "domain_category games limit sat category games",
                ])
            try await world.clock.advance(to: "2026-03-09T09:00:00Z")
            #expect(try await world.shielded().isEmpty)
        }
    }

    @Test func inKoreanItSaysSo() async throws {
        let korean = ["LC_ALL": "", "LANG": "en_US.UTF-8", "LANGUAGE": "fr:ko"]
        try await World.with(Self.services, environment: korean, clock: "2026-03-02T09:00:00Z") { world in
            try await world.teach([Self.game: "games"])
            _ = try await Self.limits(world, "set", "games", "30m", "--category", "--warn", "5m")
            try await world.use(Self.game, for: .minutes(26))
            #expect(try await Self.said(world) == ["시간이 거의 다 됐습니다: 게임: 5분 남았습니다."])
            try await world.clock.advance(.seconds(1))
            try await world.use(Self.game, for: .minutes(5))
            #expect(
                try await Self.said(world) == [
                    "시간이 거의 다 됐습니다: 게임: 5분 남았습니다.",
                    "시간을 다 썼습니다: 게임: 오늘 사용할 수 있는 시간을 다 썼습니다.",
                ])
        }
    }

    /// Mondays until 8:00 and from 22:00 to midnight, Tuesdays from midnight to 1:00; no other day has hours.
    @Test func itSaysFiveMinutesBeforeThatItCloses() async throws {
        try await World.with(Self.services, clock: "2026-03-02T06:30:00Z") { world in
            try await world.teach([Self.game: "games"])
            _ = try await Self.limits(
                world, "hours", Self.game,
                "mon 07:00-08:00,08:10-08:14,22:00-24:00; tue 00:00-01:00,23:00-24:00")
            func heard(by instant: String) async throws -> Int {
                try await world.clock.advance(to: instant)
                return try await world.call(NotificationList.self, NotificationList.Params()).notifications
                    .count
            }
            #expect(try await heard(by: "2026-03-02T07:54:59Z") == 0)
            #expect(try await heard(by: "2026-03-02T07:55:01Z") == 1)
            #expect(try await Self.said(world) == ["Almost there: 5 minutes are left for Game."])
            // Too short to say it; then it stays open over midnight; after Tuesday nothing closes it.
            #expect(try await heard(by: "2026-03-03T00:54:59Z") == 1)
            #expect(try await heard(by: "2026-03-03T00:55:01Z") == 2)
            #expect(try await heard(by: "2026-03-04T12:00:00Z") == 2)
            _ = try await Self.limits(world, "allow", Self.game)
            #expect(try await heard(by: "2026-03-09T12:00:00Z") == 2, "it is always allowed")
        }
    }

    @Test func outsideOfItsHoursItIsShut() async throws {
        try await World.with(Self.services, clock: "2026-03-02T06:30:00Z") { world in
            try await world.teach([Self.game: "games"])
            _ = try await Self.limits(
                world, "hours", Self.game, "07:00-08:00,22:00-01:00", "--days", "mon")
            try await world.clock.settle()
            var seen: [String] = []
            for instant in [
                "2026-03-02T06:31:00Z", "2026-03-02T07:30:00Z", "2026-03-02T08:30:00Z",
                "2026-03-02T22:30:00Z", "2026-03-03T00:30:00Z", "2026-03-03T12:00:00Z",
                "2026-03-09T00:00:01Z",
            ] {
                try await world.clock.advance(to: instant)
                seen.append(try await world.shielded().isEmpty ? "open" : "shut")
            }
            #expect(seen == ["shut", "open", "shut", "open", "open", "open", "shut"])
            let why = try await Self.limits(world, "list", "--json").json()[0]?["why"]
            #expect(why == [.string("outside the hours of \(Self.game)")])
            _ = try await Self.limits(world, "remove", "hours", Self.game)
            try await world.clock.settle()
            #expect(try await world.shielded().isEmpty)
            _ = try await Self.limits(world, "hours", "games", "07:00-08:00", "--category")
            try await world.clock.settle()
            let listed = try await Self.limits(world, "list", "--json").json()[0]?["why"]
            #expect(listed == ["outside the hours of the category games"])
        }
    }

    @Test func aDayCanBeClosed() async throws {
        try await World.with(Self.services, clock: "2026-03-02T06:30:00Z") { world in
            try await world.teach([Self.game: "games"])
            let said = try await Self.limits(world, "hours", Self.game, "none", "--days", "mon")
            #expect(said.lines.joined().contains("closed"), "\(said.lines)")
            try await world.clock.settle()
            var seen: [String] = []
            for instant in ["2026-03-02T06:31:00Z", "2026-03-02T23:59:00Z", "2026-03-03T00:01:00Z"] {
                try await world.clock.advance(to: instant)
                seen.append(try await world.shielded().isEmpty ? "open" : "shut")
            }
            #expect(seen == ["shut", "shut", "open"])
            let listed = try await Self.limits(world, "list", "--json").json()[0]?["hours"]
            #expect(listed?[0]?["windows"] == .array([]), "\(String(describing: listed))")
            #expect(try await Self.limits(world, "list").lines.joined().contains("not allowed"))
        }
    }

    @Test func oneCommandSetsTheHoursOfSeveralDays() async throws {
        try await World.with(Self.services, clock: "2026-03-04T17:06:00Z") { world in
            try await world.teach([Self.game: "games"])
            _ = try await Self.limits(world, "hours", Self.game, "20:00-18:00")
            let said = try await Self.limits(
                world, "hours", Self.game, "tue 20:00-24:00; wed 00:00-18:30,20:00-24:00; thu any; sun none")
            #expect(said.lines.joined().contains("open at any time, thu; closed, sun."), "\(said.lines)")
            try await world.clock.settle()
            var seen = [try await world.shielded().isEmpty ? "open" : "shut"]
            for instant in [
                "2026-03-04T18:31:00Z", "2026-03-04T20:01:00Z", "2026-03-05T19:00:00Z",
                "2026-03-06T19:00:00Z", "2026-03-08T20:30:00Z",
            ] {
                try await world.clock.advance(to: instant)
                seen.append(try await world.shielded().isEmpty ? "open" : "shut")
            }
            #expect(seen == ["open", "shut", "open", "open", "shut", "shut"])
        }
    }

    @Test func aWrongWordIsRefusedWithWhatToDo() async throws {
        try await World.with(Self.services, clock: "2026-03-02T06:30:00Z") { world in
            try await world.teach([Self.game: "games"])
            let near = try await world.app("limits", words: ["set", "org.example.Gane", "30m"])
            #expect(near.status == 1, "\(near.errors)")
            #expect(near.errors.contains("Did you mean 'org.example.Game'"), "\(near.errors)")
            let category = try await world.app("limits", words: ["set", "gmaes", "30m"])
            #expect(category.errors.contains("'games'"), "\(category.errors)")
            for words in [
                ["set", Self.game, "soon"], ["set", Self.game, "30m", "--days", "someday"],
                ["hours", Self.game, "7-8"], ["hours", Self.game, "mon any", "--days", "tue"],
                ["hours", Self.game, "mon any; mon none"], ["set", Self.game, "5m", "--warn", "5m"],
                ["set", Self.game, "25h"],
            ] {
                let wrong = try await world.app("limits", words: words)
                #expect(wrong.status == 64, "\(words): \(wrong.errors)")
            }
            #expect(try await Self.limits(world, "list").lines == ["No limits yet."])
        }
    }
}
