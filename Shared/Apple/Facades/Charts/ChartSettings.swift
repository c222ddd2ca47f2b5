internal import FoundationExtras
internal import SwiftUI

/// Words beside an axis.
struct ChartTitle {
    var view: AnyView
    var position: AnnotationPosition
    var alignment: Alignment?

    init<V: View>(_ view: V, _ position: AnnotationPosition, _ alignment: Alignment?) {
        self.view = AnyView(view)
        self.position = position
        self.alignment = alignment
    }

    @MainActor func words(_ context: RenderContext) -> String {
        PlainText.of(context.measuring.nodes(of: view, at: "title")).split(separator: "\n")
            .joined(separator: " ")
    }
}

/// What modifiers say about the charts inside a view.
struct ChartSettings {
    struct AxisSettings {
        var visibility = Visibility.automatic
        /// nil: marks at round values.
        var recipes: [AxisRecipe]?
        var limits = ScaleLimits()
        var range = PlotDimensionScaleRange.plotDimension
        var isLogarithmic = false
        var title: ChartTitle?
    }

    struct Legend {
        var visibility = Visibility.automatic
        var position = AnnotationPosition.automatic
        var alignment: Alignment?
        var content: (() -> AnyView)?
    }

    /// Colours, or forms, for the values by which marks differ.
    struct Assignment<Visual> {
        /// nil: in the order of the data.
        var domain: [ChartPlot]?
        var visuals: [Visual] = []
        var choose: ((ChartPlot) -> Visual?)?
    }

    var x = AxisSettings()
    var y = AxisSettings()
    var legend = Legend()
    var inks = Assignment<any ShapeStyle>()
    /// For numbers by which marks differ.
    var gradient: Gradient?
    var gradientLimits: [ChartPlot] = []
    var symbols = Assignment<BasicChartSymbolShape>()
    var plotStyle: ((ChartPlotContent) -> AnyView)?
    var background: (alignment: Alignment, content: (ChartProxy) -> AnyView)?
    var overlay: (alignment: Alignment, content: (ChartProxy) -> AnyView)?
    /// Along x, in numbers or seconds: what is seen at once where the chart can be scrolled.
    var visibleLength: Double?
    var scrollStart: ChartPlot?
}

enum ChartSettingsKey: EnvironmentKey {
    static var defaultValue: ChartSettings { ChartSettings() }
}

extension EnvironmentValues {
    var chart: ChartSettings {
        get { self[ChartSettingsKey.self] }
        set { self[ChartSettingsKey.self] = newValue }
    }
}
