/// A value within a range.
nonisolated public struct Gauge<
    Label: View, CurrentValueLabel: View, BoundsLabel: View, MarkedValueLabels: View
>:
    View, PrimitiveView
{
    public typealias Body = Never
    let configuration: GaugeStyleConfiguration

    init(
        fraction: Double, label: Label, current: CurrentValueLabel?, minimum: BoundsLabel?,
        maximum: BoundsLabel?
    ) {
        typealias Part = GaugeStyleConfiguration.Part
        configuration = GaugeStyleConfiguration(
            value: fraction.isNaN ? 0 : min(max(fraction, 0), 1), label: Part(view: label),
            currentValueLabel: current.map { Part(view: $0) },
            minimumValueLabel: minimum.map { Part(view: $0) },
            maximumValueLabel: maximum.map { Part(view: $0) })
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        let style: any GaugeStyle = context.environment.styles.gauge ?? LinearCapacityGaugeStyle()
        return context.nodes(styledBy: style, configuration)
    }
}
private func share<V: BinaryFloatingPoint>(_ value: V, _ bounds: ClosedRange<V>) -> Double {
    let length = bounds.upperBound - bounds.lowerBound
    return length == 0 ? 0 : Double((value - bounds.lowerBound) / length)
}
nonisolated extension Gauge where MarkedValueLabels == EmptyView {
    /// Without a current value and bounds.
    public init<V: BinaryFloatingPoint>(
        value: V, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label
    ) where CurrentValueLabel == EmptyView, BoundsLabel == EmptyView {
        self.init(fraction: share(value, bounds), label: label(), current: nil, minimum: nil, maximum: nil)
    }
    /// With a label for the current value.
    public init<V: BinaryFloatingPoint>(
        value: V, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel
    ) where BoundsLabel == EmptyView {
        self.init(
            fraction: share(value, bounds), label: label(), current: currentValueLabel(), minimum: nil,
            maximum: nil)
    }
    /// With labels for the current value and both bounds.
    public init<V: BinaryFloatingPoint>(
        value: V, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel,
        @ViewBuilder minimumValueLabel: () -> BoundsLabel,
        @ViewBuilder maximumValueLabel: () -> BoundsLabel
    ) {
        self.init(
            fraction: share(value, bounds), label: label(), current: currentValueLabel(),
            minimum: minimumValueLabel(), maximum: maximumValueLabel())
    }
}

/// Defines how gauges look.
@MainActor @preconcurrency public protocol GaugeStyle {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Configuration) -> Body
    typealias Configuration = GaugeStyleConfiguration
}
/// The parts of a gauge that a style arranges.
nonisolated public struct GaugeStyleConfiguration {
    /// A label of a gauge.
    nonisolated public struct Part: View, PrimitiveView {
        public typealias Body = Never
        let view: any View
        @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
            context.nodes(of: view, at: "part")
        }
    }
    /// As Apple names it.
    public typealias Label = Part
    /// As Apple names it.
    public typealias CurrentValueLabel = Part
    /// As Apple names it.
    public typealias MinimumValueLabel = Part
    /// As Apple names it.
    public typealias MaximumValueLabel = Part
    /// From 0 to 1.
    public var value: Double
    /// What is measured.
    public var label: Label
    /// Nil if the program passed none.
    public var currentValueLabel: CurrentValueLabel?
    /// Nil if the program passed none.
    public var minimumValueLabel: MinimumValueLabel?
    /// Nil if the program passed none.
    public var maximumValueLabel: MaximumValueLabel?
}
/// A bar with the label above and the current value below.
nonisolated public struct LinearCapacityGaugeStyle: GaugeStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View {
        VStack(alignment: .leading, spacing: 4) {
            configuration.label
            HStack {
                configuration.minimumValueLabel?.font(.caption)
                ProgressBar(fraction: configuration.value, tint: nil).gauge(configuration.value)
                configuration.maximumValueLabel?.font(.caption)
            }
            configuration.currentValueLabel?.font(.caption).foregroundStyle(.secondary)
        }
    }
}
/// A ring with the current value inside.
nonisolated public struct AccessoryCircularCapacityGaugeStyle: GaugeStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View {
        ZStack {
            Circle().stroke(Color.gray.opacity(0.25), lineWidth: 6)
            Circle().trim(from: 0, to: configuration.value)
                .stroke(TintShapeStyle(), style: StrokeStyle(lineWidth: 6, lineCap: .round))
                .rotationEffect(.degrees(-90))
            configuration.currentValueLabel?.font(.system(size: 17, weight: .semibold))
        }
        .padding(3).frame(width: 58, height: 58).gauge(configuration.value)
    }
}
/// An open ring with the current value inside.
nonisolated public struct AccessoryCircularGaugeStyle: GaugeStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View {
        let line = StrokeStyle(lineWidth: 6, lineCap: .round)
        ZStack {
            Circle().trim(from: 0, to: 0.75).stroke(Color.gray.opacity(0.25), style: line)
                .rotationEffect(.degrees(135))
            Circle().trim(from: 0, to: 0.75 * configuration.value).stroke(TintShapeStyle(), style: line)
                .rotationEffect(.degrees(135))
            configuration.currentValueLabel?.font(.system(size: 17, weight: .semibold))
        }
        .padding(3).frame(width: 58, height: 58).gauge(configuration.value)
    }
}
nonisolated extension GaugeStyle where Self == LinearCapacityGaugeStyle {
    /// A bar.
    public static var automatic: LinearCapacityGaugeStyle { LinearCapacityGaugeStyle() }
    /// A bar.
    public static var linearCapacity: LinearCapacityGaugeStyle { LinearCapacityGaugeStyle() }
    /// The same bar as `linearCapacity`.
    public static var accessoryLinear: LinearCapacityGaugeStyle { LinearCapacityGaugeStyle() }
    /// The same bar as `linearCapacity`.
    public static var accessoryLinearCapacity: LinearCapacityGaugeStyle { LinearCapacityGaugeStyle() }
}
nonisolated extension GaugeStyle where Self == AccessoryCircularCapacityGaugeStyle {
    /// A closed ring, filled clockwise from the top.
    public static var accessoryCircularCapacity: AccessoryCircularCapacityGaugeStyle {
        AccessoryCircularCapacityGaugeStyle()
    }
}
nonisolated extension GaugeStyle where Self == AccessoryCircularGaugeStyle {
    /// A ring that is open at the bottom.
    public static var accessoryCircular: AccessoryCircularGaugeStyle { AccessoryCircularGaugeStyle() }
}
extension RenderContext {
    @MainActor fileprivate func nodes<S: GaugeStyle>(
        styledBy style: S, _ configuration: GaugeStyleConfiguration
    ) -> [RenderNode] {
        guard install(propertiesOf: style) else { return [] }
        return nodes(of: style.makeBody(configuration: configuration), at: "gauge")
    }
}
nonisolated extension View {
    /// Sets the style of gauges inside this view.
    public func gaugeStyle<S: GaugeStyle>(_ style: S) -> some View {
        drawn(with: style) { style, context in context.environment.styles.gauge = style }
    }
    fileprivate func gauge(_ fraction: Double) -> some View {
        node { node, _ in node.progress(fraction).with("role", "meter") }
    }
}
