import Contract
import Monitoring
import Rules
import Schedules
import Testing

/// The rules of schedules in Apple's API reference and docs/time.md, one after the other.
struct ScheduleRuleTests {
    typealias Time = DateComponents

    @Test func startAndEndComeAtTheirBoundariesWithTheirWarnings() throws {
        var scene = try Scene("2026-03-02T07:00")
        try scene.register(Time(hour: 8), Time(hour: 9), warning: Time(minute: 5))
        try scene.pass(until: "2026-03-02T12:00")
        #expect(
            scene.news() == [
                "03-02T07:55:00 intervalWillStartWarning a", "03-02T08:00:00 intervalDidStart a",
                "03-02T08:55:00 intervalWillEndWarning a", "03-02T09:00:00 intervalDidEnd a",
            ])
    }

    @Test func aWarningOfTheNextStartComesInsideTheIntervalBefore() throws {
        var scene = try Scene("2026-03-02T23:00")
        try scene.register(Time(hour: 0), Time(hour: 0), warning: Time(minute: 5))
        _ = scene.news()
        try scene.pass(until: "2026-03-03T00:30")
        #expect(
            scene.news() == [
                "03-02T23:55:00 intervalWillEndWarning a", "03-02T23:55:00 intervalWillStartWarning a",
                "03-03T00:00:00 intervalDidEnd a", "03-03T00:00:00 intervalDidStart a",
            ])
    }

    @Test func registeredInsideItStartsAtOnceAndBeforeAtItsStart() throws {
        var scene = try Scene("2026-03-02T08:30")
        try scene.register("in", Time(hour: 8), Time(hour: 9))
        try scene.register("out", Time(hour: 10), Time(hour: 11))
        #expect(scene.news() == ["03-02T08:00:00 intervalDidStart in"])
        try scene.pass(until: "2026-03-02T10:00")
        #expect(
            scene.news() == ["03-02T09:00:00 intervalDidEnd in", "03-02T10:00:00 intervalDidStart out"])
    }

    @Test func aWarningWhoseMomentHasPassedComesAtRegistration() throws {
        var scene = try Scene("2026-03-02T07:57")
        try scene.register(Time(hour: 8), Time(hour: 9), warning: Time(minute: 5))
        #expect(scene.news() == ["03-02T07:55:00 intervalWillStartWarning a"])
        try scene.pass(until: "2026-03-02T08:58")
        scene.stop()
        _ = scene.news()
        try scene.register("b", Time(hour: 8), Time(hour: 9), warning: Time(minute: 5))
        #expect(
            scene.news() == ["03-02T08:00:00 intervalDidStart b", "03-02T08:55:00 intervalWillEndWarning b"],
            "no warning of a start that has passed")
    }

    @Test func overMidnightOnWeekdaysAndOnce() throws {
        var scene = try Scene("2026-03-02T12:00")  // a Monday
        try scene.register("night", Time(hour: 22), Time(hour: 6), repeats: false)
        try scene.register("monday", Time(hour: 6, weekday: 2), Time(hour: 5, minute: 59))
        try scene.pass(until: "2026-03-10T00:00")
        #expect(
            scene.news() == [
                "03-02T06:00:00 intervalDidStart monday", "03-02T22:00:00 intervalDidStart night",
                "03-03T05:59:00 intervalDidEnd monday", "03-03T06:00:00 intervalDidEnd night",
                "03-09T06:00:00 intervalDidStart monday",
            ])
    }

    @Test func theSameNameStartsAgainAndNeverEnds() throws {
        var scene = try Scene("2026-03-02T08:30")
        try scene.register(Time(hour: 8), Time(hour: 9))
        try scene.register(Time(hour: 8), Time(hour: 10))
        #expect(
            scene.news() == ["03-02T08:00:00 intervalDidStart a", "03-02T08:00:00 intervalDidStart a"])
        try scene.register(Time(hour: 12), Time(hour: 13))
        try scene.pass(until: "2026-03-02T12:00")
        #expect(scene.news() == ["03-02T12:00:00 intervalDidStart a"])
    }

    /// Or a program that registers itself in that callback would never come to an end.
    @Test func whoWasToldAStartIsNotToldItAgainByRegisteringAnew() throws {
        var scene = try Scene("2026-03-02T08:30")
        try scene.register(Time(hour: 8), Time(hour: 9))
        let start = try #require(scene.told.first?.occurrence.start)
        _ = scene.news()
        try scene.register(Time(hour: 8), Time(hour: 10), events: [.minutes(5)], startTold: start)
        #expect(scene.news() == [])
        // Also after it was stopped in between; an interval that begins elsewhere is another one.
        scene.stop()
        try scene.register(Time(hour: 8), Time(hour: 9), startTold: start)
        #expect(scene.news() == ["03-02T08:30:00 intervalDidEnd a"])
        try scene.register(Time(hour: 7), Time(hour: 9), startTold: start)
        #expect(scene.news() == ["03-02T07:00:00 intervalDidStart a"])
        try scene.pass(until: "2026-03-02T09:00")
        #expect(scene.news() == ["03-02T09:00:00 intervalDidEnd a"])
    }

    @Test func stoppingEndsARunningIntervalOnly() throws {
        var scene = try Scene("2026-03-02T08:30")
        try scene.register("in", Time(hour: 8), Time(hour: 9))
        try scene.register("out", Time(hour: 10), Time(hour: 11))
        _ = scene.news()
        scene.stop("in")
        scene.stop("out")
        scene.stop("unknown")
        #expect(scene.news() == ["03-02T08:30:00 intervalDidEnd in"])
        try scene.pass(until: "2026-03-03T12:00")
        #expect(scene.news() == [])
        #expect(scene.rules.nextDue == nil)
    }

    @Test func whatFellDueWhileNobodyLooked() throws {
        var scene = try Scene("2026-03-02T08:30")
        try scene.register("short", Time(hour: 8), Time(hour: 9), warning: Time(minute: 5))
        try scene.register("long", Time(hour: 10), Time(hour: 12), warning: Time(minute: 5))
        _ = scene.news()
        try scene.jump(to: "2026-03-04T10:30")
        try scene.settle()
        #expect(
            scene.news() == [
                "03-02T09:00:00 intervalDidEnd short late", "03-04T10:00:00 intervalDidStart long late",
            ], "an occurrence wholly missed is not told")
    }

    @Test func callbacksOfOneInstantComeInTheDesignsOrder() throws {
        var scene = try Scene("2026-03-02T08:00")
        try scene.register(
            "b", Time(hour: 8), Time(hour: 9), warning: Time(minute: 0),
            events: [.minutes(60, "y"), .minutes(60, "x")])
        try scene.register("a", Time(hour: 9), Time(hour: 10), warning: Time(minute: 0))
        try scene.register("c", Time(hour: 8), Time(hour: 9))
        try scene.use("game")
        _ = scene.news()
        try scene.pass(until: "2026-03-02T09:00")
        #expect(
            scene.news().map { $0.dropFirst(15) } == [
                "eventWillReachThresholdWarning b/x", "eventWillReachThresholdWarning b/y",
                "eventDidReachThreshold b/x", "eventDidReachThreshold b/y", "intervalWillEndWarning b",
                "intervalDidEnd b", "intervalDidEnd c", "intervalWillStartWarning a", "intervalDidStart a",
            ])
    }

    @Test func aStartAndAnEndMayWaitForUse() throws {
        var scene = try Scene("2026-03-02T07:00")
        try scene.register(
            Time(hour: 8), Time(hour: 9), warning: Time(minute: 5), atFirstUse: true, events: [.minutes(10)])
        try scene.pass(until: "2026-03-02T08:20")
        #expect(scene.news() == ["03-02T07:55:00 intervalWillStartWarning a"])
        try scene.use("game")
        try scene.pass(until: "2026-03-02T08:35")
        try scene.use(nil)
        try scene.pass(until: "2026-03-02T09:30")
        #expect(
            scene.news() == [
                "03-02T08:20:00 intervalDidStart a", "03-02T08:25:00 eventWillReachThresholdWarning a/e",
                "03-02T08:30:00 eventDidReachThreshold a/e", "03-02T08:55:00 intervalWillEndWarning a",
            ])
        try scene.use("chess")
        try scene.pass(until: "2026-03-02T09:31")
        #expect(scene.news() == ["03-02T09:30:00 intervalDidEnd a"])
        try scene.use(nil)
        try scene.pass(until: "2026-03-03T10:00")
        try scene.use("game")
        try scene.pass(until: "2026-03-03T11:00")
        #expect(
            scene.news() == ["03-03T07:55:00 intervalWillStartWarning a"], "never used: neither of them")
    }

    @Test func inUseAllTheTimeAWaitingActivityIsToldAtItsBoundaries() throws {
        var scene = try Scene("2026-03-02T07:00")
        try scene.register(Time(hour: 0), Time(hour: 0), atFirstUse: true)
        #expect(scene.news() == [])
        try scene.use("game")
        try scene.pass(until: "2026-03-03T12:00")
        #expect(
            scene.news() == [
                "03-02T07:00:00 intervalDidStart a", "03-03T00:00:00 intervalDidEnd a",
                "03-03T00:00:00 intervalDidStart a",
            ])
        scene.stop()
        #expect(scene.news() == ["03-03T12:00:00 intervalDidEnd a"])
    }

    // MARK: limits

    static func activity(_ name: String, _ start: Time, _ end: Time) -> ActivityDefinition {
        ActivityDefinition(
            name: name, schedule: Schedule(intervalStart: start, intervalEnd: end, repeats: true))
    }

    static let limits: [(ActivityDefinition, ErrorName?)] = [
        (activity("a", Time(hour: 8), Time(hour: 8, minute: 14)), .intervalTooShort),
        (activity("a", Time(hour: 8), Time(hour: 8, minute: 15)), nil),
        // 2026-03-29: 02:00 to 03:15 has fifteen minutes on the real clock, and nominally more.
        (activity("a", Time(day: 29, hour: 2), Time(day: 29, hour: 3, minute: 15)), nil),
        (activity("a", Time(hour: 8, weekday: 2), Time(hour: 8, weekday: 2)), nil),
        (activity("a", Time(day: 1), Time(day: 9)), .intervalTooLong),
        (activity("a", Time(year: 2020), Time(year: 2021)), .invalidDateComponents),
    ]

    @Test(arguments: limits) func applesLimits(activity: ActivityDefinition, name: ErrorName?) throws {
        let now = try Scene("2026-03-20T07:00").now
        let zone = try Zone("Europe/Berlin")
        func refusal(_ limits: AppleLimits) -> ErrorName? {
            do throws(ServiceError) {
                try ActivityCheck(zone: zone, now: now, limits: limits).check([activity])
                return nil
            } catch { return error.name }
        }
        #expect(refusal(.strict) == name)
        #expect(refusal(AppleLimits()) == (name == .invalidDateComponents ? name : nil))
    }

    @Test func twentyActivitiesAreTheMost() throws {
        let check = ActivityCheck(zone: try Zone("UTC"), now: 0, limits: .strict)
        try check.checkCount(of: Set((1...20).map { Scene.name("\($0)") }))
        let error = #expect(throws: ServiceError.self) {
            try check.checkCount(of: Set((1...21).map { Scene.name("\($0)") }))
        }
        #expect(error?.name == .excessiveActivities)
    }
}
