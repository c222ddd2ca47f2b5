public import Foundation

/// A view that depends on the size of its place. A page has none before it is shown: the size told is the
/// one it
/// has on a page of 390 points, and widths calculated from it are drawn as shares of the real one.
nonisolated public struct GeometryReader<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    public var content: (GeometryProxy) -> Content
    public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { self.content = content }

    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        // The odd part tells calculated widths from written ones, which are round.
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

/// The size of a place, in points.
nonisolated public struct GeometryProxy: Sendable {
    public let size: CGSize
    public var safeAreaInsets: EdgeInsets { EdgeInsets() }
    /// The place in a space of coordinates; every space begins at the place itself.
    public func frame(in space: CoordinateSpace) -> CGRect { CGRect(origin: .zero, size: size) }
    public func frame(in space: some CoordinateSpaceProtocol) -> CGRect { CGRect(origin: .zero, size: size) }
    public subscript<T>(anchor: Anchor<T>) -> T { anchor.value }
}
/// A place that a view handed up. Only values can be, not places on the page.
nonisolated public struct Anchor<Value> {
    let value: Value
}
/// What coordinates are counted from.
nonisolated public enum CoordinateSpace: Hashable {
    case global
    case local
    case named(AnyHashable)
}
/// What coordinates are counted from.
public protocol CoordinateSpaceProtocol {
    var coordinateSpace: CoordinateSpace { get }
}
nonisolated public struct NamedCoordinateSpace: CoordinateSpaceProtocol, Equatable {
    let name: AnyHashable
    public var coordinateSpace: CoordinateSpace { .named(name) }
}
nonisolated public struct LocalCoordinateSpace: CoordinateSpaceProtocol, Sendable {
    public var coordinateSpace: CoordinateSpace { .local }
}
nonisolated public struct GlobalCoordinateSpace: CoordinateSpaceProtocol, Sendable {
    public var coordinateSpace: CoordinateSpace { .global }
}
nonisolated extension CoordinateSpaceProtocol where Self == NamedCoordinateSpace {
    public static func named(_ name: some Hashable) -> NamedCoordinateSpace {
        NamedCoordinateSpace(name: AnyHashable(name))
    }
}
nonisolated extension CoordinateSpaceProtocol where Self == LocalCoordinateSpace {
    public static var local: LocalCoordinateSpace { LocalCoordinateSpace() }
}
nonisolated extension CoordinateSpaceProtocol where Self == GlobalCoordinateSpace {
    public static var global: GlobalCoordinateSpace { GlobalCoordinateSpace() }
}

/// The first of several views that fits. Widths are guesses; the last one is taken when none fits.
nonisolated public struct ViewThatFits<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let content: Content
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

/// The moment that a `TimelineView` is drawn for.
nonisolated public struct TimelineViewDefaultContext: Sendable {
    /// How often the view is drawn anew.
    nonisolated public enum Cadence: Comparable, Sendable {
        case live
        case seconds
        case minutes
    }
    public let date: Date
    public let cadence = Cadence.live
}

/// A view that depends on the time: drawn for the moment of the drawing.
nonisolated public struct TimelineView<Schedule: TimelineSchedule, Content: View>: View {
    public typealias Context = TimelineViewDefaultContext
    let content: (Context) -> Content
    public init(_ schedule: Schedule, @ViewBuilder content: @escaping (TimelineViewDefaultContext) -> Content)
    {
        self.content = content
    }
    public var body: some View { content(Context(date: Date())) }
}
/// When a timeline is drawn anew.
public protocol TimelineSchedule {}
nonisolated public struct PeriodicTimelineSchedule: TimelineSchedule, Sendable {}
nonisolated public struct EveryMinuteTimelineSchedule: TimelineSchedule, Sendable {}
nonisolated public struct AnimationTimelineSchedule: TimelineSchedule, Sendable {}
nonisolated extension TimelineSchedule where Self == PeriodicTimelineSchedule {
    public static func periodic(from startDate: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule {
        PeriodicTimelineSchedule()
    }
}
nonisolated extension TimelineSchedule where Self == EveryMinuteTimelineSchedule {
    public static var everyMinute: EveryMinuteTimelineSchedule { EveryMinuteTimelineSchedule() }
}
nonisolated extension TimelineSchedule where Self == AnimationTimelineSchedule {
    public static var animation: AnimationTimelineSchedule { AnimationTimelineSchedule() }
    public static func animation(minimumInterval: Double? = nil, paused: Bool = false)
        -> AnimationTimelineSchedule
    {
        AnimationTimelineSchedule()
    }
}
