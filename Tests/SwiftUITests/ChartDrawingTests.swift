import Foundation
import SwiftUI
import Testing

@testable import Charts

@Suite @MainActor struct ChartDrawingTests {
    private func data<C: ChartContent>(
        _ settings: ChartSettings = ChartSettings(), @ChartContentBuilder _ content: () -> C
    ) -> ChartData {
        var list = MarkList()
        content().collect(&list, MarkStyle())
        return ChartData(list.marks, settings, height: 240)
    }

    // MARK: round values

    @Test func stepsAreRound() {
        for (length, count, step) in [
            (10.0, 5, 2.0), (1, 5, 0.2), (7, 5, 2), (100, 4, 25), (3_600, 5, 1_000), (0.003, 3, 0.001),
        ] {
            #expect(
                abs(NumberTicks.step(length, count: count) - step) < step * 1e-9, "\(length) in \(count)")
        }
        #expect(NumberTicks.step(0, count: 5) == 1 && NumberTicks.step(.nan, count: 5) == 1)
    }

    @Test func ticksHaveNoCrumbs() {
        var scale = ChartScale([ChartPlot(.number(0))])
        (scale.lower, scale.upper) = (0, 0.6)
        let words = NumberTicks.values(scale, step: 0.2).map { ChartFormat.number($0, step: 0.2) }
        #expect(words == ["0", "0.2", "0.4", "0.6"])
        (scale.lower, scale.upper) = (0, 1e18)
        #expect(NumberTicks.values(scale, step: 1).isEmpty, "too many")
    }

    @Test func daysOfTheClockChangeStandAtMidnight() throws {
        let calendar = ChartsTests.berlin
        let saturday = try #require(calendar.date(from: DateComponents(year: 2026, month: 10, day: 24)))
        var scale = ChartScale([ChartPlot(.date(saturday))])
        (scale.lower, scale.upper) = (
            saturday.timeIntervalSince1970, saturday.timeIntervalSince1970 + 4 * 86_400
        )
        let days = TimeTicks.values(scale, .day, 1, calendar)
        #expect(zip(days, days.dropFirst()).map { $1 - $0 } == [86_400, 90_000, 86_400])
        let sixths = TimeTicks.values(scale, .hour, 6, calendar).map {
            calendar.component(.hour, from: Date(timeIntervalSince1970: $0))
        }
        #expect(sixths.allSatisfy { $0 % 6 == 0 } && sixths.count == 16)
        #expect(TimeTicks.values(scale, .day, 2, calendar).count == 2)
    }

    @Test func axesReachOverAllValuesAndZero() {
        let usual = data { BarMark(x: .value("x", "a"), y: .value("y", 37.0)) }
        #expect(usual.y.lower == 0 && usual.y.upper == 40)
        var settings = ChartSettings()
        settings.y.limits = ScaleLimits(includesZero: false)
        let tight = data(settings) {
            LineMark(x: .value("x", 1), y: .value("y", 98.0))
            LineMark(x: .value("x", 2), y: .value("y", 104.0))
        }
        #expect(tight.y.lower == 98 && tight.y.upper == 104)
        let one = data { PointMark(x: .value("x", 5), y: .value("y", 0)) }
        #expect(one.y.lower == 0 && one.y.upper == 1 && one.x.lower == 2.5 && one.x.upper == 7.5)
    }

    // MARK: on each other

    @Test func barsPileUpAndDown() {
        let bars = data {
            BarMark(x: .value("x", "a"), y: .value("y", 3))
            BarMark(x: .value("x", "a"), y: .value("y", -2))
            BarMark(x: .value("x", "a"), y: .value("y", 4))
            BarMark(x: .value("x", "b"), y: .value("y", 1))
            BarMark(x: .value("x", "a"), y: .value("y", -1))
        }
        #expect(bars.marks.map(\.y) == [Span(0, 3), Span(-2, 0), Span(3, 7), Span(0, 1), Span(-3, -2)])
    }

    @Test func partsMakeOneWhole() {
        let bars = data {
            BarMark(x: .value("x", "a"), y: .value("y", 1), stacking: .normalized)
            BarMark(x: .value("x", "a"), y: .value("y", 3), stacking: .normalized)
            BarMark(x: .value("x", "b"), y: .value("y", 0), stacking: .normalized)
        }
        #expect(bars.marks.map(\.y) == [Span(0, 0.25), Span(0.25, 1), Span(0, 0)])
        #expect(bars.y.upper == 1)
        let middle = data {
            AreaMark(x: .value("x", 1), y: .value("y", 2), series: .value("s", "a"), stacking: .center)
            AreaMark(x: .value("x", 1), y: .value("y", 4), series: .value("s", "b"), stacking: .center)
        }
        #expect(middle.marks.map(\.y) == [Span(-3, -1), Span(-1, 3)])
    }

    @Test func barsBesideEachOtherDoNotPile() {
        let bars = data {
            BarMark(x: .value("x", "a"), y: .value("y", 3)).position(by: .value("k", "one"))
            BarMark(x: .value("x", "a"), y: .value("y", 4)).position(by: .value("k", "two"))
        }
        #expect(bars.marks.map(\.y) == [Span(0, 3), Span(0, 4)])
        #expect(bars.marks.map(\.place.index) == [0, 1] && bars.marks[0].place.count == 2)
    }

    @Test func categoriesAtTheSideMakeBarsLie() {
        let bars = data { BarMark(x: .value("m", 5), y: .value("App", "Chess")) }
        #expect(bars.marks[0].isHorizontal && bars.marks[0].x == Span(0, 5))
        #expect(bars.x.lower == 0 && bars.y.categories == ["Chess"])
    }

    @Test func aDayIsAsWideAsADay() throws {
        let day = try #require(
            ChartsTests.berlin.date(from: DateComponents(year: 2026, month: 10, day: 25, hour: 14)))
        let bars = data {
            BarMark(x: .value("d", day, unit: .day, calendar: ChartsTests.berlin), y: .value("y", 1))
        }
        #expect(bars.marks[0].x?.length == 90_000, "25 hours")
    }

    @Test func barsAtInstantsHaveRoomAtBothEnds() throws {
        let noon = Date(timeIntervalSince1970: 1_795_000_000)
        let bars = data {
            BarMark(x: .value("d", noon), y: .value("y", 1))
            BarMark(x: .value("d", noon.addingTimeInterval(3_600)), y: .value("y", 2))
        }
        #expect(bars.x.lower == 1_795_000_000 - 1_800 && bars.x.upper == 1_795_000_000 + 5_400)
    }

    @Test func aScalesNamesAreAllInTheLegend() throws {
        let chart = Chart(["a"], id: \.self) { BarMark(x: .value("x", $0), y: .value("y", 1)) }
        let html = try HTMLRenderer.page(
            title: "t", chart.chartForegroundStyleScale(["good": Color.green, "bad": Color.red])
        ).html
        #expect(html.contains("<span>good</span>") && html.contains("<span>bad</span>"))
    }

    // MARK: sectors

    @Test func sectorsShareTheCircle() throws {
        let circle = data {
            SectorMark(angle: .value("v", 1))
            SectorMark(angle: .value("v", 1.0))
            SectorMark(angle: .value("v", 2))
        }
        let sectors = ChartSectors(circle.marks, in: CGRect(x: 0, y: 0, width: 100, height: 100)).sectors
        #expect(sectors[0].path == "M50 0A50 50 0 0 1 100 50L50 50Z")
        #expect(sectors[2].path.hasPrefix("M50 100A50 50 0 ") && sectors[2].path.contains(" 1 50 0L"))
        let whole = data { SectorMark(angle: .value("v", 3), innerRadius: .ratio(0.5)) }
        let ring = ChartSectors(whole.marks, in: CGRect(x: 0, y: 0, width: 100, height: 100)).sectors
        #expect(ring[0].path.components(separatedBy: "A").count == 5, "two circles of two halves each")
    }

    @Test func tinySectorsStayInTheirPlace() {
        let circle = data {
            ForEach([1e-9, 1, 1e-3], id: \.self) { value in
                SectorMark(angle: .value("v", value), innerRadius: .ratio(0.6), angularInset: 4)
                    .cornerRadius(9)
            }
        }
        let sectors = ChartSectors(circle.marks, in: CGRect(x: 0, y: 0, width: 100, height: 100)).sectors
        #expect(sectors.allSatisfy { !$0.path.contains("nan") && $0.rounding >= 0 } && sectors.count == 3)
    }

    // MARK: words

    @Test(arguments: [60.0, 150, 390, 900]) func wordsDoNotStandOnEachOther(width: Double) throws {
        let names = (0..<40).map { "Category number \($0)" }
        let chart = Chart(names, id: \.self) { BarMark(x: .value("c", $0), y: .value("v", 3)) }
        let html = try HTMLRenderer.page(title: "t", width: width, chart.frame(height: 200)).html
        let places = html.components(separatedBy: "<text ").dropFirst().compactMap { text -> Double? in
            let parts = text.prefix { $0 != ">" }.components(separatedBy: " x=\"")
            return text.contains(">Cat") ? Double(parts[1].prefix { $0 != "\"" }) : nil
        }
        #expect(!places.isEmpty)
        #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 > 14 }, "\(places)")
    }

    @Test func curvesGoThroughTheirPoints() {
        let points = [CGPoint(x: 0, y: 0), CGPoint(x: 10, y: 10), CGPoint(x: 20, y: 10)]
        #expect(ChartCurves.path(points, .linear) == "M0 0L10 10L20 10")
        #expect(ChartCurves.path(points, .stepEnd) == "M0 0L10 0L10 10L10 10L20 10L20 10L20 10")
        #expect(
            ChartCurves.path(points, .monotone).hasSuffix("13.333 10 16.667 10 20 10"), "flat stays flat")
        #expect(ChartCurves.path([], .catmullRom).isEmpty)
    }
}
