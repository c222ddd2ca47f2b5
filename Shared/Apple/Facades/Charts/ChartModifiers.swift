public import FoundationExtras
public import SwiftUI

extension View {
    nonisolated func chart(_ change: @escaping (inout ChartSettings) -> Void) -> some View {
        ChartSettingView(content: self, change: change)
    }

    // MARK: axes

    /// Shows or hides the axis.
    public nonisolated func chartXAxis(_ visibility: Visibility) -> some View {
        chart { $0.x.visibility = visibility }
    }
    /// Shows or hides the axis.
    public nonisolated func chartYAxis(_ visibility: Visibility) -> some View {
        chart { $0.y.visibility = visibility }
    }
    /// Replaces the automatic marks of the axis.
    public nonisolated func chartXAxis<Content: AxisContent>(
        @AxisContentBuilder content: () -> Content
    ) -> some View {
        let recipes = content()._recipes
        return chart { $0.x.recipes = recipes }
    }
    /// Replaces the automatic marks of the axis.
    public nonisolated func chartYAxis<Content: AxisContent>(
        @AxisContentBuilder content: () -> Content
    ) -> some View {
        let recipes = content()._recipes
        return chart { $0.y.recipes = recipes }
    }

    /// Sets the range or the categories of the axis, and its scale.
    public nonisolated func chartXScale<Domain: ScaleDomain>(
        domain: Domain, range: PlotDimensionScaleRange = .plotDimension, type: ScaleType? = nil
    ) -> some View { chart { $0.x.set(domain._domain, range, type) } }
    /// Sets the range or the categories of the axis, and its scale.
    public nonisolated func chartYScale<Domain: ScaleDomain>(
        domain: Domain, range: PlotDimensionScaleRange = .plotDimension, type: ScaleType? = nil
    ) -> some View { chart { $0.y.set(domain._domain, range, type) } }
    /// Sets the scale of the axis and the space at its ends.
    public nonisolated func chartXScale(
        range: PlotDimensionScaleRange = .plotDimension, type: ScaleType? = nil
    ) -> some View { chart { $0.x.set(nil, range, type) } }
    /// Sets the scale of the axis and the space at its ends.
    public nonisolated func chartYScale(
        range: PlotDimensionScaleRange = .plotDimension, type: ScaleType? = nil
    ) -> some View { chart { $0.y.set(nil, range, type) } }

    /// Sets a localized title next to the axis.
    public nonisolated func chartXAxisLabel(
        _ labelKey: LocalizedStringKey, position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil, spacing: CGFloat? = nil
    ) -> some View { chart { $0.x.title = ChartTitle(Text(labelKey), position, alignment) } }
    /// The same with a title that is not localized.
    @_disfavoredOverload
    public nonisolated func chartXAxisLabel<S: StringProtocol>(
        _ label: S, position: AnnotationPosition = .automatic, alignment: Alignment? = nil,
        spacing: CGFloat? = nil
    ) -> some View { chart { $0.x.title = ChartTitle(Text(label), position, alignment) } }
    /// Sets the text of a view as the title next to the axis.
    public nonisolated func chartXAxisLabel<C: View>(
        position: AnnotationPosition = .automatic, alignment: Alignment? = nil, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> C
    ) -> some View {
        let view = content()
        return chart { $0.x.title = ChartTitle(view, position, alignment) }
    }

    /// Sets a localized title next to the axis.
    public nonisolated func chartYAxisLabel(
        _ labelKey: LocalizedStringKey, position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil, spacing: CGFloat? = nil
    ) -> some View { chart { $0.y.title = ChartTitle(Text(labelKey), position, alignment) } }
    /// The same with a title that is not localized.
    @_disfavoredOverload
    public nonisolated func chartYAxisLabel<S: StringProtocol>(
        _ label: S, position: AnnotationPosition = .automatic, alignment: Alignment? = nil,
        spacing: CGFloat? = nil
    ) -> some View { chart { $0.y.title = ChartTitle(Text(label), position, alignment) } }
    /// Sets the text of a view as the title next to the axis.
    public nonisolated func chartYAxisLabel<C: View>(
        position: AnnotationPosition = .automatic, alignment: Alignment? = nil, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> C
    ) -> some View {
        let view = content()
        return chart { $0.y.title = ChartTitle(view, position, alignment) }
    }

    // MARK: legend

    /// Shows or hides the legend.
    public nonisolated func chartLegend(_ visibility: Visibility) -> some View {
        chart { $0.legend.visibility = visibility }
    }
    /// Sets the position of the legend. The spacing is ignored.
    public nonisolated func chartLegend(
        position: AnnotationPosition = .automatic, alignment: Alignment? = nil, spacing: CGFloat? = nil
    ) -> some View { chart { ($0.legend.position, $0.legend.alignment) = (position, alignment) } }
    /// Replaces the legend by a view.
    public nonisolated func chartLegend<Content: View>(
        position: AnnotationPosition = .automatic, alignment: Alignment? = nil, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) -> some View {
        let view = AnyView(content())
        return chart {
            ($0.legend.position, $0.legend.alignment) = (position, alignment)
            $0.legend.content = { view }
        }
    }

    // MARK: colours and forms

