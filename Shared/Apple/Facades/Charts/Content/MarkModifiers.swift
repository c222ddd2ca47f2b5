public import FoundationExtras
public import SwiftUI

/// Content whose marks look differently. What is said nearer to a mark wins.
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

    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some ChartContent {
        changed { $0.ink = .style(style) }
    }
    /// A colour for each value; the legend names them.
    public func foregroundStyle<D: Plottable>(by value: PlottableValue<D>) -> some ChartContent {
        changed { $0.ink = .by(Distinction(value)) }
    }
    /// - Parameter opacity: 0 to 1.
    public func opacity(_ opacity: Double) -> some ChartContent {
        changed { $0.opacity *= min(max(opacity, 0), 1) }
    }

    // MARK: form

    /// Points.
    public func cornerRadius(_ radius: CGFloat, style: RoundedCornerStyle = .continuous)
        -> some ChartContent
    {
        changed { $0.cornerRadius = radius }
    }
    /// Of bars and rectangles: another outline.
    public func clipShape<S: Shape>(_ shape: S, style: FillStyle = FillStyle()) -> some ChartContent {
        changed { $0.outline = { shape.path(in: $0) } }
    }
    /// Gradients go over the whole plot instead of over each mark.
    public func alignsMarkStylesWithPlotArea(_ aligns: Bool = true) -> some ChartContent {
        changed { $0.sharesGradient = aligns }
    }
    public func interpolationMethod(_ method: InterpolationMethod) -> some ChartContent {
        changed { $0.interpolation = method }
    }
    public func lineStyle(_ style: StrokeStyle) -> some ChartContent { changed { $0.line = style } }
    public func symbol<S: ChartSymbolShape>(_ symbol: S) -> some ChartContent {
        changed { $0.symbol = symbol._symbol }
    }
    /// A form for each value; the legend names them.
    public func symbol<D: Plottable>(by value: PlottableValue<D>) -> some ChartContent {
        changed { $0.symbolBy = Distinction(value) }
    }
    /// A view in place of a form.
    public func symbol<V: View>(@ViewBuilder symbol: () -> V) -> some ChartContent {
        let view = AnyView(symbol())
        return changed { $0.symbolView = view }
    }
    /// Points.
    public func symbolSize(_ size: CGSize) -> some ChartContent {
        changed { $0.symbolArea = Double(size.width * size.height) }
    }
    /// Square points.
    public func symbolSize(_ area: CGFloat) -> some ChartContent {
        changed { $0.symbolArea = Double(area) }
    }

    // MARK: place

    /// Beside each other instead of on each other, one place for each value.
    /// - Parameter axis: nil: the one that bars stand on.
    public func position<P: Plottable>(
        by value: PlottableValue<P>, axis: Axis? = nil, span: MarkDimension = .automatic
    ) -> some ChartContent {
        changed { $0.position = (Distinction(value), axis) }
    }
    /// Points.
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some ChartContent {
        changed { $0.offset = CGSize(width: $0.offset.width + x, height: $0.offset.height + y) }
    }
    public func offset(_ offset: CGSize) -> some ChartContent {
        self.offset(x: offset.width, y: offset.height)
    }
    /// Higher ones stand before lower ones.
    public func zIndex(_ value: Double) -> some ChartContent { changed { $0.order = value } }

    // MARK: notes

    /// A view beside the mark, or on it; kept inside of the chart.
    /// - Parameter spacing: points between the mark and the note; nil: 4.
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

    public func accessibilityLabel(_ label: LocalizedStringKey) -> some ChartContent {
        changed { $0.label = ChartWords.text(label) }
    }
    public func accessibilityLabel(_ label: Text) -> some ChartContent {
        changed { $0.label = ChartWords.text(label) }
    }
    @_disfavoredOverload
    public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some ChartContent {
        changed { $0.label = String(label) }
    }
    public func accessibilityValue(_ value: LocalizedStringKey) -> some ChartContent {
        changed { $0.value = ChartWords.text(value) }
    }
    public func accessibilityValue(_ value: Text) -> some ChartContent {
        changed { $0.value = ChartWords.text(value) }
    }
    @_disfavoredOverload
    public func accessibilityValue<S: StringProtocol>(_ value: S) -> some ChartContent {
        changed { $0.value = String(value) }
    }
    /// Left out of the table for readers who cannot see the chart.
    public func accessibilityHidden(_ hidden: Bool) -> some ChartContent {
        changed { $0.isHidden = hidden }
    }
}
