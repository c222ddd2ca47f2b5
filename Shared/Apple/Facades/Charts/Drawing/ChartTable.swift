internal import FoundationExtras
internal import SwiftUI

/// The text alternative of a chart: a sentence and a table of its values.
@MainActor struct ChartTable {
    let data: ChartData
    let context: RenderContext

    /// Label and value of a mark, such as "Day: Mon, 16 Nov".
    static func words(_ placed: PlacedMark, _ context: RenderContext) -> [String] {
        let mark = placed.mark
        if let value = mark.style.value {
            return [mark.style.label.map { "\($0): \(value)" } ?? value]
        }
        var result: [String] = []
        func add(_ label: String, _ value: String) {
            let text = label.isEmpty ? value : "\(label): \(value)"
            if !result.contains(text) { result.append(text) }
        }
        if let label = mark.style.label { result.append(label) }
        if mark.style.label == nil, let x = mark.x { add(mark.xLabel, range(x, mark.xEnd, context)) }
        for by in differences(mark) where mark.style.label == nil { add(by.label, by.plot.words) }
        if let y = mark.y { add(mark.yLabel, range(y, mark.yEnd, context)) }
        return result
    }

    private static func differences(_ mark: Mark) -> [Distinction] {
        var found: [Distinction] = []
        if case .by(let by) = mark.style.ink { found.append(by) }
        if let by = mark.style.position?.by { found.append(by) }
        if let by = mark.style.symbolBy { found.append(by) }
        return found
    }

    private static func range(_ plot: ChartPlot, _ end: ChartPlot?, _ context: RenderContext) -> String {
        let first = text(plot, context)
        return end.map { "\(first) – \(text($0, context))" } ?? first
    }

    static func text(_ plot: ChartPlot, _ context: RenderContext) -> String {
        guard case .date(let date) = plot.kind else { return plot.words }
        let environment = context.environment
        let length = plot.end.map { $0 - date.timeIntervalSince1970 }
        let calendar = environment.calendar
        var style = Date.FormatStyle(
            locale: environment.locale, calendar: calendar, timeZone: calendar.timeZone)
        if let length, length > 31_000_000 { return date.formatted(style.year()) }
        if let length, length > 2_300_000 { return date.formatted(style.month(.wide).year()) }
        style = style.weekday(.abbreviated).month(.abbreviated).day()
        let isMidnight = calendar.startOfDay(for: date) == date
        if length.map({ $0 < 80_000 }) ?? !isMidnight { style = style.hour().minute() }
        return date.formatted(style)
    }

    private var seen: [PlacedMark] { data.marks.filter { !$0.mark.style.isHidden } }

    /// The kind of chart, its subject and the number of values.
    var summary: String {
        let kinds: [(Mark.Kind, String)] = [
            (.bar, "Bar"), (.line, "Line"), (.area, "Area"), (.point, "Point"), (.sector, "Pie"),
            (.rectangle, "Rectangle"), (.rule, "Rule"),
        ]
        let named = kinds.filter { kind in data.marks.contains { $0.mark.kind == kind.0 } }.map(\.1)
        var text = (named.isEmpty ? "Empty" : named.joined(separator: " and ")) + " chart"
        if let first = data.marks.first(where: { $0.mark.kind != .rule })?.mark {
            let labels = [first.yLabel, first.xLabel].filter { !$0.isEmpty }
            if !labels.isEmpty { text += ": " + labels.joined(separator: " by ") }
        }
        let count = data.marks.filter { $0.mark.kind != .rule }.count
        return text + ". \(count) \(count == 1 ? "value" : "values")."
    }

    /// For assistive technology. The rows are the tooltips of the marks.
    var node: RenderNode {
        var table = RenderNode("table")
        table[attribute: "class"] = "n"
        table.children = [RenderNode("caption", children: [RenderNode(text: summary)])]
        for row in rows {
            table.children.append(
                RenderNode(
                    "tr",
                    children: row.map { RenderNode("td", children: [RenderNode(text: $0)]) }))
        }
        return table
    }

    private var rows: [[String]] {
        var rows = seen.prefix(ChartLimits.rowsMax).map { Self.words($0, context) }
        let more = seen.count - rows.count
        if more > 0 { rows.append(["and \(more) more"]) }
        return rows
    }

    /// The same as lines of text.
    var text: String { ([summary] + rows.map { $0.joined(separator: ", ") }).joined(separator: "\n") }
}
