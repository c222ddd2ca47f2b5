public import FoundationExtras
public import SwiftUI

/// Content with a changed look of its marks. Modifiers closer to a mark take precedence.
nonisolated public struct ModifiedChartContent<Content: ChartContent>: ChartContent {
    public typealias Body = Never
    let content: Content
    let change: (inout MarkStyle) -> Void

    init(_ content: Content, _ change: @escaping (inout MarkStyle) -> Void) {
        self.content = content
        self.change = change
    }
}

extension ModifiedChartContent: PrimitiveChartContent {
    @MainActor func add(to marks: inout MarkList, _ style: MarkStyle) {
        var inner = style
        inner.depth += 1
        change(&inner)
        content.collect(&marks, inner)
    }
}

nonisolated extension ChartContent {
    func changed(_ change: @escaping (inout MarkStyle) -> Void) -> ModifiedChartContent<Self> {
        ModifiedChartContent(self, change)
    }

    // MARK: colour

    /// Sets the style of marks.
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some ChartContent {
        changed { $0.ink = .style(style) }
    }
    /// Assigns a colour to each value; the legend shows them.
    public func foregroundStyle<D: Plottable>(by value: PlottableValue<D>) -> some ChartContent {
        changed { $0.ink = .by(Distinction(value)) }
    }
    /// - Parameter opacity: 0 to 1. Multiplied with outer values.
    public func opacity(_ opacity: Double) -> some ChartContent {
        changed { $0.opacity *= min(max(opacity, 0), 1) }
    }

    // MARK: form

    /// - Parameter radius: in points, for bars, rectangles and sectors.
    public func cornerRadius(_ radius: CGFloat, style: RoundedCornerStyle = .continuous)
        -> some ChartContent
    {
        changed { $0.cornerRadius = radius }
    }
    /// Sets another outline for bars and rectangles.
    public func clipShape<S: Shape>(_ shape: S, style: FillStyle = FillStyle()) -> some ChartContent {
        changed { $0.outline = { shape.path(in: $0) } }
    }
    /// Sets whether gradients extend over the whole plot instead of each mark.
    public func alignsMarkStylesWithPlotArea(_ aligns: Bool = true) -> some ChartContent {
        changed { $0.sharesGradient = aligns }
    }
    /// Sets how lines run between their points.
    public func interpolationMethod(_ method: InterpolationMethod) -> some ChartContent {
        changed { $0.interpolation = method }
    }
    /// Sets the line of lines and rules.
    public func lineStyle(_ style: StrokeStyle) -> some ChartContent { changed { $0.line = style } }
    /// Sets the symbol of points.
    public func symbol<S: ChartSymbolShape>(_ symbol: S) -> some ChartContent {
        changed { $0.symbol = symbol._symbol }
    }
    /// Assigns a symbol to each value; the legend shows them.
    public func symbol<D: Plottable>(by value: PlottableValue<D>) -> some ChartContent {
        changed { $0.symbolBy = Distinction(value) }
    }
    /// Shows a view instead of a symbol.
    public func symbol<V: View>(@ViewBuilder symbol: () -> V) -> some ChartContent {
        let view = AnyView(symbol())
        return changed { $0.symbolView = view }
    }
    /// In points. Only the area matters.
    public func symbolSize(_ size: CGSize) -> some ChartContent {
        changed { $0.symbolArea = Double(size.width * size.height) }
    }
    /// In square points.
    public func symbolSize(_ area: CGFloat) -> some ChartContent {
        changed { $0.symbolArea = Double(area) }
    }

    // MARK: place

    /// Places marks side by side instead of stacked, with one position for each value.
    /// - Parameter axis: if nil, the axis on which bars stand. `span` is ignored.
    public func position<P: Plottable>(
        by value: PlottableValue<P>, axis: Axis? = nil, span: MarkDimension = .automatic
    ) -> some ChartContent {
        changed { $0.position = (Distinction(value), axis) }
    }
    /// Moves marks by points.
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some ChartContent {
        changed { $0.offset = CGSize(width: $0.offset.width + x, height: $0.offset.height + y) }
    }
    /// The same with one value.
    public func offset(_ offset: CGSize) -> some ChartContent {
        self.offset(x: offset.width, y: offset.height)
    }
    /// Marks with higher values are in front.
    public func zIndex(_ value: Double) -> some ChartContent { changed { $0.order = value } }

    // MARK: notes

    /// Adds a view next to the mark or on it, inside the chart.
    /// - Parameter spacing: in points; nil means 4.
    public func annotation<C: View>(
        position: AnnotationPosition = .automatic, alignment: Alignment = .center, spacing: CGFloat? = nil,
        overflowResolution: AnnotationOverflowResolution = .automatic,
        @ViewBuilder content: @escaping () -> C
    ) -> some ChartContent {
        annotation(
            position: position, alignment: alignment, spacing: spacing,
            overflowResolution: overflowResolution
        ) { (_: AnnotationContext) in content() }
    }

    /// The same with the size of the mark.
    public func annotation<C: View>(
        position: AnnotationPosition = .automatic, alignment: Alignment = .center, spacing: CGFloat? = nil,
        overflowResolution: AnnotationOverflowResolution = .automatic,
        @ViewBuilder content: @escaping (AnnotationContext) -> C
    ) -> some ChartContent {
        let note = MarkStyle.Note(
            position: position, alignment: alignment, spacing: spacing.map { Double($0) },
            overflow: overflowResolution, content: { AnyView(content($0)) })
        return changed { $0.notes.append(note) }
    }

    // MARK: for readers who cannot see the chart

    /// Sets the label of the mark in the table for assistive technology.
    public func accessibilityLabel(_ label: LocalizedStringKey) -> some ChartContent {
        changed { $0.label = ChartWords.text(label) }
    }
    /// Sets the label of the mark in the table for assistive technology.
    public func accessibilityLabel(_ label: Text) -> some ChartContent {
        changed { $0.label = ChartWords.text(label) }
    }
    /// Sets the label of the mark in the table for assistive technology.
    @_disfavoredOverload
    public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some ChartContent {
        changed { $0.label = String(label) }
    }
    /// Sets the value of the mark in the table for assistive technology.
    public func accessibilityValue(_ value: LocalizedStringKey) -> some ChartContent {
        changed { $0.value = ChartWords.text(value) }
    }
    /// Sets the value of the mark in the table for assistive technology.
    public func accessibilityValue(_ value: Text) -> some ChartContent {
        changed { $0.value = ChartWords.text(value) }
    }
    /// Sets the value of the mark in the table for assistive technology.
    @_disfavoredOverload
    public func accessibilityValue<S: StringProtocol>(_ value: S) -> some ChartContent {
        changed { $0.value = String(value) }
    }
    /// Leaves the mark out of the table for assistive technology.
    public func accessibilityHidden(_ hidden: Bool) -> some ChartContent {
        changed { $0.isHidden = hidden }
    }
}
