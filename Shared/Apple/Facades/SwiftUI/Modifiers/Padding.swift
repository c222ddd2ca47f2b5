public import Foundation

nonisolated extension View {
    /// Adds space of `length` points at `edges`. Nil means 16.
    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        padding(EdgeInsets(edges, length ?? 16))
    }
    /// Adds space of `length` points on all sides.
    public func padding(_ length: CGFloat) -> some View { padding(EdgeInsets(.all, length)) }
    /// Adds space around the view. With negative insets the view overlaps its surroundings.
    public func padding(_ insets: EdgeInsets) -> some View {
        Wrapped(content: self) { view, context in
            var inner = context
            inner.proposal.width = context.proposal.width.map {
                max($0 - Double(insets.leading) - Double(insets.trailing), 0)
            }
            inner.proposal.height = context.proposal.height.map {
                max($0 - Double(insets.top) - Double(insets.bottom), 0)
            }
            return inner.nodes(of: view, at: "p").map { node in
                var box = RenderNode.box(node, ["padding": insets.css])
                for (edge, inset) in [
                    ("top", insets.top), ("inline-start", insets.leading), ("bottom", insets.bottom),
                    ("inline-end", insets.trailing),
                ] where inset < 0 { box.style["margin-" + edge] = CSS.points(inset) }
                box.layout.isShape = false
                box.layout.width = node.layout.width.map { $0 + Double(insets.leading + insets.trailing) }
                box.layout.height = node.layout.height.map { $0 + Double(insets.top + insets.bottom) }
                return box
            }
        }
    }
    /// Same as `padding(_:_:)`.
    public func contentMargins(_ edges: Edge.Set = .all, _ length: CGFloat?) -> some View {
        padding(edges, length)
    }
    /// Same as `padding(_:)`.
    public func scenePadding(_ edges: Edge.Set = .all) -> some View { padding(edges) }
}
