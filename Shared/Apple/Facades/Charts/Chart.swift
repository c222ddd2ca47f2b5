public import SwiftUI

/// A chart: an SVG with axes and a legend, and a table of its values for assistive technology.
///
/// It fills the offered width and is 240 points high unless a frame sets a height. Without data it says "No
/// data". Values that cannot be drawn (not a number, infinite) are left out, and the chart says how many.
nonisolated public struct Chart<Content: ChartContent>: View {
    public typealias Body = Never
    let content: Content

    /// Marks from a builder.
    public init(@ChartContentBuilder content: () -> Content) { self.content = content() }

    /// Marks for each identifiable element.
    public init<Data: RandomAccessCollection, C: ChartContent>(
        _ data: Data, @ChartContentBuilder content: @escaping (Data.Element) -> C
    ) where Content == ForEach<Data, Data.Element.ID, C>, Data.Element: Identifiable {
        self.content = ForEach(data, content: content)
    }

    /// Marks for each element, identified by `id`.
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

/// A placeholder for the plot in `chartPlotStyle`.
nonisolated public struct ChartPlotContent: View, PrimitiveView {
    public typealias Body = Never
    init() {}
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        var node = RenderNode("div", style: ["width": "100%", "height": "100%"])
        node.reading = .silent
        return [node.growing(width: true, height: true)]
    }
}
