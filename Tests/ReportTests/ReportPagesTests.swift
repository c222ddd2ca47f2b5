import Contract
import ReportCore
import Rules
import Testing
import Units

/// Answers in several pages: each is computed only as far as it takes.
@Suite struct ReportPagesTests {
    /// With it a dozen rows of different apps fill an answer.
    private static let suffix = String(repeating: "x", count: 30_000)

    @Test(arguments: 0..<14)
    func pagesTogetherAreTheWholeReport(seed: Int) throws {
        let place = RollupTests.places[seed % RollupTests.places.count]
        var history = ReportHistory(around: place.at, seed: UInt64(20_000 + seed))
        history.suffix = Self.suffix
        let copy = try Copy()
        var model = ReportModel()
        for _ in 0..<2 {
            let events = (0..<30).map { _ in history.event() }
            try copy.apply(events)
            for event in events { try model.apply(event) }
            var question = RollupTests.Question(&history, place.zone)
            question.params.applications = nil
            question.asked.applications = []
            let rows = try pages(copy, question, .rows).flatMap { $0.rows.map(Self.line) }
            #expect(try rows == question.answer(model).map(Self.short), "seed \(seed), \(question.params)")
            let table = try pages(copy, question, .table).flatMap(Self.lines)
            #expect(table == rows, "seed \(seed), \(question.params)")
            let activity = try pages(copy, question, .activity)
                .flatMap { $0.activity ?? [] }.flatMap { Self.active($0.lines) }
            let expected = Self.active(try question.answerActivity(model))
            #expect(activity.sorted() == expected.sorted(), "seed \(seed), \(question.params)")
        }
    }

    private func pages(
        _ copy: Copy, _ question: RollupTests.Question, _ shape: ReportShape
    ) throws -> [ReportQuery.Result] {
        var params = question.params
        (params.shape, params.page) = (shape, 0)
        var pages: [ReportQuery.Result] = []
        while params.page != nil {
            pages.append(try copy.result(params, now: question.asked.now))
            params.page = pages.last?.nextPage
        }
        return pages
    }

    private static func short(_ line: String) -> String { line.replacing(suffix, with: "") }

    private static func line(_ row: ReportRow) -> String {
        short("\(row.segmentStart) \(row.key) \(row.value)")
    }

    private static func lines(_ page: ReportQuery.Result) -> [String] {
        let table = page.table ?? ReportTable()
        return table.segments.flatMap { segment in
            stride(from: 0, to: segment.cells.count, by: 2).map { index in
                let key = table.keys[Int(segment.cells[index])]
                return short("\(segment.segmentStart) \(key) \(segment.cells[index + 1])")
            }
        }
    }

    /// Each line with its device and segment: a page has no device that is inactive from there on.
    private static func active(_ lines: [String]) -> [String] {
        var (device, segment) = ("", "")
        return lines.compactMap { line in
            if line.hasPrefix("segment ") {
                segment = line
            } else if line.hasPrefix("uid-0 ") || line.hasPrefix("member-eve ") {
                device = line
            } else {
                return short("\(device) \(segment) \(line)")
            }
            return nil
        }
    }

    @Test func aPageHasTheNotesOfAllThatFollows() throws {
        let copy = try Copy()
        let t = ReportQueryTests.thursday
        let day = 24 * ReportQueryTests.hour
        for index in 0..<20 as Range<Int64> {
            let app = "a\(index)" + Self.suffix
            try copy.use(app, [(t + index * day, t + index * day + 1)], pickups: [t + index * day])
        }
        try copy.use("unknown", [(t + 18 * day, t + 18 * day + 1)])
        try copy.use("", [], pickups: [t + 19 * day])
        func notes(_ page: Int64, _ metric: ReportMetric, _ shape: ReportShape = .rows) throws -> [String] {
            var params = ReportQueryTests.query("2023-06-01", "2023-06-20", metric: metric)
            (params.page, params.shape) = (page, shape)
            let result = try copy.result(params)
            #expect((result.nextPage != nil) == (page == 0))
            return result.notes
        }
        let unknown = "'unknown' stands for apps that nobody could name."
        let alone = "Pickups that led to no app: 1. They count by device and in total."
        #expect(try notes(0, .duration) == [unknown])
        #expect(try notes(12, .duration) == [unknown])
        #expect(try notes(19, .duration) == [])
        #expect(try notes(0, .pickups) == [unknown, alone])
        #expect(try notes(19, .pickups) == [alone])
        let error = #expect(throws: ServiceError.self) {
            try copy.result(ReportQueryTests.query("2023-06-01", "2023-06-20"))
        }
        #expect(error?.message.hasPrefix("21 rows are more than") == true, "\(error?.message ?? "")")
    }
}
