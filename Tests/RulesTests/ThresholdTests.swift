import Contract
import Rules
import Testing

struct ThresholdTests {
    static let catalogue = Catalogue(
        appCategories: ["game": "games", "chess": "games", "firefox": "productivity"],
        domainCategories: ["play.test": "games", "read.test": "reading"], browsers: ["firefox"])

    static func set(_ ranges: (Int64, Int64)...) -> IntervalSet {
        IntervalSet(ranges.compactMap { TimeRange(start_ms: $0.0, end_ms: $0.1) })
    }

    static func question(
        _ event: EventRule, registered_ms: Int64 = 0, warning_ms: Int64? = nil, now_ms: Int64 = 1000
    ) throws -> ThresholdQuestion {
        let occurrence = try #require(TimeRange(start_ms: 0, end_ms: 1000))
        return ThresholdQuestion(
            event: event, occurrence: occurrence, registered_ms: registered_ms, warning_ms: warning_ms,
            now_ms: now_ms)
    }

    @Test func theCrossingIsTheFirstMillisecondWithTheTotal() throws {
        let use = [DeviceUse(device: "d", uses: [.app("game"): Self.set((10, 40), (100, 200))])]
        func crossing(_ threshold_ms: Int64) throws -> Int64? {
            let event = EventRule(applications: ["game"], threshold_ms: threshold_ms)
            return try Self.question(event).answer(use).crossing_ms
        }
        #expect(try crossing(1) == 11)
        #expect(try crossing(30) == 40)
        #expect(try crossing(31) == 101)
        #expect(try crossing(130) == 200)
        #expect(try crossing(131) == nil)
    }

    @Test func countingStartsAtRegistrationUnlessThePastIsIncluded() throws {
        let use = [DeviceUse(device: "d", uses: [.app("game"): Self.set((10, 40), (100, 200))])]
        var event = EventRule(applications: ["game"], threshold_ms: 40)
        let late = try Self.question(event, registered_ms: 30).answer(use)
        #expect(late.countedFrom_ms == 30)
        #expect(late.total_ms == 110)
        #expect(late.crossing_ms == 130)
        event.includesPastActivity = true
        let past = try Self.question(event, registered_ms: 150).answer(use)
        #expect(past.total_ms == 130)
        #expect(past.crossing_ms == 110)
    }

    @Test func theNextCrossingIsKnownWhileUseRuns() throws {
        let use = [DeviceUse(device: "d", uses: [.app("game"): Self.set((10, 40))])]
        let event = EventRule(applications: ["game"], threshold_ms: 50)
        let question = try Self.question(event, warning_ms: 5, now_ms: 70)
        let idle = question.answer(use)
        #expect(idle.nextCrossing_ms == nil && idle.nextWarning_ms == nil && idle.total_ms == 30)
        let running = question.answer(use, running: ["d": [RunningUse(.app("game"), start_ms: 60)]])
        #expect(running.total_ms == 40)
        #expect(running.nextWarning_ms == 75)
        #expect(running.nextCrossing_ms == 80)
        #expect(running.crossing_ms == nil && running.warning_ms == nil)
        let onAnother = question.answer(use, running: ["e": [RunningUse(.app("game"), start_ms: 20)]])
        #expect(onAnother.total_ms == 60, "united over devices")
        #expect(onAnother.crossing_ms == 60)
        #expect(onAnother.warning_ms == 55)
    }

    @Test func reachedExactlyAtTheEndStillCountsAndLaterNever() throws {
        let running = ["d": [RunningUse(.app("game"), start_ms: 0)]]
        let exact = EventRule(applications: ["game"], threshold_ms: 1000)
        #expect(try Self.question(exact, now_ms: 500).answer([], running: running).nextCrossing_ms == 1000)
        let more = EventRule(applications: ["game"], threshold_ms: 1001)
        #expect(try Self.question(more, now_ms: 500).answer([], running: running).nextCrossing_ms == nil)
        #expect(try Self.question(more, now_ms: 5000).answer([], running: running).total_ms == 1000)
    }

    @Test func aWarningLongerThanTheThresholdIsDueWhereCountingStarts() throws {
        let event = EventRule(applications: ["game"], threshold_ms: 30)
        let answer = try Self.question(event, registered_ms: 7, warning_ms: 60, now_ms: 20).answer([])
        #expect(answer.warning_ms == 7)
    }

    static let cases: [(EventRule, Int64)] = [
        (EventRule(applications: ["game"], categories: ["games"], threshold_ms: 1), 100 + 50),
        (EventRule(applications: ["game", "chess"], threshold_ms: 1), 100),
        (EventRule(applications: ["game", "firefox"], threshold_ms: 1), 60 + 200),
        (EventRule(applications: ["firefox"], webDomains: ["play.test"], threshold_ms: 1), 200),
        (EventRule(categories: ["productivity"], threshold_ms: 1), 100),
        (EventRule(categories: ["productivity", "reading"], threshold_ms: 1), 150),
        (EventRule(webDomains: ["play.test", "www.play.test"], threshold_ms: 1), 50),
        (EventRule(categories: ["games"], webDomains: ["play.test"], threshold_ms: 1), 150),
        (EventRule(webDomains: ["lay.test"], threshold_ms: 1), 0),
        (EventRule(threshold_ms: 1), 280),
    ]

    /// game 60 and chess 40 overlap by 20; firefox 200 with www.play.test for 50 and read.test for 50.
    @Test(arguments: cases) func whatCountsTwiceAndWhatOnce(event: EventRule, total_ms: Int64) throws {
        let use = DeviceUse(
            device: "d",
            uses: [
                .app("game"): Self.set((0, 60)), .app("chess"): Self.set((40, 80)),
                .app("firefox"): Self.set((100, 300)), .domain("www.play.test"): Self.set((100, 150)),
                .domain("read.test"): Self.set((150, 200)),
            ])
        #expect(try Self.question(event).answer([use], Self.catalogue).total_ms == total_ms)
    }

    @Test func thresholdsOfTheContractAreLengthsOfTime() throws {
        let definition = EventDefinition(
            name: "e", applications: ["a"],
            threshold: DateComponents(hour: 1, minute: 90, nanosecond: 2_999_999))
        let rule = try EventRule(definition)
        #expect(rule.threshold_ms == 9_000_002)
        #expect(rule.applications == ["a"] && !rule.includesPastActivity)
        for threshold in [
            DateComponents(), DateComponents(minute: 0), DateComponents(month: 1), DateComponents(hour: .max),
        ] {
            #expect(throws: EventRuleError.self) {
                try EventRule(EventDefinition(name: "e", threshold: threshold))
            }
        }
    }

    @Test func callbacksOfOneInstantHaveAnOrder() {
        #expect(
            CallbackName.allCases.shuffled().sorted() == [
                .eventWillReachThresholdWarning, .eventDidReachThreshold, .intervalWillEndWarning,
                .intervalDidEnd, .intervalWillStartWarning, .intervalDidStart,
            ])
    }
}
