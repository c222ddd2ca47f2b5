public import Foundation

nonisolated extension View {
    /// Sets width and height in points. Nil leaves a dimension unchanged.
    public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center)
        -> some View
    {
        Wrapped(content: self) { view, context in
            var inner = context
            if let width, width.isFinite { inner.proposal.width = Double(width) }
            if let height, height.isFinite { inner.proposal.height = Double(height) }
            return inner.nodes(of: view, at: "f").map { node in
                var box = RenderNode.box(node, Style(), align: alignment.css).withoutSpacer(in: context.axis)
                if let width { box.fix(width: width, context) }
                if let height { box.fix(height: height) }
                return box
            }
        }
    }

    /// Limits width and height in points. With a maximum the frame takes the offered length up to it;
    /// `.infinity` takes all of it. Ideal lengths are ignored.
    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil,
        minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil,
        alignment: Alignment = .center
    ) -> some View {
        Wrapped(content: self) { view, context in
            var inner = context
            if let maxWidth, maxWidth.isFinite {
                inner.proposal.width = min(inner.proposal.width ?? .infinity, Double(maxWidth))
            }
            if let maxHeight, maxHeight.isFinite { inner.proposal.height = Double(maxHeight) }
            return inner.nodes(of: view, at: "f").map { node in
                var box = RenderNode.box(node, Style(), align: alignment.css).withoutSpacer(in: context.axis)
                if let minWidth { box.style["min-width"] = context.width(minWidth) }
                if let minHeight { box.style["min-height"] = CSS.points(minHeight) }
                if let maxWidth {
                    box.layout.growsWidth = true
                    box.layout.isShape = false
                    if maxWidth.isFinite { box.style["max-width"] = context.width(maxWidth) }
                }
                if let maxHeight {
                    box.layout.growsHeight = true
                    if maxHeight.isFinite { box.style["max-height"] = CSS.points(maxHeight) }
                    // A growing box whose container has no height keeps its own.
                    if maxHeight.isFinite, node.layout.isShape { box.style["height"] = CSS.points(maxHeight) }
                }
                return box
            }
        }
    }

    /// Returns the view unchanged.
    @available(*, deprecated, message: "Pass one or more parameters.")
    public func frame() -> some View { self }
}

extension RenderNode {
    /// A spacer in a frame is an empty view that grows along its stack.
    func withoutSpacer(in axis: Axis?) -> RenderNode {
        guard layout.isSpacer else { return self }
        var node = self
        node.layout.isSpacer = false
        node.layout.growsWidth = axis != .vertical
        node.layout.growsHeight = axis != .horizontal
        return node
    }
    mutating func fix(width: CGFloat, _ context: RenderContext) {
        guard width.isFinite else {
            layout.growsWidth = width > 0
            return
        }
        style["width"] = context.width(max(width, 0))
        style["flex-shrink"] = "0"
        layout.growsWidth = false
        layout.isRigid = true
        layout.width = Double(max(width, 0))
        layout.isShape = layout.isShape && layout.growsHeight
    }
    mutating func fix(height: CGFloat) {
        guard height.isFinite else {
            layout.growsHeight = height > 0
            return
        }
        style["height"] = CSS.points(max(height, 0))
        layout.growsHeight = false
        layout.isShape = false
        layout.height = Double(max(height, 0))
    }
}
