public import FoundationExtras
public import SwiftUI

extension View {
    nonisolated func chart(_ change: @escaping (inout ChartSettings) -> Void) -> some View {
        ChartSettingView(content: self, change: change)
    }

    // MARK: axes

    public nonisolated func chartXAxis(_ visibility: Visibility) -> some View {
        chart { $0.x.visibility = visibility }
    }
    public nonisolated func chartYAxis(_ visibility: Visibility) -> some View {
        chart { $0.y.visibility = visibility }
    }
    public nonisolated func chartXAxis<Content: AxisContent>(
        @AxisContentBuilder content: () -> Content
    ) -> some View {
        let recipes = content()._recipes
        return chart { $0.x.recipes = recipes }
    }
    public nonisolated func chartYAxis<Content: AxisContent>(
        @AxisContentBuilder content: () -> Content
    ) -> some View {
        let recipes = content()._recipes
        return chart { $0.y.recipes = recipes }
    }

    public nonisolated func chartXScale<Domain: ScaleDomain>(
        domain: Domain, range: PlotDimensionScaleRange = .plotDimension, type: ScaleType? = nil
    ) -> some View { chart { $0.x.set(domain._domain, range, type) } }
    public nonisolated func chartYScale<Domain: ScaleDomain>(
        domain: Domain, range: PlotDimensionScaleRange = .plotDimension, type: ScaleType? = nil
    ) -> some View { chart { $0.y.set(domain._domain, range, type) } }
    public nonisolated func chartXScale(
        range: PlotDimensionScaleRange = .plotDimension, type: ScaleType? = nil
    ) -> some View { chart { $0.x.set(nil, range, type) } }
    public nonisolated func chartYScale(
        range: PlotDimensionScaleRange = .plotDimension, type: ScaleType? = nil
    ) -> some View { chart { $0.y.set(nil, range, type) } }

    /// Words beside the axis.
    public nonisolated func chartXAxisLabel(
        _ labelKey: LocalizedStringKey, position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil, spacing: CGFloat? = nil
    ) -> some View { chart { $0.x.title = ChartTitle(Text(labelKey), position, alignment) } }
    @_disfavoredOverload
    public nonisolated func chartXAxisLabel<S: StringProtocol>(
        _ label: S, position: AnnotationPosition = .automatic, alignment: Alignment? = nil,
        spacing: CGFloat? = nil
    ) -> some View { chart { $0.x.title = ChartTitle(Text(label), position, alignment) } }
    /// The words of a view beside the axis.
    public nonisolated func chartXAxisLabel<C: View>(
        position: AnnotationPosition = .automatic, alignment: Alignment? = nil, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> C
    ) -> some View {
        let view = content()
        return chart { $0.x.title = ChartTitle(view, position, alignment) }
    }

    /// Words beside the axis.
    public nonisolated func chartYAxisLabel(
        _ labelKey: LocalizedStringKey, position: AnnotationPosition = .automatic,
        alignment: Alignment? = nil, spacing: CGFloat? = nil
    ) -> some View { chart { $0.y.title = ChartTitle(Text(labelKey), position, alignment) } }
    @_disfavoredOverload
    public nonisolated func chartYAxisLabel<S: StringProtocol>(
        _ label: S, position: AnnotationPosition = .automatic, alignment: Alignment? = nil,
        spacing: CGFloat? = nil
    ) -> some View { chart { $0.y.title = ChartTitle(Text(label), position, alignment) } }
    /// The words of a view beside the axis.
    public nonisolated func chartYAxisLabel<C: View>(
        position: AnnotationPosition = .automatic, alignment: Alignment? = nil, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> C
    ) -> some View {
        let view = content()
        return chart { $0.y.title = ChartTitle(view, position, alignment) }
    }

    // MARK: legend

    public nonisolated func chartLegend(_ visibility: Visibility) -> some View {
        chart { $0.legend.visibility = visibility }
    }
    public nonisolated func chartLegend(
        position: AnnotationPosition = .automatic, alignment: Alignment? = nil, spacing: CGFloat? = nil
    ) -> some View { chart { ($0.legend.position, $0.legend.alignment) = (position, alignment) } }
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

