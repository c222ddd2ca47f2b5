import Contract
import Testing

@testable import LimitsCore

@Suite struct PlanTests {
    private static let targets = [
        LimitTarget.total, LimitTarget(.app, "org.example.Game"), LimitTarget(.app, "exe:/opt/a b/c"),
        LimitTarget(.domain, "example.org"), LimitTarget(.category, "developer tools"),
    ]

    private static func chance(_ seed: UInt64) -> some RandomNumberGenerator { Steps(state: seed) }

    private struct Steps: RandomNumberGenerator {
        var state: UInt64

        /// SplitMix64.
        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }

    private static func days(_ chance: inout some RandomNumberGenerator) -> Set<Int64> {
        if Bool.random(using: &chance) { return Weekdays.all }
        let some = Weekdays.all.filter { _ in Bool.random(using: &chance) }
        return some.isEmpty ? [1] : some
    }

    private static func plan(_ seed: UInt64) throws -> LimitPlan {
        var chance = chance(seed)
        var plan = LimitPlan(dayStart: Int64.random(in: 0..<1_440, using: &chance))
        for target in targets where Bool.random(using: &chance) {
            for _ in 0..<Int.random(in: 1...3, using: &chance) {
                let limit = DailyLimit(
                    seconds: Int64.random(in: 1...86_400, using: &chance),
                    warnSeconds: Bool.random(using: &chance) ? 300 : nil,
                    message: Bool.random(using: &chance) ? "약속 <b>&" : nil)
                plan.set(limit, target, days(&chance))
            }
        }
        for target in targets where Bool.random(using: &chance) {
            // Together they are at most a day.
            let count = Int64.random(in: 1...4, using: &chance)
            let windows = (0..<count).map { _ in
                let start = Int64.random(in: 0..<1_440, using: &chance)
                let length = Int64.random(in: 1..<1_440 / count, using: &chance)
                return TimeWindow(start: start, end: (start + length) % 1_440)
            }
            plan.set(try TimeWindow.merged(windows), target, days(&chance))
        }
        for mark in Marks.Mark.allCases {
            plan.marks[mark] = Set(targets.filter { _ in Bool.random(using: &chance) })
                .subtracting([.total])
        }
        return plan
    }

    @Test(arguments: (0..<300).map { UInt64($0) })
    func aPlanIsReadBackFromWhatItRegisters(seed: UInt64) throws {
        let plan = try Self.plan(seed)
        let again = LimitPlan(
            plan.activities, marks: Marks(plan.marks.settings), dayStart: plan.dayStart)
        #expect(again == plan, "seed \(seed)")
        #expect(Set(plan.activities.map(\.name)).count == plan.activities.count, "seed \(seed)")
    }

    @Test func namesThatSomebodyElseGaveAreNoneOfOurs() {
        for name in [
            "daily", "limit", "limit daily", "limit someday total", "limit daily app", "hours mon total",
            "hours mon 7-8 total", "limit daily total x", "limits daily total", "",
        ] {
            #expect(PlanName(name) == nil, "\(name)")
        }
        #expect(PlanName("limit mon app a b")?.target == LimitTarget(.app, "a b"))
    }

    @Test func everyDayAlikeIsOneActivityAndOthersAreOneForEachDay() throws {
        var plan = LimitPlan(dayStart: 240)
        let game = LimitTarget(.app, "game")
        plan.set(DailyLimit(seconds: 60, warnSeconds: 5), game, try Weekdays.parse("mon-fri"))
        let names = ["fri", "mon", "thu", "tue", "wed"].map { "limit \($0) app game" }
        #expect(plan.activities.map(\.name) == names)
        let friday = plan.activities[0].schedule
        #expect(friday.intervalStart == DateComponents(hour: 4, minute: 0, weekday: 6))
        #expect(friday.intervalEnd == DateComponents(hour: 4, minute: 0, weekday: 7))
        plan.set(DailyLimit(seconds: 60, warnSeconds: 5), game, try Weekdays.parse("sat,sun"))
        #expect(plan.activities.map(\.name) == ["limit daily app game"])
        #expect(plan.activities[0].schedule.warningTime == DateComponents(second: 5))
        #expect(plan.activities[0].events?.first?.includesPastActivity == true)
    }

