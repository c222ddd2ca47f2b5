/// Progress of a task: a bar, or a ring if the extent is unknown.
nonisolated public struct ProgressView<Label: View, CurrentValueLabel: View>: View, PrimitiveView {
    public typealias Body = Never
    let fraction: Double?
    let label: Label?
    let current: CurrentValueLabel?

    init(fraction: Double?, label: Label?, current: CurrentValueLabel?) {
        self.fraction = fraction.map { $0.isNaN ? 0 : min(max($0, 0), 1) }
        self.label = label
        self.current = current
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        let configuration = ProgressViewStyleConfiguration(
            fractionCompleted: fraction, label: label.map { .init(view: $0) },
            currentValueLabel: current.map { .init(view: $0) })
        let fallback: any ProgressViewStyle =
            fraction == nil ? CircularProgressViewStyle() : LinearProgressViewStyle()
        let style: any ProgressViewStyle = context.environment.styles.progress ?? fallback
        return context.nodes(styledBy: style, configuration)
    }
}
nonisolated extension ProgressView where CurrentValueLabel == EmptyView {
    /// A ring for an unknown extent.
    public init() where Label == EmptyView { self.init(fraction: nil, label: nil, current: nil) }
    /// A ring for an unknown extent, with a label.
    public init(@ViewBuilder label: () -> Label) { self.init(fraction: nil, label: label(), current: nil) }
    /// A ring for an unknown extent, with a localized label.
    public init(_ titleKey: LocalizedStringKey) where Label == Text {
        self.init(fraction: nil, label: Text(titleKey), current: nil)
    }
    /// A ring for an unknown extent, with a label that is not localized.
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S) where Label == Text {
        self.init(fraction: nil, label: Text(title), current: nil)
    }
    /// - Parameter value: clamped to 0 to `total`. Nil means unknown.
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1) where Label == EmptyView {
        self.init(fraction: Self.share(value, total), label: nil, current: nil)
    }
    /// - Parameter value: clamped to 0 to `total`. Nil means unknown.
    public init<V: BinaryFloatingPoint>(value: V?, total: V = 1, @ViewBuilder label: () -> Label) {
        self.init(fraction: Self.share(value, total), label: label(), current: nil)
    }
    /// - Parameter value: clamped to 0 to `total`. Nil means unknown.
    public init<V: BinaryFloatingPoint>(_ titleKey: LocalizedStringKey, value: V?, total: V = 1)
    where Label == Text { self.init(fraction: Self.share(value, total), label: Text(titleKey), current: nil) }
    /// - Parameter value: clamped to 0 to `total`. Nil means unknown.
    @_disfavoredOverload
    public init<S: StringProtocol, V: BinaryFloatingPoint>(_ title: S, value: V?, total: V = 1)
    where Label == Text { self.init(fraction: Self.share(value, total), label: Text(title), current: nil) }
}
nonisolated extension ProgressView {
    /// With a second label for the current value.
    public init<V: BinaryFloatingPoint>(
        value: V?, total: V = 1, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel
    ) { self.init(fraction: Self.share(value, total), label: label(), current: currentValueLabel()) }
    private static func share<V: BinaryFloatingPoint>(_ value: V?, _ total: V) -> Double? {
        value.map { total == 0 ? 0 : Double($0 / total) }
    }
}
nonisolated extension ProgressView
where
    Label == ProgressViewStyleConfiguration.Label,
    CurrentValueLabel == ProgressViewStyleConfiguration.CurrentValueLabel
{
    /// A progress view for styles that wrap another one.
    public init(_ configuration: ProgressViewStyleConfiguration) {
        self.init(
            fraction: configuration.fractionCompleted, label: configuration.label,
            current: configuration.currentValueLabel)
    }
}

/// Defines how progress looks.
@MainActor @preconcurrency public protocol ProgressViewStyle {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Configuration) -> Body
    typealias Configuration = ProgressViewStyleConfiguration
}
/// The parts of a progress view that a style arranges.
nonisolated public struct ProgressViewStyleConfiguration {
    /// The label of a progress view.
    nonisolated public struct Label: View, PrimitiveView {
        public typealias Body = Never
        let view: any View
        @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
            context.nodes(of: view, at: "label")
        }
    }
    /// The label of the current value.
    nonisolated public struct CurrentValueLabel: View, PrimitiveView {
        public typealias Body = Never
        let view: any View
        @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
            context.nodes(of: view, at: "current")
        }
    }
    /// From 0 to 1. Nil if unknown.
    public let fractionCompleted: Double?
    /// Nil if the program passed none.
    public let label: Label?
    /// Nil if the program passed none.
    public let currentValueLabel: CurrentValueLabel?
}

