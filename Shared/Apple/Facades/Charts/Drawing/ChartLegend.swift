internal import FoundationExtras
internal import SwiftUI
internal import UIKit

/// The legend of colours and symbols.
@MainActor struct ChartLegend {
    let inks: ChartInks
    let context: RenderContext

    private var settings: ChartSettings.Legend { context.environment.chart.legend }

    var isThere: Bool {
        settings.visibility != .hidden && (settings.content != nil || !inks.entries.isEmpty)
    }

    /// Whether it is at a side of the plot instead of above or below it.
    var isBeside: Bool {
        switch settings.position.kind {
        case .leading, .trailing: true
        default: false
        }
    }

    var isFirst: Bool {
        switch settings.position.kind {
        case .top, .topLeading, .topTrailing, .leading: true
        default: false
        }
    }

    /// The estimated height in points.
    func height(in width: Double) -> Double {
        guard settings.content == nil else { return 28 }
        var (rows, used) = (1.0, 0.0)
        for entry in inks.entries {
            let item = TextMetrics.width(entry.name, size: 12) + 26
            if used > 0, used + item > width { (rows, used) = (rows + 1, 0) }
            used += item
        }
        return rows * 18 + 8
    }

    var width: Double {
        let widest = inks.entries.map { TextMetrics.width($0.name, size: 12) }.max() ?? 60
        return min(widest + 26, 160)
    }

    var node: RenderNode {
        if let content = settings.content {
            return context.node(of: content(), at: "legend")
        }
        let place =
            switch settings.alignment?.horizontal ?? .leading {
            case .center: "center"
            case .trailing: "flex-end"
            default: "flex-start"
            }
        var list = RenderNode("div")
        list.style = [
            "display": "flex", "flex-wrap": "wrap", "gap": "2px 12px", "font-size": CSS.rem(12),
            "justify-content": place, "color": ChartAxisPainter.wordsColor,
        ]
        if isBeside {
            list.style["flex-direction"] = "column"
            list.style["justify-content"] = "center"
        } else {
            list.style["padding"] = isFirst ? "0 0 8px" : "8px 0 0"
        }
        // The table contains the same information.
        list[attribute: "aria-hidden"] = "true"
        list.reading = .silent
        list.children = inks.entries.map(item)
        return list
    }

    private func item(_ entry: ChartInks.Entry) -> RenderNode {
        let shape = ChartCurves.symbol(entry.symbol ?? .circle, area: 50)
        var path = RenderNode("path").with("d", shape.data)
        if shape.isLine { path = path.stroked(by: StrokeStyle(lineWidth: 1.5)) }
        var swatch = RenderNode(
            "svg", style: ["width": "10px", "height": "10px", "flex-shrink": "0"],
            children: SVGPaint.painted(
                path, entry.paint, isStroke: shape.isLine, CGSize(width: 8, height: 8), context))
        swatch[attribute: "viewBox"] = "-5 -5 10 10"
        return RenderNode(
            "span", style: ["display": "inline-flex", "align-items": "center", "gap": "5px"],
            children: [swatch, RenderNode("span", children: [RenderNode(text: entry.name)])])
    }
}
