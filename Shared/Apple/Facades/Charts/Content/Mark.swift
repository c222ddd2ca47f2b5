internal import FoundationExtras
internal import SwiftUI

/// A mark for one value.
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
    /// For sectors.
    var innerRadius = MarkDimension.automatic
    var outerRadius = MarkDimension.automatic
    var angularInset: Double?
    var style: MarkStyle

    init(_ kind: Kind, _ style: MarkStyle) {
        self.kind = kind
        self.style = style
    }

    /// Whether all values can be drawn.
    var isDrawable: Bool { [x, xEnd, y, yEnd].allSatisfy { $0?.isDrawable ?? true } }
}

/// A value that distinguishes marks, with its label.
struct Distinction {
    var label: String
    var plot: ChartPlot

    init<Value: Plottable>(_ value: PlottableValue<Value>) {
        label = value.label
        plot = value.plot
    }
}

/// The look of a mark. The chart chooses values that are nil.
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
    /// In square points.
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
    /// Replaces the outline of a bar or rectangle.
    var outline: (@Sendable (CGRect) -> Path)?
    /// Whether gradients extend over the whole plot instead of each mark.
    var sharesGradient = false
    var depth = 0
}
