public import SwiftUI

/// A chart: a drawing with axes and a legend, and a table of its values for readers who cannot see it.
///
/// It fills the width it is offered, and is 240 points high where nobody says otherwise. Without data it says
/// so. Values that cannot be placed (not a number, infinite) are left out, and it says how many.
nonisolated public struct Chart<Content: ChartContent>: View {
    public typealias Body = Never
    let content: Content

    public init(@ChartContentBuilder content: () -> Content) { self.content = content() }

    public init<Data: RandomAccessCollection, C: ChartContent>(
        _ data: Data, @ChartContentBuilder content: @escaping (Data.Element) -> C
    ) where Content == ForEach<Data, Data.Element.ID, C>, Data.Element: Identifiable {
        self.content = ForEach(data, content: content)
    }

    public init<Data: RandomAccessCollection, ID: Hashable, C: ChartContent>(
        _ data: Data, id: KeyPath<Data.Element, ID>,
        @ChartContentBuilder content: @escaping (Data.Element) -> C
    ) where Content == ForEach<Data, ID, C> {
        self.content = ForEach(data, id: id, content: content)
    }
}

extension Chart: PrimitiveView {
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        var list = MarkList()
        content.collect(&list, MarkStyle())
        if let endless = list.endless { context.pass.fail(.tooDeep(typeName: endless)) }
        return [ChartDrawing(list.marks, context).node()]
    }
}

/// Stands for the plot in `chartPlotStyle`.
nonisolated public struct ChartPlotContent: View, PrimitiveView {
    public typealias Body = Never
    init() {}
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        var node = RenderNode("div", style: ["width": "100%", "height": "100%"])
        node.reading = .silent
        return [node.growing(width: true, height: true)]
    }
}