/// A bar. An unknown extent is shown as about a third.
nonisolated public struct LinearProgressViewStyle: ProgressViewStyle, Sendable {
    let tint: Color?
    /// In the tint of the environment.
    public init() { tint = nil }
    /// In a colour of its own.
    public init(tint: Color) { self.tint = tint }
    public func makeBody(configuration: Configuration) -> some View {
        VStack(alignment: .leading, spacing: 4) {
            configuration.label
            ProgressBar(fraction: configuration.fractionCompleted, tint: tint)
            configuration.currentValueLabel?.font(.caption).foregroundStyle(.secondary)
        }
    }
}
/// A ring. An unknown extent is shown as about a third, in gray.
nonisolated public struct CircularProgressViewStyle: ProgressViewStyle, Sendable {
    let tint: Color?
    /// In the tint of the environment.
    public init() { tint = nil }
    /// In a colour of its own.
    public init(tint: Color) { self.tint = tint }
    public func makeBody(configuration: Configuration) -> some View {
        VStack(spacing: 6) {
            ProgressRing(fraction: configuration.fractionCompleted, tint: tint)
            configuration.label?.foregroundStyle(.secondary)
            configuration.currentValueLabel?.font(.caption).foregroundStyle(.secondary)
        }
    }
}
/// A bar, or a ring for an unknown extent.
nonisolated public struct DefaultProgressViewStyle: ProgressViewStyle, Sendable {
    public init() {}
    public func makeBody(configuration: Configuration) -> some View {
        VStack(alignment: .leading, spacing: 4) {
            configuration.label
            if configuration.fractionCompleted == nil {
                ProgressRing(fraction: nil, tint: nil)
            } else {
                ProgressBar(fraction: configuration.fractionCompleted, tint: nil)
            }
            configuration.currentValueLabel?.font(.caption).foregroundStyle(.secondary)
        }
    }
}
nonisolated extension ProgressViewStyle where Self == LinearProgressViewStyle {
    /// A bar.
    public static var linear: LinearProgressViewStyle { LinearProgressViewStyle() }
}
nonisolated extension ProgressViewStyle where Self == CircularProgressViewStyle {
    /// A ring.
    public static var circular: CircularProgressViewStyle { CircularProgressViewStyle() }
}
nonisolated extension ProgressViewStyle where Self == DefaultProgressViewStyle {
    /// A bar, or a ring for an unknown extent.
    public static var automatic: DefaultProgressViewStyle { DefaultProgressViewStyle() }
}

extension RenderContext {
    @MainActor fileprivate func nodes<S: ProgressViewStyle>(
        styledBy style: S, _ configuration: ProgressViewStyleConfiguration
    ) -> [RenderNode] {
        guard install(propertiesOf: style) else { return [] }
        var inner = self
        inner.environment.styles.progress = nil
        return inner.nodes(of: style.makeBody(configuration: configuration), at: "progress")
    }
}

/// The bar of a `ProgressView`.
nonisolated struct ProgressBar: View, PrimitiveView {
    typealias Body = Never
    let fraction: Double?
    let tint: Color?
    @MainActor func nodes(in context: RenderContext) -> [RenderNode] {
        let environment = context.environment
        let paint = tint?.paint(in: environment) ?? TintShapeStyle().paint(in: environment)
        var done = RenderNode("div", style: ["height": "100%", "border-radius": "inherit"])
        done.style["width"] = CSS.percent(fraction ?? 0.35)
        done.style = done.style.merging(paint.fill(in: environment))
        var bar = RenderNode("div", children: [done]).progress(fraction)
        bar.style["height"] = "4px"
        bar.style["border-radius"] = "2px"
        bar.style["overflow"] = "hidden"
        bar.style["background"] = "light-dark(rgba(120,120,128,.2),rgba(120,120,128,.36))"
        bar.layout.growsWidth = true
        bar.layout.height = 4
        return [bar]
    }
}
/// The ring of a `ProgressView`.
nonisolated struct ProgressRing: View, PrimitiveView {
    typealias Body = Never
    let fraction: Double?
    let tint: Color?
    @MainActor func nodes(in context: RenderContext) -> [RenderNode] {
        let size = context.environment.controlSize == .large ? 36.0 : fraction == nil ? 20 : 28
        let line = StrokeStyle(lineWidth: size / 8, lineCap: .round)
        let ring = ZStack {
            Circle().stroke(Color.gray.opacity(0.25), style: line)
            Circle().trim(from: 0, to: fraction ?? 0.3)
                .stroke(
                    tint.map { AnyShapeStyle($0) } ?? AnyShapeStyle(fraction == nil ? .gray : .accentColor),
                    style: line
                )
                .rotationEffect(.degrees(-90))
        }
        .padding(size / 16).frame(width: size, height: size)
        return context.nodes(of: ring, at: "ring").map { $0.progress(fraction) }
    }
}
extension RenderNode {
    func progress(_ fraction: Double?) -> RenderNode {
        var node = with("role", "progressbar").with("aria-valuemin", "0").with("aria-valuemax", "100")
        node.reading = .silent
        guard let fraction else { return node.with("aria-label", "Loading") }
        node[attribute: "aria-valuenow"] = CSS.number((fraction * 100).rounded())
        node[attribute: "aria-label"] = "\(CSS.number((fraction * 100).rounded())) %"
        node.reading = .text("\(CSS.number((fraction * 100).rounded())) %")
        return node
    }
}
nonisolated extension View {
    /// Sets the style of progress views inside this view.
    public func progressViewStyle<S: ProgressViewStyle>(_ style: S) -> some View {
        drawn(with: style) { style, context in context.environment.styles.progress = style }
    }
}
