import Contract
import Loop
import Testing
import Units

@testable import DesktopCore

/// What is shown of a limit that will be reached, and how its time passes.
@Suite struct LimitWarningTests {
    static func callback(
        _ change: (inout ActivityCallback) -> Void = { _ in }
    ) -> ActivityCallback {
        var about = ActivityCallback()
        about.client = BuiltInClient.limits
        about.activity = "evening"
        about.event = "games"
        about.registration = 7
        about.total = 57_000
        about.threshold = 60_000
        about.definition = EventDefinition(name: "games", applications: ["chess"], message: "Tea.")
        change(&about)
        return about
    }

    @Test func timeRunsOnlyWhileItCounts() {
        var time = RunningTime(left: 3_000)
        #expect(time.left(at: 500) == 3_000 && !time.isRunning)
        time.run(true, at: 1_000)
        #expect(time.left(at: 1_400) == 2_600)
        time.run(true, at: 1_500)
        #expect(time.left(at: 2_000) == 2_000)
        time.run(false, at: 2_000)
        #expect(time.left(at: 90_000) == 2_000)
        time.run(true, at: 90_000)
        #expect(time.left(at: 99_000) == 0)
    }

    @Test func onlyLimitsOfThePersonAreAnnounced() throws {
        let warning = try #require(LimitWarning(Self.callback()))
        #expect(warning.time.left(at: 0) == 3_000 && warning.body == "Tea.")
        #expect(warning.title.isEmpty, "the name of an activity is for programs")
        #expect(LimitWarning(Self.callback { $0.client = "org.other" }) == nil)
        #expect(LimitWarning(Self.callback { $0.total = 60_000 }) == nil)
        #expect(LimitWarning(Self.callback { $0.threshold = nil }) == nil)
        #expect(LimitWarning(Self.callback { $0.definition = nil }) == nil)
    }

    @Test func anotherAgentGoesOnWithIt() throws {
        var shown = WarningShow.Params(key: "k", title: "Chess", body: "Tea.", secondsLeft: 2)
        #expect(LimitWarning(StandingWarning(warning: shown)) == nil, "nobody knows what it is about")
        shown.about = Self.callback()
        let warning = try #require(LimitWarning(StandingWarning(warning: shown)))
        #expect(warning.title == "Chess" && warning.time.left(at: 9) == 2_000 && warning.stands(at: 0))
        #expect(warning.key == Self.callback().warningKey && warning.counts("chess", category: nil))
        let dismissed = try #require(LimitWarning(StandingWarning(warning: shown, dismissed: true)))
        #expect(dismissed.isDismissed && !dismissed.stands(at: 0))
        var activity = MonitoredActivity(registration: 7, inInterval: true, intervalStart: 0)
        #expect(warning.isMonitored(in: [activity]) && !warning.isMonitored(in: []))
        activity.intervalStart = 86_400_000
        #expect(!warning.isMonitored(in: [activity]), "another day")
        activity = MonitoredActivity(registration: 8, inInterval: true, intervalStart: 0)
        #expect(!warning.isMonitored(in: [activity]), "registered again")
        #expect(warning.isReplaced(by: Self.callback { $0.registration = 8 }))
        #expect(!warning.isReplaced(by: Self.callback()))
    }

    @Test func aLaterRegistrationReplacesIt() throws {
        var warning = try #require(LimitWarning(Self.callback()))
        #expect(warning.isReplaced(by: Self.callback { $0.registration = 8 }))
        #expect(!warning.isReplaced(by: Self.callback()))
        #expect(!warning.isReplaced(by: Self.callback { ($0.registration, $0.activity) = (8, "morning") }))
        #expect(warning.stands(at: 0), "it stands still at first")
        warning.time.run(true, at: 0)
        #expect(warning.stands(at: 2_999) && !warning.stands(at: 3_000))
        warning.isDismissed = true
        #expect(!warning.stands(at: 0))
    }

    @Test @LoopActor func theAgeOfAnEventIsRoundedUp() {
        let now: Instant = 1_790_000_000_000
        func age(_ ago: Milliseconds) -> Milliseconds? {
            LimitWarnings.age(of: UTCTime.text(now - ago), at: now)
        }
        #expect(age(0) == 0 && age(1) == 1_000 && age(1_000) == 1_000 && age(3_200) == 4_000)
        #expect(age(4_001) == nil && age(90_000) == nil && age(-500) == 0)
    }

    @Test func theCallbacksOfOneEventHaveOneKey() throws {
        let warning = try #require(LimitWarning(Self.callback()))
        #expect(warning.key == Self.callback { $0.total = 60_000 }.warningKey)
        #expect(warning.key != Self.callback { $0.event = "news" }.warningKey)
        #expect(warning.key != Self.callback { $0.registration = 8 }.warningKey)
        #expect(warning.isOf(Self.callback { $0.event = nil }))
        #expect(!warning.isOf(Self.callback { $0.activity = "morning" }))
        #expect(!warning.isOf(Self.callback { $0.client = "org.other" }))
        let long = Self.callback { $0.activity = String(repeating: "가", count: 200) }
        #expect((1...256).contains(long.warningKey.utf8.count))
    }

    @Test func useCountsAsTheEventSays() throws {
        func counts(_ event: EventDefinition, _ app: String, _ category: String?) -> Bool {
            LimitWarning(Self.callback { $0.definition = event })?.counts(app, category: category) ?? false
        }
        let apps = EventDefinition(applications: ["chess"])
        #expect(counts(apps, "chess", nil) && !counts(apps, "mail", "games"))
        var games = EventDefinition(categories: ["games"])
        #expect(counts(games, "chess", "games") && !counts(games, "mail", "work"))
        #expect(!counts(games, "chess", nil))
        games.except = EventExceptions(applications: ["chess"])
        #expect(!counts(games, "chess", "games") && counts(games, "go", "games"))
        games.applications = ["chess"]
        #expect(counts(games, "chess", "games"), "what an event names itself counts")
        var all = EventDefinition()
        #expect(counts(all, "mail", nil))
        all.except = EventExceptions(categories: ["work"])
        #expect(!counts(all, "mail", "work") && counts(all, "chess", "games"))
        #expect(!counts(EventDefinition(webDomains: ["news.org"]), "mail", nil))
    }
}
