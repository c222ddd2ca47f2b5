import Bus
import Contract
import JSON
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import ActivityCore
@testable import AuthCore
@testable import ServiceKit
@testable import ShieldCore

/// Exceptions of shield-service: what an approved request opens, and when it ends.
@Suite(.serialized) @LoopActor struct ExceptionTests {
    private static let hour: Milliseconds = 3_600_000

    static func with(_ body: @LoopActor (Home) async throws -> Void) async throws {
        let home = try Home()
        defer { home.close() }
        try await body(home)
    }

    @Test func itOpensTheAppUntilItsLastMillisecond() async throws {
        try await Self.with { home in
            try await home.shieldApps(["chess", "go"])
            try await home.approve(minutes: 15)
            #expect(try await home.judge(["chess", "go"]) == ["-", "go"])
            home.pass(.minutes(15) - 1)
            #expect(try await home.judge(["chess"]) == ["-"])
            home.pass(1)
            #expect(try await home.judge(["chess"]) == ["chess"])
            #expect(
                try await home.told() == [
                    "applied chess", "applied go", "began r1", "lifted chess", "ended r1 timeIsOver",
                    "applied chess",
                ])
            #expect(try home.core.service.database.integer("SELECT count(*) FROM exception") == 0)
        }
    }

    @Test func whatStoresWriteMeanwhileIsMaskedAndAppliesAtTheEnd() async throws {
        try await Self.with { home in
            try await home.approve(minutes: 15)
            try await home.shieldApps(["chess"])
            #expect(try await home.judge(["chess"]) == ["-"])
            try await home.shield(
                "shield.applicationCategories", ["policy": "specific", "categories": ["other"]])
            #expect(try await home.judge(["chess", "go"]) == ["-", "other"])
            home.pass(.minutes(15))
            #expect(try await home.judge(["chess"]) == ["chess"])
        }
    }

    @Test func aCategoryOpensItsAppsThatAStoreLists() async throws {
        try await Self.with { home in
            let activity = try ActivityCenter(try home.directory.configuration())
            try activity.start()
            defer { activity.service.close() }
            let runtime = try home.directory.configuration().runtime
            let catalog = try RequestClient(to: .activity, in: runtime, tracer: Tracer(service: "test"))
            defer { catalog.close() }
            try await home.shieldApps(["chess", "editor"])
            func set(_ app: String, _ category: String) async throws {
                let written = try await catalog.call(
                    CatalogSet.self, CatalogSet.Params(about: CatalogTarget(app: app), category: category))
                try await untilTurn("the category of \(app)") {
                    (home.core.service.followers[.activity]?.reached ?? 0) >= written.sequence
                        && !home.core.service.hasUncommitted
                }
            }
            try await set("chess", "games")
            try await set("editor", "productivity")
            try await home.approve("r1", .category, "games")
            #expect(try await home.judge(["chess", "editor"]) == ["-", "editor"])
            // An app that joins the category is opened, and one that leaves it is shielded again.
            try await set("editor", "games")
            try await set("chess", "social")
            #expect(try await home.judge(["chess", "editor"]) == ["chess", "-"])
            #expect(
                try await home.told() == [
                    "applied chess", "applied editor", "began r1", "lifted chess", "lifted editor",
                    "applied chess",
                ])
        }
    }

    @Test func overlapsUniteAndDoNotAddUp() async throws {
        try await Self.with { home in
            try await home.shieldApps(["chess"])
            try await home.approve("r1", minutes: 15)
            home.pass(.minutes(10))
            try await home.approve("r2", minutes: 15)
            home.pass(.minutes(5))
            #expect(try await home.judge(["chess"]) == ["-"])
            home.pass(.minutes(10))
            #expect(try await home.judge(["chess"]) == ["chess"])
            #expect(
                try await home.told() == [
                    "applied chess", "began r1", "lifted chess", "began r2", "ended r1 timeIsOver",
                    "ended r2 timeIsOver", "applied chess",
                ])
        }
    }

    @Test func aJudgementSaysWhenTheNextOneEnds() async throws {
        try await Self.with { home in
            func untilEnd(of member: String? = nil) async throws -> Milliseconds? {
                try await home.client.call(ShieldJudge.self, ShieldJudge.Params(member: member))
                    .untilExceptionEnd
            }
            #expect(try await untilEnd() == nil)
            try await home.approve("r1", minutes: 30)
            try await home.approve("r2", .app, "go", minutes: 15)
            #expect(try await untilEnd() == .minutes(15))
            #expect(try await untilEnd(of: "anna") == nil)
            home.pass(.minutes(16))
            #expect(try await untilEnd() == .minutes(14))
        }
    }

    @Test func settingTheClockNeitherProlongsNorShortensMinutes() async throws {
        try await Self.with { home in
            try await home.shieldApps(["chess"])
            try await home.approve(minutes: 15)
            home.clock.now = home.clock.now + 5 * Self.hour
            home.core.exceptions.clock.clockWasSet()
            #expect(try await home.judge(["chess"]) == ["-"])
            home.clock.now = home.clock.now - 24 * Self.hour
            home.core.exceptions.clock.clockWasSet()
            home.pass(.minutes(15) - 1)
            #expect(try await home.judge(["chess"]) == ["-"])
            home.pass(1)
            #expect(try await home.judge(["chess"]) == ["chess"])
        }
    }

    @Test func theRestOfTheDayEndsByTrustedTime() async throws {
        try await Self.with { home in
            try await home.shieldApps(["chess"])
            let end = home.clock.now + 2 * Self.hour
            try await home.approve(minutes: nil, end: end)
            try await home.startJudging()
            let judge = try #require(home.judge)
            // Also before it is judged.
            judge.held = 3 * Self.hour
            home.clock.now = home.clock.now + 3 * Self.hour
            home.core.exceptions.clock.clockWasSet()
            #expect(try await home.judge(["chess"]) == ["-"])
            try judge.judge(3 * Self.hour)
            try await untilTurn("the judgement") {
                home.core.exceptions.clock.isJudged && !home.core.service.hasUncommitted
                    && home.core.service.followers[.activity]?.reached == judge.service.head
            }
            #expect(try await home.judge(["chess"]) == ["-"])
            // The judgement is kept.
            try home.restart()
            home.pass(2 * Self.hour - 1)
            #expect(try await home.judge(["chess"]) == ["-"])
            home.pass(1)
            #expect(try await home.judge(["chess"]) == ["chess"])
        }
    }

    @Test func afterARebootMinutesEndByTheClock() async throws {
        try await Self.with { home in
            try await home.shieldApps(["chess"])
            try await home.approve(minutes: 15)
            (home.boot, home.elapsed) = ("boot-b", 5_000)
            home.clock.now = home.clock.now + .minutes(10)
            try home.restart()
            try await home.startJudging()
            #expect(try await home.judge(["chess"]) == ["-"])
            home.pass(.minutes(5))
            #expect(try await home.judge(["chess"]) == ["chess"])
        }
    }

    /// The clock was set while no service ran. activity-center finds that out; before it has, what only the
    /// clock could end goes on.
    @Test(arguments: [nil, 15] as [Int64?]) func aStepWhileTheServicesWereStoppedEndsNothing(
        minutes: Int64?
    ) async throws {
        try await Self.with { home in
            try await home.shieldApps(["chess"])
            try await home.approve(minutes: minutes, end: home.clock.now + .minutes(minutes ?? 120))
            home.core.service.close()
            home.clock.now = home.clock.now + .hours(24)
            // Within the boot its clock decides about minutes.
            if minutes != nil { home.boot = "boot-b" }
            try home.restart()
            #expect(try await home.judge(["chess"]) == ["-"])
            try await home.startJudging(held: .hours(24))
            #expect(try await home.judge(["chess"]) == ["-"])
            home.pass(.minutes(minutes ?? 120) - 1)
            #expect(try await home.judge(["chess"]) == ["-"])
            home.pass(1)
            #expect(try await home.judge(["chess"]) == ["chess"])
        }
    }

    @Test func oneThatEndedWhileTheServiceWasStoppedEndsAtItsStart() async throws {
        try await Self.with { home in
            try await home.shieldApps(["chess"])
            try await home.approve(minutes: 15)
            home.core.service.close()
            home.pass(.minutes(20))
            try home.restart()
            #expect(try await home.judge(["chess"]) == ["chess"])
            let ended = try await home.client.call(EventsRead.self, EventsRead.Params(after: 0)).events
                .map { try AnyEvent.decode($0.bytes) }.first { $0.head.type == ExceptionEnded.type }
            let told = try ExceptionEnded.decode(try #require(ended?.data).bytes).exception
            #expect(told.end == told.began + .minutes(15))
        }
    }

    @Test func theSameDecisionBeginsItOnceAlsoAfterAPersonEndedIt() async throws {
        try await Self.with { home in
            try await home.shieldApps(["chess"])
            try await home.approve("r1")
            try await home.approve("r1")
            _ = try await home.client.call(ExceptionEnd.self, ExceptionEnd.Params(id: "r1"))
            _ = try await home.client.call(ExceptionEnd.self, ExceptionEnd.Params(id: "r1"))
            try await home.approve("r1")
            try home.restart()
            try await home.approve("r1")
            #expect(try await home.judge(["chess"]) == ["chess"])
            #expect(
                try await home.told() == [
                    "applied chess", "began r1", "lifted chess", "ended r1 person", "applied chess",
                ])
            #expect(try await home.client.call(ExceptionList.self, ExceptionList.Params()).exceptions == [])
            await #expect(throws: ServiceError.self) {
                try await home.client.call(ExceptionEnd.self, ExceptionEnd.Params(id: "r9"))
            }
            // The row is kept until the end of what was granted, and no longer.
            home.pass(2 * Self.hour)
            #expect(try home.core.service.database.integer("SELECT count(*) FROM exception") == 0)
        }
    }

    @Test func aDecisionThatIsOverWhenItArrivesOpensNothing() async throws {
        try await Self.with { home in
            try await home.startJudging()
            try await home.shieldApps(["chess"])
            let decided = home.clock.now
            home.pass(Self.hour)
            try await home.publish(
                RequestDecided(
                    request: TimeRequest(
                        id: "r1", member: Household.defaultMember, subject: "chess", minutes: 15,
                        state: .approved, decided: decided, decider: .member, granted: 15,
                        end: decided + .minutes(15))))
            try await home.publish(
                RequestDecided(
                    request: TimeRequest(
                        id: "r2", member: Household.defaultMember, subject: "chess", state: .denied)))
            #expect(try await home.told() == ["applied chess"])
        }
    }

    @Test func aRemovedMembersExceptionsEnd() async throws {
        try await Self.with { home in
            try await home.publish(MemberChanged(member: Member(id: "member-kim", name: "kim")))
            try await home.approve(member: "member-kim")
            try await home.publish(
                MemberChanged(member: Member(id: "member-kim", name: "kim"), removed: true))
            #expect(try await home.told() == ["began r1", "ended r1 memberRemoved"])
            #expect(try home.core.service.database.integer("SELECT count(*) FROM exception") == 0)
        }
    }

    /// Each of many category shields would repeat the name of each open app.
    @Test func exceptionsMakeTheListOfShieldsNoLonger() async throws {
        try await Self.with { home in
            func list() async throws -> [EffectiveShield] {
                try await home.client.call(ShieldList.self, ShieldList.Params()).shields
            }
            try await home.shield(
                "shield.applicationCategories", ["policy": "specific", "categories": ["games", "social"]])
            try await home.shield("shield.applicationCategories", ["policy": "all"], in: "all")
            let before = try await list()
            try await home.approve("r1", .app, "chess")
            #expect(try await list() == before)
            try await home.approve("r2", .category, "games")
            #expect(try await list() == before.filter { $0.subject != "games" })
        }
    }

    @Test func explainNamesTheExceptionAndWhatComesAfterIt() async throws {
        try await Self.with { home in
            try await home.shieldApps(["chess"])
            try await home.approve(minutes: 15)
            let said = try await home.client.call(
                ShieldExplain.self, ShieldExplain.Params(subject: "chess"))
            #expect(!said.shielded)
            let end = UTCTime.text((home.clock.now + .minutes(15)).secondNotBefore)
            #expect(
                said.explanation.first
                    == "'chess' is not shielded until \(end): a guardian "
                    + "approved more time (request r1). Then it is shielded again by 'test' of "
                    + "org.screentime.limits.")
        }
    }

    /// An end that cannot be stored is an end nevertheless, and is stored later.
    @Test func anEndThatCannotBeStoredIsRepeated() async throws {
        try await Self.with { home in
            try await home.shieldApps(["chess"])
            try await home.approve(minutes: 15)
            let faults = CommitFaults(home.core.service.database)
            faults.failsCommit = { true }
            home.pass(.minutes(15))
            try await untilTurn("a failed commit") { faults.failures > 0 }
            @LoopActor func rows() throws -> Int64 {
                try home.core.service.database.integer("SELECT count(*) FROM exception")
            }
            #expect(try await home.judge(["chess"]) == ["chess"])
            let said = try await home.client.call(
                ShieldExplain.self, ShieldExplain.Params(subject: "chess"))
            #expect(said.shielded)
            #expect(try await home.client.call(ExceptionList.self, ExceptionList.Params()).exceptions.isEmpty)
            #expect(try rows() == 1)
            let judged = try await home.client.call(ShieldJudge.self, ShieldJudge.Params())
            #expect(judged.untilExceptionEnd == nil)
            faults.failsCommit = { false }
            try await untilTurn("the end is stored") { try rows() == 0 && !home.core.service.hasUncommitted }
            #expect(try await home.judge(["chess"]) == ["chess"])
            #expect(
                try await home.told() == [
                    "applied chess", "began r1", "lifted chess", "ended r1 timeIsOver", "applied chess",
                ])
        }
    }

    /// A store that would leave no room for the shields after an exception is refused while it lasts.
    @Test func roomIsKeptForTheShieldsAfterIt() async throws {
        try await Self.with { home in
            try await home.approve("r1", .category, "all")
            try await home.shieldApps((0..<1_400).map { "app-\($0)" })
            let refusal = await #expect(throws: ServiceError.self) {
                try await home.shieldApps((1_400..<2_800).map { "app-\($0)" }, in: "other")
            }
            #expect(refusal?.message.contains("shieldBytesMax") == true, "\(String(describing: refusal))")
        }
    }

    /// auth-service dated the decision by a clock that was set; the boot clock says how much is left.
    @Test(arguments: [-72, 72]) func aDecisionDatedByAWrongClockLastsAsLong(hours: Int64) async throws {
        try await Self.with { home in
            try await home.shieldApps(["chess"])
            let right = home.clock.now
            home.clock.now = right + .hours(hours)
            let day = home.clock.now + .hours(2)
            var request = home.request("r1", minutes: nil, end: day)
            request.dayEnd = day
            home.clock.now = right
            try await home.startJudging()
            try await home.publish(RequestDecided(request: request))
            #expect(try await home.judge(["chess"]) == ["-"])
            home.pass(.hours(2) - 1)
            #expect(try await home.judge(["chess"]) == ["-"])
            home.pass(1)
            #expect(try await home.judge(["chess"]) == ["chess"])
        }
    }

    /// The request was made by the right clock, and decided by one that was set by a day.
    @Test(arguments: [-24, 24]) func theEndOfADayIsTheOneThatWasAskedFor(hours: Int64) async throws {
        try await Self.with { home in
            try await home.shieldApps(["chess"])
            try await home.startJudging()
            let right = home.clock.now
            var request = home.request("r1", minutes: nil, end: right + .hours(10))
            request.decided = right + .hours(hours)
            try await home.publish(RequestDecided(request: request))
            let open = try await home.client.call(ExceptionList.self, ExceptionList.Params()).exceptions
            #expect(open.map(\.end) == [right + .hours(10)])
            home.pass(.hours(10) - 1)
            #expect(try await home.judge(["chess"]) == ["-"])
            home.pass(1)
            #expect(try await home.judge(["chess"]) == ["chess"])
        }
    }

    @Test func aClientHearsOfNoRequest() async throws {
        try await Self.with { home in
            try await home.shieldApps(["chess"])
            try await home.approve("r1", .category, "all", reason: "homework")
            let state = home.core.repository.seen(by: nil)
            let told = Explanation(state, member: Household.defaultMember, isForPerson: false)
                .explain("chess", [:]).explanation
            #expect(told.first == "'chess' is not shielded now: it has an exception.")
        }
    }
}