    public nonisolated func chartForegroundStyleScale<DataValue: Plottable, S: ShapeStyle>(
        _ mapping: KeyValuePairs<DataValue, S>
    ) -> some View {
        let domain = mapping.map { $0.key.primitivePlottable._plot }
        let styles = mapping.map { $0.value as any ShapeStyle }
        return chart { ($0.inks.domain, $0.inks.visuals) = (domain, styles) }
    }
    /// The first value has the first style; after the last, they begin anew.
    public nonisolated func chartForegroundStyleScale<DataValue: Plottable, S: ShapeStyle>(
        domain: [DataValue], range: [S], type: ScaleType? = nil
    ) -> some View {
        let plots = domain.map { $0.primitivePlottable._plot }
        return chart { ($0.inks.domain, $0.inks.visuals) = (plots, range) }
    }
    public nonisolated func chartForegroundStyleScale<S: ShapeStyle>(
        range: [S], type: ScaleType? = nil
    ) -> some View { chart { $0.inks.visuals = range } }
    public nonisolated func chartForegroundStyleScale<DataValue: Plottable>(
        domain: [DataValue], type: ScaleType? = nil
    ) -> some View {
        let plots = domain.map { $0.primitivePlottable._plot }
        return chart { $0.inks.domain = plots }
    }
    public nonisolated func chartForegroundStyleScale<DataValue: Plottable, S: ShapeStyle>(
        domain: [DataValue], mapping: @escaping (DataValue) -> S
    ) -> some View {
        let plots = domain.map { $0.primitivePlottable._plot }
        return chart { ($0.inks.domain, $0.inks.choose) = (plots, DataValue.choosing(mapping)) }
    }
    public nonisolated func chartForegroundStyleScale<DataValue: Plottable, S: ShapeStyle>(
        mapping: @escaping (DataValue) -> S
    ) -> some View { chart { $0.inks.choose = DataValue.choosing(mapping) } }
    /// Numbers have the colours between the ends of the gradient.
    public nonisolated func chartForegroundStyleScale(range: Gradient, type: ScaleType? = nil) -> some View
    {
        chart { $0.gradient = range }
    }
    public nonisolated func chartForegroundStyleScale<Domain: ScaleDomain>(
        domain: Domain, range: Gradient, type: ScaleType? = nil
    ) -> some View { chart { ($0.gradient, $0.gradientLimits) = (range, domain._domain.plots) } }

    public nonisolated func chartSymbolScale<DataValue: Plottable>(
        _ mapping: KeyValuePairs<DataValue, BasicChartSymbolShape>
    ) -> some View {
        let domain = mapping.map { $0.key.primitivePlottable._plot }
        let symbols = mapping.map(\.value)
        return chart { ($0.symbols.domain, $0.symbols.visuals) = (domain, symbols) }
    }
    public nonisolated func chartSymbolScale<DataValue: Plottable>(
        domain: [DataValue], range: [BasicChartSymbolShape]
    ) -> some View {
        let plots = domain.map { $0.primitivePlottable._plot }
        return chart { ($0.symbols.domain, $0.symbols.visuals) = (plots, range) }
    }

    // MARK: around the marks

    /// What the plot looks like: its ground, its border and its height.
    public nonisolated func chartPlotStyle<Content: View>(
        @ViewBuilder content: @escaping (ChartPlotContent) -> Content
    ) -> some View { chart { $0.plotStyle = { AnyView(content($0)) } } }
    /// A view behind the whole chart.
    public nonisolated func chartBackground<V: View>(
        alignment: Alignment = .center, @ViewBuilder content: @escaping (ChartProxy) -> V
    ) -> some View { chart { $0.background = (alignment, { AnyView(content($0)) }) } }
    /// A view before the whole chart.
    public nonisolated func chartOverlay<V: View>(
        alignment: Alignment = .center, @ViewBuilder content: @escaping (ChartProxy) -> V
    ) -> some View { chart { $0.overlay = (alignment, { AnyView(content($0)) }) } }
}

/// A view whose charts look differently.
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
    /// A choice by values as a choice by places.
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
