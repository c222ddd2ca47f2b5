public import Foundation

/// One view for each element of a collection. Elements with the same id are all shown, and the log reports
/// it.
nonisolated public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    /// The elements.
    public var data: Data
    /// Builds the view of an element.
    public var content: (Data.Element) -> Content
    let identify: (Data.Element) -> ID
}

extension ForEach: View where Content: View {
    public typealias Body = Never
}

nonisolated extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
    /// For elements with an id of their own.
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.init(data: data, content: content, identify: { $0.id })
    }
}

nonisolated extension ForEach where Content: View {
    /// For elements identified by a property.
    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) { self.init(data: data, content: content, identify: { $0[keyPath: id] }) }

    /// One view for each element of a bound collection, with a binding to the element.
    public init<C: MutableCollection & RandomAccessCollection>(
        _ data: Binding<C>, @ViewBuilder content: @escaping (Binding<C.Element>) -> Content
    ) where Data == Binding<C>, C.Element: Identifiable, ID == C.Element.ID {
        self.init(data: data, content: content, identify: { $0.wrappedValue.id })
    }
    /// One view for each element of a bound collection, with a binding to the element.
    public init<C: MutableCollection & RandomAccessCollection>(
        _ data: Binding<C>, id: KeyPath<C.Element, ID>,
        @ViewBuilder content: @escaping (Binding<C.Element>) -> Content
    ) where Data == Binding<C> {
        self.init(data: data, content: content, identify: { $0.wrappedValue[keyPath: id] })
    }
}

nonisolated extension ForEach where Data == Range<Int>, ID == Int, Content: View {
    /// For a range of numbers, identified by their value.
    public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
        self.init(data: data, content: content, identify: { $0 })
    }
}

extension ForEach: PrimitiveView where Content: View {
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        var seen: Set<ID> = []
        var nodes: [RenderNode] = []
        for (index, element) in data.enumerated() {
            let id = identify(element)
            if !seen.insert(id).inserted {
                context.pass.warn(
                    "A ForEach has several elements with the id \(id). All are shown. Give each a unique id.")
            }
            for var node in context.nodes(of: content(element), at: "[\(index)]") {
                if node.traits.tag == nil { node.traits.tag = AnyHashable(id) }
                nodes.append(node)
            }
        }
        return nodes
    }
}

extension ForEach: DynamicViewContent where Content: View {}

/// Views created from data that lists could edit.
public protocol DynamicViewContent: View {
    associatedtype Data: Collection
    /// The elements.
    var data: Data { get }
}

nonisolated extension DynamicViewContent {
    /// Has no effect: rows cannot be deleted here.
    public func onDelete(perform action: ((IndexSet) -> Void)?) -> some DynamicViewContent { self }
    /// Has no effect: rows cannot be moved here.
    public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> some DynamicViewContent { self }
}
