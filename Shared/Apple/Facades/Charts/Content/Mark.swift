internal import FoundationExtras
internal import SwiftUI

/// What is drawn for one datum.
struct Mark {
    enum Kind {
        case bar, line, area, point, rule, rectangle, sector
    }

    var kind: Kind
    var x: ChartPlot?
    var xEnd: ChartPlot?
    var y: ChartPlot?
    var yEnd: ChartPlot?
    var xLabel = ""
    var yLabel = ""
    var width = MarkDimension.automatic
    var height = MarkDimension.automatic
    var stacking = MarkStackingMethod.standard
    var series: (label: String, plot: ChartPlot)?
    /// Of sectors.
    var innerRadius = MarkDimension.automatic
    var outerRadius = MarkDimension.automatic
    var angularInset: Double?
    var style: MarkStyle

    init(_ kind: Kind, _ style: MarkStyle) {
        self.kind = kind
        self.style = style
    }

    /// All values can be placed.
    var isDrawable: Bool { [x, xEnd, y, yEnd].allSatisfy { $0?.isDrawable ?? true } }
}

/// A value by which marks differ.
struct Distinction {
    var label: String
    var plot: ChartPlot

    init<Value: Plottable>(_ value: PlottableValue<Value>) {
        label = value.label
        plot = value.plot
    }
}

/// How a mark looks; what is nil is the chart's to choose.
struct MarkStyle {
    enum Ink {
        case style(any ShapeStyle)
        case by(Distinction)
    }

    struct Note {
        var position: AnnotationPosition
        var alignment: Alignment
        var spacing: Double?
        var overflow: AnnotationOverflowResolution
        var content: (AnnotationContext) -> AnyView
    }

    var ink: Ink?
    var position: (by: Distinction, axis: Axis?)?
    var symbolBy: Distinction?
    var symbol: BasicChartSymbolShape?
    var symbolView: AnyView?
    /// Square points.
    var symbolArea: Double?
    var opacity = 1.0
    var cornerRadius: Double?
    var interpolation = InterpolationMethod.linear
    var line: StrokeStyle?
    var offset = CGSize.zero
    var order = 0.0
    var notes: [Note] = []
    var label: String?
    var value: String?
    var isHidden = false
    /// The outline in place of a bar's or rectangle's.
    var outline: (@Sendable (CGRect) -> Path)?
    /// Gradients go over the whole plot instead of over each mark.
    var sharesGradient = false
    var depth = 0
}
