internal import FoundationExtras
internal import SwiftUI

/// A title of an axis.
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

/// Settings from modifiers around charts.
struct ChartSettings {
    struct AxisSettings {
        var visibility = Visibility.automatic
        /// If nil, marks at round values.
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

    /// Colours or symbols for the values that distinguish marks.
    struct Assignment<Visual> {
        /// If nil, the order of the data.
        var domain: [ChartPlot]?
        var visuals: [Visual] = []
        var choose: ((ChartPlot) -> Visual?)?
    }

    var x = AxisSettings()
    var y = AxisSettings()
    var legend = Legend()
    var inks = Assignment<any ShapeStyle>()
    /// For numbers that distinguish marks.
    var gradient: Gradient?
    var gradientLimits: [ChartPlot] = []
    var symbols = Assignment<BasicChartSymbolShape>()
    var plotStyle: ((ChartPlotContent) -> AnyView)?
    var background: (alignment: Alignment, content: (ChartProxy) -> AnyView)?
    var overlay: (alignment: Alignment, content: (ChartProxy) -> AnyView)?
    /// The visible part of the x axis, in its numbers or in seconds, if the chart is scrollable.
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
