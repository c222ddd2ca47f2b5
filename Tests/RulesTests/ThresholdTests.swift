import Contract
import Rules
import Testing
import Units

struct ThresholdTests {
    static let catalogue = Catalogue(
        appCategories: ["game": "games", "chess": "games", "firefox": "productivity"],
        domainCategories: ["play.test": "games", "read.test": "reading"], browsers: ["firefox"])

    static func set(_ ranges: (Instant, Instant)...) -> IntervalSet {
        IntervalSet(ranges.compactMap { TimeRange(start: $0.0, end: $0.1) })
    }

    static func question(
        _ event: EventRule, registered: Instant = 0, warning: Milliseconds? = nil,
        now: Instant = 1000
    ) throws -> ThresholdQuestion {
        let occurrence = try #require(TimeRange(start: 0, end: 1000))
        return ThresholdQuestion(
            event: event, occurrence: occurrence, registered: registered, warning: warning,
            now: now)
    }

    @Test func theCrossingIsTheFirstMillisecondWithTheTotal() throws {
        let use = [DeviceUse(device: "d", uses: [.app("game"): Self.set((10, 40), (100, 200))])]
        func crossing(_ threshold: Milliseconds) throws -> Instant? {
            let event = EventRule(applications: ["game"], threshold: threshold)
            return try Self.question(event).answer(use).crossing
        }
        #expect(try crossing(1) == 11)
        #expect(try crossing(30) == 40)
        #expect(try crossing(31) == 101)
        #expect(try crossing(130) == 200)
        #expect(try crossing(131) == nil)
    }

    @Test func countingStartsAtRegistrationUnlessThePastIsIncluded() throws {
        let use = [DeviceUse(device: "d", uses: [.app("game"): Self.set((10, 40), (100, 200))])]
        var event = EventRule(applications: ["game"], threshold: 40)
        let late = try Self.question(event, registered: 30).answer(use)
        #expect(late.countedFrom == 30)
        #expect(late.total == 110)
        #expect(late.crossing == 130)
        event.includesPastActivity = true
        let past = try Self.question(event, registered: 150).answer(use)
        #expect(past.total == 130)
        #expect(past.crossing == 110)
    }

    @Test func theNextCrossingIsKnownWhileUseRuns() throws {
        let use = [DeviceUse(device: "d", uses: [.app("game"): Self.set((10, 40))])]
        let event = EventRule(applications: ["game"], threshold: 50)
        let question = try Self.question(event, warning: 5, now: 70)
        let idle = question.answer(use)
        #expect(idle.nextCrossing == nil && idle.nextWarning == nil && idle.total == 30)
        let running = question.answer(use, running: ["d": [RunningUse(.app("game"), start: 60)]])
        #expect(running.total == 40)
        #expect(running.nextWarning == 75)
        #expect(running.nextCrossing == 80)
        #expect(running.crossing == nil && running.warning == nil)
        let onAnother = question.answer(use, running: ["e": [RunningUse(.app("game"), start: 20)]])
        #expect(onAnother.total == 60, "united over devices")
        #expect(onAnother.crossing == 60)
        #expect(onAnother.warning == 55)
    }

    @Test func reachedExactlyAtTheEndStillCountsAndLaterNever() throws {
        let running = ["d": [RunningUse(.app("game"), start: 0)]]
        let exact = EventRule(applications: ["game"], threshold: 1000)
        #expect(try Self.question(exact, now: 500).answer([], running: running).nextCrossing == 1000)
        let more = EventRule(applications: ["game"], threshold: 1001)
        #expect(try Self.question(more, now: 500).answer([], running: running).nextCrossing == nil)
        #expect(try Self.question(more, now: 5000).answer([], running: running).total == 1000)
    }

    @Test func aWarningLongerThanTheThresholdIsDueWhereCountingStarts() throws {
        let event = EventRule(applications: ["game"], threshold: 30)
        let answer = try Self.question(event, registered: 7, warning: 60, now: 20).answer([])
        #expect(answer.warning == 7)
    }

    static let cases: [(EventRule, Milliseconds)] = [
        (EventRule(applications: ["game"], categories: ["games"], threshold: 1), 100 + 50),
        (EventRule(applications: ["game", "chess"], threshold: 1), 100),
        (EventRule(applications: ["game", "firefox"], threshold: 1), 60 + 200),
        (EventRule(applications: ["firefox"], webDomains: ["play.test"], threshold: 1), 200),
        (EventRule(categories: ["productivity"], threshold: 1), 100),
        (EventRule(categories: ["productivity", "reading"], threshold: 1), 150),
        (EventRule(webDomains: ["play.test", "www.play.test"], threshold: 1), 50),
        (EventRule(categories: ["games"], webDomains: ["play.test"], threshold: 1), 150),
        (EventRule(webDomains: ["lay.test"], threshold: 1), 0),
        (EventRule(threshold: 1), 280),
    ]

    /// game 60 and chess 40 overlap by 20; firefox 200 with www.play.test for 50 and read.test for 50.
    @Test(arguments: cases) func whatCountsTwiceAndWhatOnce(event: EventRule, total: Milliseconds) throws {
        let use = DeviceUse(
            device: "d",
            uses: [
                .app("game"): Self.set((0, 60)), .app("chess"): Self.set((40, 80)),
                .app("firefox"): Self.set((100, 300)), .domain("www.play.test"): Self.set((100, 150)),
                .domain("read.test"): Self.set((150, 200)),
            ])
        #expect(try Self.question(event).answer([use], Self.catalogue).total == total)
    }

    @Test func thresholdsOfTheContractAreLengthsOfTime() throws {
        let definition = EventDefinition(
            name: "e", applications: ["a"],
            threshold: DateComponents(hour: 1, minute: 90, nanosecond: 2_999_999))
        let rule = try EventRule(definition)
        #expect(rule.threshold == 9_000_002)
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
