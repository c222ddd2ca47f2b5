public import SwiftUI

/// The content of a chart: marks, or content composed of marks.
@MainActor @preconcurrency
public protocol ChartContent {
    associatedtype Body: ChartContent
    /// The content that this content consists of.
    @ChartContentBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: ChartContent {}

extension ChartContent where Body == Never {
    public var body: Never {
        preconditionFailure("\(Self.self) is primitive content and has no body.")
    }
}

/// Content that this module draws itself.
protocol PrimitiveChartContent {
    /// Adds its marks to the list.
    @MainActor func add(to marks: inout MarkList, _ style: MarkStyle)
}

extension ChartContent {
    /// Collects the marks of this content, up to the maximum for a chart.
    @MainActor func collect(_ marks: inout MarkList, _ style: MarkStyle) {
        guard marks.count < ChartLimits.marksMax, marks.endless == nil else { return }
        guard style.depth < ChartLimits.depthMax else { return marks.endless = "\(Self.self)" }
        if let primitive = self as? any PrimitiveChartContent { return primitive.add(to: &marks, style) }
        var inner = style
        inner.depth += 1
        body.collect(&marks, inner)
    }
}

/// Collects marks.
struct MarkList {
    private(set) var marks: [Mark] = []
    /// The type of content that contains itself endlessly.
    var endless: String?

    var count: Int { marks.count }
    mutating func append(_ mark: Mark) { marks.append(mark) }
}

/// Limits of a chart.
enum ChartLimits {
    /// Maximum number of marks. Further marks are left out, and the chart says so.
    static let marksMax = 20_000
    /// Maximum nesting of content.
    static let depthMax = 200
    /// Maximum number of rows in the table for assistive technology.
    static let rowsMax = 500
    /// Maximum number of marks on an axis.
    static let ticksMax = 200
}

/// Builds the content of a chart from a closure.
@resultBuilder
public struct ChartContentBuilder {
    public static func buildExpression<Content: ChartContent>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyChartContent { EmptyChartContent() }
    public static func buildBlock<Content: ChartContent>(_ content: Content) -> Content { content }
    public static func buildPartialBlock<Content: ChartContent>(first content: Content) -> Content {
        content
    }
    public static func buildPartialBlock<First: ChartContent, Next: ChartContent>(
        accumulated: First, next: Next
    ) -> ChartContentPair<First, Next> {
        ChartContentPair(first: accumulated, second: next)
    }
    public static func buildIf<Content: ChartContent>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: ChartContent, Second: ChartContent>(
        first: First
    ) -> ChartContentChoice<First, Second> { .first(first) }
    public static func buildEither<First: ChartContent, Second: ChartContent>(
        second: Second
    ) -> ChartContentChoice<First, Second> { .second(second) }
    public static func buildLimitedAvailability<Content: ChartContent>(
        _ content: Content
    ) -> AnyChartContent { AnyChartContent(content) }
}

/// Content without marks.
nonisolated public struct EmptyChartContent: ChartContent, PrimitiveChartContent {
    public typealias Body = Never
    init() {}
    @MainActor func add(to marks: inout MarkList, _ style: MarkStyle) {}
}

/// Content whose type is hidden.
nonisolated public struct AnyChartContent: ChartContent, PrimitiveChartContent {
    public typealias Body = Never
    let content: any ChartContent
    /// Wraps content.
    public init(_ content: any ChartContent) { self.content = content }
    @MainActor func add(to marks: inout MarkList, _ style: MarkStyle) { content.collect(&marks, style) }
}

/// Two contents, one after the other.
nonisolated public struct ChartContentPair<First: ChartContent, Second: ChartContent>: ChartContent {
    public typealias Body = Never
    let first: First
    let second: Second
    init(first: First, second: Second) {
        self.first = first
        self.second = second
    }
}
extension ChartContentPair: PrimitiveChartContent {
    @MainActor func add(to marks: inout MarkList, _ style: MarkStyle) {
        first.collect(&marks, style)
        second.collect(&marks, style)
    }
}

/// One of two contents, as `if` and `switch` produce it.
nonisolated public enum ChartContentChoice<First: ChartContent, Second: ChartContent>: ChartContent {
    public typealias Body = Never
    case first(First)
    case second(Second)
}
extension ChartContentChoice: PrimitiveChartContent {
    @MainActor func add(to marks: inout MarkList, _ style: MarkStyle) {
        switch self {
        case .first(let content): content.collect(&marks, style)
        case .second(let content): content.collect(&marks, style)
        }
    }
}

extension Optional: ChartContent where Wrapped: ChartContent {}
extension Optional: PrimitiveChartContent where Wrapped: ChartContent {
    @MainActor func add(to marks: inout MarkList, _ style: MarkStyle) { self?.collect(&marks, style) }
}

extension ForEach: ChartContent where Content: ChartContent {}
extension ForEach: PrimitiveChartContent where Content: ChartContent {
    @MainActor func add(to marks: inout MarkList, _ style: MarkStyle) {
        for element in data {
            guard marks.count < ChartLimits.marksMax else { return }
            content(element).collect(&marks, style)
        }
    }
}

nonisolated extension ForEach
where ID == Data.Element.ID, Content: ChartContent, Data.Element: Identifiable {
    /// For elements with an id of their own.
    public init(_ data: Data, @ChartContentBuilder content: @escaping (Data.Element) -> Content) {
        self.init(charted: data, content: content, identify: { $0.id })
    }
}
nonisolated extension ForEach where Content: ChartContent {
    /// For elements identified by a property.
    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>,
        @ChartContentBuilder content: @escaping (Data.Element) -> Content
    ) { self.init(charted: data, content: content, identify: { $0[keyPath: id] }) }
}
nonisolated extension ForEach where Data == Range<Int>, ID == Int, Content: ChartContent {
    /// For a range of numbers.
    public init(_ data: Range<Int>, @ChartContentBuilder content: @escaping (Int) -> Content) {
        self.init(charted: data, content: content, identify: { $0 })
    }
}
