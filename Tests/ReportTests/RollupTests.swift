import Contract
import ReportCore
import Rules
import Schedules
import Testing
import Units

/// Roll-ups against the slow way, over random histories.
@Suite struct RollupTests {
    /// Zones with special transitions, and an instant of each.
    static let places: [(zone: String, at: Instant)] = [
        ("UTC", 1_685_577_600_000),
        // Offsets of 5:45; summer time of half an hour; the two changes; a day that does not exist; before
        // 1972 an offset of 44:30 minutes, finer than a quarter-hour.
        ("Asia/Kathmandu", 1_685_577_600_000), ("Australia/Lord_Howe", 1_680_361_200_000),
        ("America/New_York", 1_699_164_000_000), ("America/New_York", 1_678_604_400_000),
        ("Pacific/Apia", 1_325_239_200_000), ("Africa/Monrovia", 63_593_070_000),
    ]

    @Test(arguments: 0..<210)
    func aRandomHistoryIsReportedAsTheSlowWaySays(seed: Int) throws {
        let place = Self.places[seed % Self.places.count]
        var history = ReportHistory(around: place.at, seed: UInt64(seed))
        let copy = try Copy()
        var model = ReportModel()
        for _ in 0..<5 {
            let events = (0..<history.chance.number(1...8)).map { _ in history.event() }
            if history.chance.isOne(in: 6) { try copy.apply(events, thenRollBack: true) }
            try copy.apply(events)
            for event in events { try model.apply(event) }
            for _ in 0..<3 {
                let question = Question(&history, place.zone)
                let found = try question.ask(copy)
                let expected = try question.answer(model)
                #expect(found == expected, "seed \(seed), \(question.params)")
                let activity = try question.askActivity(copy)
                let expectedActivity = try question.answerActivity(model)
                #expect(activity == expectedActivity, "seed \(seed), \(question.params)")
                guard found == expected, activity == expectedActivity else { return }
            }
        }
    }

    /// A question in both languages.
    struct Question {
        var params = ReportQuery.Params()
        var asked = ReportModel.Question()

        init(_ history: inout ReportHistory, _ zoneName: String) {
            var chance = history.chance
            defer { history.chance = chance }
            params.zone = zoneName
            params.dayStartMinutes = chance.pick([nil, nil, 0, 240, 61, 1_439])
            params.segment = chance.pick(ReportSegment.allCases)
            params.by = chance.pick(ReportGrouping.allCases)
            params.metric = chance.pick([.duration, .duration, .duration, .pickups, .notifications])
            let start = history.start + chance.time(0...ReportHistory.length)
            params.during = Interval(
                start: start, end: start + chance.number(0...100) * ReportHistory.hour)
            asked.now = history.start + chance.time(0...ReportHistory.length * 2)
            asked.members = chance.isOne(in: 3) ? ["member-eve", "uid-0"] : ["uid-0"]
            params.members = asked.members
            if chance.isOne(in: 3) { params.devices = Array(history.devices.prefix(2)) }
            if chance.isOne(in: 3) { params.applications = [chance.pick(ReportHistory.apps)] }
            if chance.isOne(in: 5) { params.applications = ["a", "firefox"] }
            if chance.isOne(in: 4) { params.categories = [chance.pick(ReportHistory.categories)] }
            if chance.isOne(in: 4) {
                params.webDomains = [chance.pick(["news.org", "x.test", "www.news.org"])]
            }
            asked.devices = Set(params.devices ?? [])
            asked.applications = Set(params.applications ?? [])
            asked.categories = Set(params.categories ?? [])
            asked.domains = Set(params.webDomains ?? [])
        }

        func ask(_ copy: Copy) throws -> [String] {
            var params = params
            params.shape = .table
            let table = try copy.result(params, now: asked.now).table
            params.shape = nil
            let rows = try copy.rows(params, now: asked.now)
            let cells = (table?.segments ?? []).flatMap { segment in
                stride(from: 0, to: segment.cells.count, by: 2).map { index in
                    let key = table?.keys[Int(segment.cells[index])] ?? ""
                    return "\(segment.segmentStart) \(key) \(segment.cells[index + 1])"
                }
            }
            #expect(rows == cells)
            return rows
        }

        func answer(_ model: ReportModel) throws -> [String] {
            let segments = try segments()
            return model.rows(
                asked, params.by ?? .app, params.metric ?? .duration, segments.map(\.interval)
            ).map { "\(segments[$0.segment].label) \($0.key) \($0.value)" }
        }

        func askActivity(_ copy: Copy) throws -> [String] {
            var params = params
            params.shape = .activity
            return try copy.result(params, now: asked.now).activity?.flatMap(\.lines) ?? []
        }

        func answerActivity(_ model: ReportModel) throws -> [String] {
            let segments = try segments().map(\.interval).filter { $0.start <= asked.now }
            return model.activity(asked, segments)
        }

        /// Widened as by Apple, to complete hours, days or weeks.
        func segments() throws -> [Segment] {
            let zone = try Zone(params.zone ?? "")
            let dayStart = Milliseconds.minutes(params.dayStartMinutes ?? 0)
            let during = try #require(params.during)
            let end = max(during.end, during.start + 1)
            let window = try #require(TimeRange(start: during.start, end: end))
            let first = zone.date(at: during.start).advanced(by: -8)
            let last = zone.date(at: end).advanced(by: 8)
            return zone.segments(
                params.segment ?? .daily, from: first, through: last, dayStart: dayStart
            ).filter { $0.interval.intersection(window) != nil }
        }
    }
}
