import Charts
import Foundation
import SwiftUI
import Testing

@Suite @MainActor struct ChartsTests {
    struct Use: Identifiable {
        var id: String { name }
        var name: String
        var minutes: Double
        var kind = "Games"
    }
    let uses = [Use(name: "Chess", minutes: 30), Use(name: "Mail <x>", minutes: 60, kind: "Work")]

    func page<V: View>(_ view: V, width: Double = 390) throws -> RenderedView {
        var environment = EnvironmentValues()
        environment.locale = Locale(identifier: "en_US")
        environment.calendar = Self.berlin
        return try HTMLRenderer.page(title: "t", width: width, environment: environment, view)
    }

    static var berlin: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
        return calendar
    }

    @Test func noDataIsSaid() throws {
        let empty = try page(
            Chart([Use]()) { BarMark(x: .value("App", $0.name), y: .value("m", $0.minutes)) })
        #expect(empty.html.contains(">No data<") && empty.text == "No data\n")
        let zero = try page(Chart([0, 0], id: \.self) { SectorMark(angle: .value("m", $0)) })
        #expect(zero.html.contains(">No data<"), "a circle of nothing would be blank")
    }

    @Test func valuesThatCannotBeDrawnAreCounted() throws {
        let values = [Double.nan, 3, .infinity, -.infinity, -2, 1e300]
        let bars = try page(
            Chart(Array(values.enumerated()), id: \.offset) { number, value in
                BarMark(x: .value("n", "\(number)"), y: .value("v", value))
            })
        #expect(bars.text.contains("4 values that cannot be drawn are left out."))
        #expect(!bars.html.contains("nan") && !bars.html.contains("inf"))
        let sectors = try page(Chart([-1.0, 2], id: \.self) { SectorMark(angle: .value("v", $0)) })
        #expect(sectors.text.contains("1 value that cannot be drawn is left out."))
    }

    @Test func everyValueIsInTheTable() throws {
        let bars = try page(
            Chart(uses) { use in
                BarMark(x: .value("App", use.name), y: .value("Minutes", use.minutes))
                    .foregroundStyle(by: .value("Kind", use.kind))
            })
        #expect(
            bars.text == """
                Bar chart: Minutes by App. 2 values.
                App: Chess, Kind: Games, Minutes: 30
                App: Mail <x>, Kind: Work, Minutes: 60

                """)
        #expect(bars.html.contains("<td>App: Mail &lt;x&gt;</td>") && !bars.html.contains("<x>"))
        #expect(bars.html.contains("role=\"img\"") && bars.html.contains("<caption>Bar chart"))
    }

    @Test func wordsOfItsOwnStandInTheTable() throws {
        let bars = try page(
            Chart(uses) { use in
                BarMark(x: .value("App", use.name), y: .value("Minutes", use.minutes))
                    .accessibilityLabel(use.name).accessibilityValue("\(Int(use.minutes)) minutes")
                    .accessibilityHidden(use.kind == "Work")
            })
        #expect(bars.text.contains("Chess: 30 minutes") && !bars.text.contains("Mail"))
    }

    @Test func theLegendNamesEachColourOnce() throws {
        let chart = Chart(uses + [Use(name: "Go", minutes: 5)]) { use in
            BarMark(x: .value("App", use.name), y: .value("m", use.minutes))
                .foregroundStyle(by: .value("Kind", use.kind))
        }
        let usual = try page(chart).html
        #expect(usual.components(separatedBy: "<span>Games</span>").count == 2)
        #expect(
            usual.contains("#007aff") && usual.contains("#34c759"), "the first two colours of the palette")
        let own = try page(
            chart.chartForegroundStyleScale(["Work": Color.pink, "Games": Color.brown])
        ).html
        #expect(own.contains("#ff2d55") && own.contains("#a2845e") && !own.contains("#007aff"))
        let order = try #require(own.range(of: "<span>Work</span>"))
        #expect(own[order.upperBound...].contains("<span>Games</span>"), "in the order of the scale")
        #expect(try !page(chart.chartLegend(.hidden)).html.contains("<span>Games</span>"))
    }

    @Test func contentInItselfIsRefused() {
        struct Endless: ChartContent {
            var body: some ChartContent { Endless() }
        }
        #expect(throws: RenderError.self) { try page(Chart { Endless() }) }
    }

    @Test func ownContentAndConditionsAreDrawn() throws {
        struct Goal: ChartContent {
            var minutes: Double
            var body: some ChartContent {
                RuleMark(y: .value("Goal", minutes)).foregroundStyle(.red)
                    .annotation(position: .top, alignment: .leading) { Text("My goal") }
            }
        }
        let isStrict = true
        let html = try page(
            Chart {
                ForEach(uses) { LineMark(x: .value("App", $0.name), y: .value("m", $0.minutes)) }
                if isStrict { Goal(minutes: 20) } else { PointMark(x: .value("a", 1), y: .value("b", 2)) }
            }
        ).html
        #expect(html.contains("#ff3b30") && html.contains("My goal"))
    }

    @Test func manyMarksEndAndSaySo() throws {
        let many = try page(
            Chart(0..<30_000, id: \.self) { PointMark(x: .value("x", $0), y: .value("y", $0 % 7)) })
        #expect(many.text.contains("Only the first 20000 marks are shown."))
        #expect(many.text.contains("and 19500 more"))
    }
}