    /// Else the next change of another limit would cover what was used since the new start.
    @Test func aChangedDayStartHoldsForWhatIsSetOrRenewedSince() {
        let (game, music) = (LimitTarget(.app, "game"), LimitTarget(.app, "music"))
        var before = LimitPlan(dayStart: 900)
        for target in [game, music] { before.set(DailyLimit(seconds: 60), target, [2, 3]) }
        var plan = LimitPlan(before.activities, dayStart: 0)
        func hours(_ plan: LimitPlan) -> [String: Int64?] {
            Dictionary(
                uniqueKeysWithValues: plan.activities.map { ($0.name, $0.schedule.intervalStart.hour) })
        }
        #expect(plan.activities == before.activities)
        plan.marks[.ignore] = [music]
        // One day of it changes: the other begins with the same day, so that neither overlaps the next.
        plan.set(DailyLimit(seconds: 30), music, [2])
        #expect(
            hours(plan) == [
                "limit mon app game": 15, "limit tue app game": 15, "limit mon app music": 0,
                "limit tue app music": 0,
            ])
        #expect(plan.dayStart(of: game) == 900 && plan.dayStart(of: music) == 0)
        plan.renewDays()
        #expect(hours(plan).values.allSatisfy { $0 == 0 })
        #expect(LimitPlan(plan.activities, marks: plan.marks, dayStart: 0) == plan)
    }

    /// A command that was killed between what comes and what goes leaves both.
    @Test func ofWhatABrokenCommandLeftTheSmallerCountsAndWindowsAreToldOnce() throws {
        let game = LimitTarget(.app, "game")
        for (daily, monday) in [(600, 300), (300, 600)] {
            var each = LimitPlan()
            each.set(DailyLimit(seconds: Int64(daily)), game, Weekdays.all)
            var one = LimitPlan()
            one.set(DailyLimit(seconds: Int64(monday)), game, [2])
            let left = each.activities + one.activities
            for registered in [left, left.reversed()] {
                let limits = LimitPlan(registered).limits[game]
                #expect(limits?[2]?.seconds == 300 && limits?[3]?.seconds == Int64(daily), "\(registered)")
                let today = LimitStatus.limit(
                    of: game, among: registered.map { MonitoredActivity(activity: $0, inInterval: true) })
                #expect(today?.activity.events?.first?.threshold.second == 300, "\(registered)")
            }
        }
        var hours = LimitPlan()
        hours.set([try TimeWindow("09:00-10:00")], game, Weekdays.all)
        var tuesday = LimitPlan()
        tuesday.set([try TimeWindow("09:00-10:00")], game, [3])
        let both = LimitPlan(hours.activities + tuesday.activities).hours[game]
        #expect(both?[3]?.map(\.text) == ["09:00-10:00"], "\(String(describing: both))")
    }

    @Test func whatDoesNotCountIsExceptedFromTheTotalAndFromCategories() {
        var plan = LimitPlan()
        plan.marks[.ignore] = [
            LimitTarget(.app, "music"), LimitTarget(.domain, "school.test"),
            LimitTarget(.category, "reading"),
        ]
        for target in [LimitTarget.total, LimitTarget(.category, "games"), LimitTarget(.app, "music")] {
            plan.set(DailyLimit(seconds: 60), target, Weekdays.all)
        }
        func except(_ name: String) -> EventExceptions? {
            plan.activities.first { $0.name == name }?.events?.first?.except
        }
        #expect(
            except("limit daily total")
                == EventExceptions(
                    applications: ["music"], categories: ["reading"], webDomains: ["school.test"]))
        #expect(
            except("limit daily category games")
                == EventExceptions(applications: ["music"], webDomains: ["school.test"]))
        #expect(except("limit daily app music") == nil, "it can still have a limit of its own")
    }
}
