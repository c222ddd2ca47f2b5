import Contract
import ReportCore
import Rules
import ServiceKit
import Testing
import Units

/// A copy over its life against the slow way: restarts, deletions, a store from before hours were stored.
@Suite struct CopyLifeTests {
    @Test(arguments: 0..<140)
    func restartsAndDeletionsChangeNothingElse(seed: Int) throws {
        let place = RollupTests.places[seed % RollupTests.places.count]
        var history = ReportHistory(around: place.at, seed: UInt64(10_000 + seed))
        let copy = try Copy()
        var model = ReportModel()
        for _ in 0..<5 {
            let events = (0..<history.chance.number(1...6)).map { _ in history.event() }
            try copy.apply(events)
            for event in events { try model.apply(event) }
            try live(copy, &model, &history)
            for _ in 0..<3 {
                let question = RollupTests.Question(&history, place.zone)
                let found = try question.ask(copy)
                #expect(try found == question.answer(model), "seed \(seed), \(question.params)")
                let activity = try question.askActivity(copy)
                let expected = try question.answerActivity(model)
                let wrong = activity.difference(from: expected)
                #expect(wrong.isEmpty, "seed \(seed), \(question.params): \(wrong)")
            }
        }
    }

    @Test func aPickupBeforeACutRemains() throws {
        let copy = try Copy()
        let t = ReportQueryTests.thursday
        try copy.use("a", [(t, t + 100)], pickups: [t + 10, t + 55], notifications: [t + 20])
        try copy.cut(try #require(TimeRange(start: t + 50, end: t + 60)))
        #expect(try copy.rows(ReportQueryTests.query()) == ["2023-06-01 a 90"])
        #expect(try copy.rows(ReportQueryTests.query(metric: .pickups)) == ["2023-06-01 a 1"])
        #expect(try copy.rows(ReportQueryTests.query(metric: .notifications)) == ["2023-06-01 a 1"])
    }

    /// A change beside a damaged roll-up must not fail, or nothing is applied any more.
    @Test(arguments: [false, true]) func aDamagedRollupIsMadeAgainFromItsRecords(withoutHours: Bool) throws {
        let copy = try Copy()
        let t = ReportQueryTests.thursday
        let quarter = Milliseconds.minutes(15)
        try copy.use("a", [(t, t + 100), (t + quarter, t + quarter + 200)])
        try copy.damageRollup(at: t)
        try copy.restart(withoutHours: withoutHours)
        try copy.use("b", [(t + 2 * quarter, t + 2 * quarter + 30)])
        #expect(try copy.rows(ReportQueryTests.query()) == ["2023-06-01 a 300", "2023-06-01 b 30"])
    }

    /// Years of hours take their time; an undone turn must not repeat them.
    @Test func hoursThatAreCommittedAreNotSummedUpAgain() throws {
        let copy = try Copy()
        let t = ReportQueryTests.thursday
        try copy.use("a", [(t, t + 100), (t + .hours(5), t + .hours(5) + 200)])
        try copy.restart(withoutHours: true)
        try copy.use("b", [(t, t + 30)])
        #expect(try copy.hours == 2)
        let left = try copy.removeAnHour()
        let event = UsageRecorded(
            member: "uid-0", device: "laptop", deviceModel: nil, kind: .app, subject: "c", category: nil,
            name: nil, from: 0, to: .max, intervals: [], pickups: [], notifications: [])
        try copy.apply([event], thenRollBack: true)
        try copy.use("b", [(t, t + 40)])
        #expect(try copy.hours == left)
    }

    private func live(_ copy: Copy, _ model: inout ReportModel, _ history: inout ReportHistory) throws {
        let from = history.start + history.chance.time(0...ReportHistory.length)
        switch history.chance.number(0...5) {
        case 0: try copy.restart()
        case 1: try copy.restart(withoutHours: true)
        case 2:
            let stretch = try #require(
                TimeRange(start: from, end: from + history.chance.time(1...30 * ReportHistory.hour)))
            try copy.cut(stretch)
            model.cut(stretch)
        case 3:
            let app = history.chance.pick(ReportHistory.apps)
            try copy.remove(Forgetting(member: nil, extent: .subject(.app, app), until: from))
            model.remove(until: from) { $0 == .app(app) }
        case 4:
            try copy.remove(Forgetting(member: nil, extent: .everything, until: from))
            model.remove(until: from) { _ in true }
        default: break
        }
    }
}

extension ReportModel {
    /// Cuts a time range out of everybody's use.
    mutating func cut(_ stretch: TimeRange) {
        for key in told.keys {
            guard var all = told[key] else { continue }
            all.uses = all.uses.flatMap { use in
                [
                    TimeRange(start: use.start, end: min(use.end, stretch.start)),
                    TimeRange(start: max(use.start, stretch.end), end: use.end),
                ].compactMap { $0 }
            }
            all.marks.removeAll { stretch.contains($0.at) }
            if let open = all.openSince, stretch.contains(open) { all.openSince = nil }
            told[key] = all
        }
    }

    /// Deletes what began before an instant.
    mutating func remove(until: Instant, _ isIncluded: (Subject) -> Bool) {
        for key in told.keys where isIncluded(key.subject) {
            guard var all = told[key] else { continue }
            all.uses.removeAll { $0.start < until }
            all.marks.removeAll { $0.at < until }
            if let open = all.openSince, open < until { all.openSince = nil }
            told[key] = all
        }
    }
}