    /// Assigns a style to each value. The legend follows this order.
    public nonisolated func chartForegroundStyleScale<DataValue: Plottable, S: ShapeStyle>(
        _ mapping: KeyValuePairs<DataValue, S>
    ) -> some View {
        let domain = mapping.map { $0.key.primitivePlottable._plot }
        let styles = mapping.map { $0.value as any ShapeStyle }
        return chart { ($0.inks.domain, $0.inks.visuals) = (domain, styles) }
    }
    /// Assigns styles to values in order. After the last style the first follows again.
    public nonisolated func chartForegroundStyleScale<DataValue: Plottable, S: ShapeStyle>(
        domain: [DataValue], range: [S], type: ScaleType? = nil
    ) -> some View {
        let plots = domain.map { $0.primitivePlottable._plot }
        return chart { ($0.inks.domain, $0.inks.visuals) = (plots, range) }
    }
    /// Sets the styles that are assigned to values in order of appearance.
    public nonisolated func chartForegroundStyleScale<S: ShapeStyle>(
        range: [S], type: ScaleType? = nil
    ) -> some View { chart { $0.inks.visuals = range } }
    /// Sets the order of values for the assignment of styles.
    public nonisolated func chartForegroundStyleScale<DataValue: Plottable>(
        domain: [DataValue], type: ScaleType? = nil
    ) -> some View {
        let plots = domain.map { $0.primitivePlottable._plot }
        return chart { $0.inks.domain = plots }
    }
    /// Assigns styles by a function; the legend follows `domain`.
    public nonisolated func chartForegroundStyleScale<DataValue: Plottable, S: ShapeStyle>(
        domain: [DataValue], mapping: @escaping (DataValue) -> S
    ) -> some View {
        let plots = domain.map { $0.primitivePlottable._plot }
        return chart { ($0.inks.domain, $0.inks.choose) = (plots, DataValue.choosing(mapping)) }
    }
    /// Assigns styles by a function.
    public nonisolated func chartForegroundStyleScale<DataValue: Plottable, S: ShapeStyle>(
        mapping: @escaping (DataValue) -> S
    ) -> some View { chart { $0.inks.choose = DataValue.choosing(mapping) } }
    /// Assigns numbers the colours of a gradient, from the smallest to the largest number.
    public nonisolated func chartForegroundStyleScale(range: Gradient, type: ScaleType? = nil) -> some View
    {
        chart { $0.gradient = range }
    }
    /// The same with the numbers at the ends of the gradient.
    public nonisolated func chartForegroundStyleScale<Domain: ScaleDomain>(
        domain: Domain, range: Gradient, type: ScaleType? = nil
    ) -> some View { chart { ($0.gradient, $0.gradientLimits) = (range, domain._domain.plots) } }

    /// Assigns a symbol to each value. The legend follows this order.
    public nonisolated func chartSymbolScale<DataValue: Plottable>(
        _ mapping: KeyValuePairs<DataValue, BasicChartSymbolShape>
    ) -> some View {
        let domain = mapping.map { $0.key.primitivePlottable._plot }
        let symbols = mapping.map(\.value)
        return chart { ($0.symbols.domain, $0.symbols.visuals) = (domain, symbols) }
    }
    /// Assigns symbols to values in order. After the last one the first follows again.
    public nonisolated func chartSymbolScale<DataValue: Plottable>(
        domain: [DataValue], range: [BasicChartSymbolShape]
    ) -> some View {
        let plots = domain.map { $0.primitivePlottable._plot }
        return chart { ($0.symbols.domain, $0.symbols.visuals) = (plots, range) }
    }

    // MARK: around the marks

    /// Sets the look of the plot: background, border and height.
    public nonisolated func chartPlotStyle<Content: View>(
        @ViewBuilder content: @escaping (ChartPlotContent) -> Content
    ) -> some View { chart { $0.plotStyle = { AnyView(content($0)) } } }
    /// Places a view behind the chart.
    public nonisolated func chartBackground<V: View>(
        alignment: Alignment = .center, @ViewBuilder content: @escaping (ChartProxy) -> V
    ) -> some View { chart { $0.background = (alignment, { AnyView(content($0)) }) } }
    /// Places a view in front of the chart.
    public nonisolated func chartOverlay<V: View>(
        alignment: Alignment = .center, @ViewBuilder content: @escaping (ChartProxy) -> V
    ) -> some View { chart { $0.overlay = (alignment, { AnyView(content($0)) }) } }
}

/// A view that changes the settings of the charts inside.
nonisolated struct ChartSettingView<Content: View>: View, PrimitiveView {
    typealias Body = Never
    let content: Content
    let change: (inout ChartSettings) -> Void

    @MainActor func nodes(in context: RenderContext) -> [RenderNode] {
        var inner = context
        change(&inner.environment.chart)
        return inner.nodes(of: content, at: "chart")
    }
}

extension Plottable {
    /// Converts a function of values to a function of plotted positions.
    fileprivate static func choosing<Visual: ShapeStyle>(
        _ mapping: @escaping (Self) -> Visual
    ) -> (ChartPlot) -> (any ShapeStyle)? {
        { plot in
            PrimitivePlottable._value(at: plot).flatMap { Self(primitivePlottable: $0) }.map(mapping)
        }
    }
}

extension ChartSettings.AxisSettings {
    fileprivate mutating func set(
        _ limits: ScaleLimits?, _ range: PlotDimensionScaleRange, _ type: ScaleType?
    ) {
        if let limits { self.limits = limits }
        self.range = range
        if let type { isLogarithmic = type.isLogarithmic }
    }
}
