public import Foundation

/// A view that depends on the size available to it. The size is unknown before the page is shown, so the
/// reader receives the size for a page 390 points wide, and widths computed from it are rendered as fractions
/// of the real one.
nonisolated public struct GeometryReader<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    /// Called once, with the assumed size.
    public var content: (GeometryProxy) -> Content
    /// Fills the available width and at least the proposed height.
    public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { self.content = content }

    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        // The odd fraction distinguishes computed widths from literal ones, which are round.
        let width = CGFloat((context.proposal.width ?? 358).rounded()) + 0.0137
        let height = CGFloat(context.proposal.height ?? 200)
        var inner = context
        inner.axis = nil
        inner.geometry = CGSize(width: width, height: height)
        inner.proposal.width = Double(width)
        inner.proposal.height = context.proposal.height
        let nodes = inner.nodes(
            of: content(GeometryProxy(size: CGSize(width: width, height: height))), at: "g")
        var reader = RenderNode("div", children: nodes.map { $0.cell() })
        reader.reading = .lines
        reader.style = [
            "container-type": "inline-size", "display": "grid", "place-items": "start",
            "grid-template": "minmax(0,auto)/minmax(0,1fr)", "min-height": "10px", "width": "100%",
        ]
        reader.children = reader.children.map { child in
            var child = child
            child.style["grid-area"] = "1/1"
            return child
        }
        reader.layout.growsWidth = true
        reader.layout.growsHeight = true
        reader.layout.readsWidth = true
        return [reader]
    }
}

/// The available size in points.
nonisolated public struct GeometryProxy: Sendable {
    /// As on a page 390 points wide.
    public let size: CGSize
    /// Always zero.
    public var safeAreaInsets: EdgeInsets { EdgeInsets() }
    /// The rectangle in a coordinate space. Every space starts at the view itself.
    public func frame(in space: CoordinateSpace) -> CGRect { CGRect(origin: .zero, size: size) }
    /// The same for a coordinate space value.
    public func frame(in space: some CoordinateSpaceProtocol) -> CGRect { CGRect(origin: .zero, size: size) }
    /// The value behind the anchor.
    public subscript<T>(anchor: Anchor<T>) -> T { anchor.value }
}
/// A value that a view passed up. It does not track positions on the page.
nonisolated public struct Anchor<Value> {
    let value: Value
}
/// The origin of coordinates. All spaces coincide here.
nonisolated public enum CoordinateSpace: Hashable {
    case global
    case local
    case named(AnyHashable)
}
/// A coordinate space as a value.
public protocol CoordinateSpaceProtocol {
    var coordinateSpace: CoordinateSpace { get }
}
/// A space that a view names.
nonisolated public struct NamedCoordinateSpace: CoordinateSpaceProtocol, Equatable {
    let name: AnyHashable
    public var coordinateSpace: CoordinateSpace { .named(name) }
}
/// The space of the view itself.
nonisolated public struct LocalCoordinateSpace: CoordinateSpaceProtocol, Sendable {
    public var coordinateSpace: CoordinateSpace { .local }
}
/// The space of the page; the same as ``LocalCoordinateSpace`` here.
nonisolated public struct GlobalCoordinateSpace: CoordinateSpaceProtocol, Sendable {
    public var coordinateSpace: CoordinateSpace { .global }
}
nonisolated extension CoordinateSpaceProtocol where Self == NamedCoordinateSpace {
    /// The space named by `coordinateSpace`; starts at the view that reads it.
    public static func named(_ name: some Hashable) -> NamedCoordinateSpace {
        NamedCoordinateSpace(name: AnyHashable(name))
    }
}
nonisolated extension CoordinateSpaceProtocol where Self == LocalCoordinateSpace {
    /// The space of the view itself.
    public static var local: LocalCoordinateSpace { LocalCoordinateSpace() }
}
nonisolated extension CoordinateSpaceProtocol where Self == GlobalCoordinateSpace {
    /// The same as ``local`` here.
    public static var global: GlobalCoordinateSpace { GlobalCoordinateSpace() }
}

/// The first of several views that fits, judged by estimated widths; otherwise the last.
nonisolated public struct ViewThatFits<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let content: Content
    /// - Parameter axes: ignored; only the width is compared.
    public init(in axes: Axis.Set = [.horizontal, .vertical], @ViewBuilder content: () -> Content) {
        self.content = content()
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        let all = context.nodes(of: content, at: "fits")
        let fitting = all.first { node in
            guard let place = context.proposal.width, let width = node.layout.width else { return true }
            return width <= place
        }
        return (fitting ?? all.last).map { [$0] } ?? []
    }
}

/// The instant for which a `TimelineView` is rendered.
nonisolated public struct TimelineViewDefaultContext: Sendable {
    /// How often the view is updated.
    nonisolated public enum Cadence: Comparable, Sendable {
        case live
        case seconds
        case minutes
    }
    /// The instant of rendering.
    public let date: Date
    /// Always `live`, although the view is rendered once.
    public let cadence = Cadence.live
}

/// A view that depends on the time. Rendered once, for the instant of rendering.
nonisolated public struct TimelineView<Schedule: TimelineSchedule, Content: View>: View {
    /// As Apple names it.
    public typealias Context = TimelineViewDefaultContext
    let content: (Context) -> Content
    /// The schedule is ignored.
    public init(_ schedule: Schedule, @ViewBuilder content: @escaping (TimelineViewDefaultContext) -> Content)
    {
        self.content = content
    }
    public var body: some View { content(Context(date: Date())) }
}
/// When a timeline is updated. Ignored: a page is rendered once.
public protocol TimelineSchedule {}
/// Ignored, as every schedule.
nonisolated public struct PeriodicTimelineSchedule: TimelineSchedule, Sendable {}
/// Ignored, as every schedule.
nonisolated public struct EveryMinuteTimelineSchedule: TimelineSchedule, Sendable {}
/// Ignored, as every schedule.
nonisolated public struct AnimationTimelineSchedule: TimelineSchedule, Sendable {}
nonisolated extension TimelineSchedule where Self == PeriodicTimelineSchedule {
    /// Both parameters are ignored.
    public static func periodic(from startDate: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule {
        PeriodicTimelineSchedule()
    }
}
nonisolated extension TimelineSchedule where Self == EveryMinuteTimelineSchedule {
    /// Ignored, as every schedule.
    public static var everyMinute: EveryMinuteTimelineSchedule { EveryMinuteTimelineSchedule() }
}
nonisolated extension TimelineSchedule where Self == AnimationTimelineSchedule {
    /// Ignored, as every schedule.
    public static var animation: AnimationTimelineSchedule { AnimationTimelineSchedule() }
    /// Both parameters are ignored.
    public static func animation(minimumInterval: Double? = nil, paused: Bool = false)
        -> AnimationTimelineSchedule
    {
        AnimationTimelineSchedule()
    }
}
