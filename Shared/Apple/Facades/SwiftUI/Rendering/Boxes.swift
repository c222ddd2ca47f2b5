import Foundation

/// The element that most modifiers put around their view.
extension RenderNode {
    /// Combines nodes to one: the only one, or a column of all.
    package static func one(of nodes: [RenderNode]) -> RenderNode {
        if nodes.count == 1 { return nodes[0] }
        if nodes.isEmpty { return RenderNode("div", style: ["display": "none"]).silent }
        return stack(nodes, axis: .vertical, gap: 8, cross: "center")
    }

    /// The same node, omitted from the text alternative.
    package var silent: RenderNode {
        var node = self
        node.reading = .silent
        return node
    }

    /// Puts `node` in a box with a style. The box grows as its content does. The content is centred unless
    /// `align` (vertical, horizontal; for example "start center") says otherwise.
    package static func box(_ node: RenderNode, _ style: Style, align: String = "center center") -> RenderNode
    {
        var box = RenderNode("div", style: ["display": "grid"])
        box[attribute: "class"] = "b"
        box.style = Style().merging(style)
        if align != "center center" { box.style["place-items"] = align }
        box.layout = node.layout
        box.traits = node.traits
        box.children = [node.cell()]
        return box
    }

    /// The node as the only child of a box: stretched in the directions in which it grows.
    package func cell() -> RenderNode {
        var node = self
        node.layout.isSpacer = false
        if layout.growsWidth { node.style["justify-self"] = "stretch" }
        if layout.growsHeight { node.style["align-self"] = "stretch" }
        return node
    }

    /// Arranges `nodes` in a row or a column.
    package static func stack(
        _ nodes: [RenderNode], axis: Axis, gap: Double, cross: String
    ) -> RenderNode {
        var stack = RenderNode("div")
        stack[attribute: "class"] = axis == .vertical ? "v" : "h"
        if gap != 8 { stack.style["gap"] = CSS.points(gap) }
        if cross != "center" { stack.style["align-items"] = cross }
        stack.reading = axis == .vertical ? .lines : .joined
        stack.children = nodes.map { axis == .vertical ? $0.item(ofColumn: true) : $0.item(ofColumn: false) }
        stack.layout = layout(of: nodes, axis: axis, gap: gap)
        return stack
    }

    private static func layout(of nodes: [RenderNode], axis: Axis, gap: Double) -> LayoutTraits {
        var traits = LayoutTraits()
        let gaps = gap * Double(max(nodes.count - 1, 0))
        for node in nodes where !node.layout.isSpacer {
            if node.layout.growsWidth { traits.growsWidth = true }
            if node.layout.growsHeight { traits.growsHeight = true }
        }
        if nodes.contains(where: { $0.layout.isSpacer }) {
            if axis == .vertical { traits.growsHeight = true } else { traits.growsWidth = true }
        }
        let widths = nodes.compactMap(\.layout.width)
        let heights = nodes.compactMap(\.layout.height)
        traits.width = axis == .horizontal ? widths.reduce(gaps, +) : widths.max()
        traits.height = axis == .vertical ? heights.reduce(gaps, +) : heights.max()
        return traits
    }

    /// The node as an item of a stack: it grows if it can, and small nodes keep their size.
    private func item(ofColumn isColumn: Bool) -> RenderNode {
        var node = self
        let growsAlong = isColumn ? layout.growsHeight : layout.growsWidth
        let growsAcross = isColumn ? layout.growsWidth : layout.growsHeight
        if layout.isSpacer || growsAlong {
            node.style["flex"] = isColumn ? "1 1 auto" : "1 1 0"
        } else if !isColumn && (layout.isRigid || (layout.width ?? 1_000) < 96 || layout.priority > 0) {
            node.style["flex-shrink"] = "0"
        }
        if let alignment = layout.alignment {
            node.style["align-self"] = alignment
        } else if growsAcross && !layout.isSpacer {
            node.style["align-self"] = "stretch"
        }
        if layout.isShape && isColumn && growsAlong { node.style["min-height"] = "10px" }
        node.layout.isSpacer = false
        return node
    }
}
