public import Foundation

/// A column or row of a lazy grid. Lengths are in points.
nonisolated public struct GridItem: Sendable {
    /// How wide a column or high a row is.
    nonisolated public enum Size: Sendable {
        case fixed(CGFloat)
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
        var css: String {
            switch self {
            case .fixed(let length): CSS.points(length)
            case .flexible(let minimum, let maximum):
                "minmax(\(CSS.points(minimum)),\(maximum.isFinite ? CSS.points(maximum) : "1fr"))"
            case .adaptive(let minimum, _): "repeat(auto-fill,minmax(min(\(CSS.points(minimum)),100%),1fr))"
            }
        }
    }
    /// The width of a column; the height of a row.
    public var size: Size
    /// The distance to the next column or row. Nil means 8 points. Only the first item's counts.
    public var spacing: CGFloat?
    /// The alignment of its cells. Only the first item's counts.
    public var alignment: Alignment?
    /// A flexible item by default.
    public init(_ size: Size = .flexible(), spacing: CGFloat? = nil, alignment: Alignment? = nil) {
        self.size = size
        self.spacing = spacing
        self.alignment = alignment
    }
}

/// Arranges views in columns, row by row.
nonisolated public struct LazyVGrid<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let columns: [GridItem]
    let alignment: HorizontalAlignment
    let spacing: CGFloat?
    let content: () -> Content
    /// `pinnedViews` is ignored; headers scroll with the page.
    public init(
        columns: [GridItem], alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = [], @ViewBuilder content: @escaping () -> Content
    ) {
        self.columns = columns
        self.alignment = alignment
        self.spacing = spacing
        self.content = content
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        var inner = context
        inner.axis = nil
        inner.proposal.height = nil
        let gap = Double(columns.first?.spacing ?? 8)
        inner.proposal.width = context.proposal.width.map { Self.width(of: columns, in: $0, gap: gap) }
        let cells = inner.nodes(of: content(), at: "grid").flatMap { node in
            node.traits.isSection
                ? node.traits.header.map(\.wholeRow) + node.children + node.traits.footer.map(\.wholeRow)
                : [node]
        }
        var grid = RenderNode("div", children: cells.map { $0.cell() })
        grid.reading = .lines
        grid.style = [
            "display": "grid", "width": "100%",
            "grid-template-columns": columns.map(\.size.css).joined(separator: " "),
            "gap": "\(CSS.points(spacing ?? 8)) \(CSS.points(gap))",
            "justify-items": columns.first?.alignment?.horizontal.css ?? alignment.css,
            "align-items": "center",
        ]
        grid.layout.growsWidth = true
        return [grid]
    }
    /// The approximate width of each column.
    private static func width(of columns: [GridItem], in whole: Double, gap: Double) -> Double {
        guard let first = columns.first else { return whole }
        if case .fixed(let width) = first.size { return Double(width) }
        var count = Double(columns.count)
        if case .adaptive(let minimum, _) = first.size {
            count = max(1, ((whole + gap) / (Double(minimum) + gap)).rounded(.down))
        }
        return max((whole - gap * (count - 1)) / count, 10)
    }
}
extension RenderNode {
    fileprivate var wholeRow: RenderNode {
        var node = self
        node.style["grid-column"] = "1/-1"
        return node
    }
}

/// Arranges views in rows, column by column, and scrolls horizontally.
nonisolated public struct LazyHGrid<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let rows: [GridItem]
    let alignment: VerticalAlignment
    let spacing: CGFloat?
    let content: () -> Content
    /// `pinnedViews` is ignored. Flexible rows are as high as their content.
    public init(
        rows: [GridItem], alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = [], @ViewBuilder content: @escaping () -> Content
    ) {
        self.rows = rows
        self.alignment = alignment
        self.spacing = spacing
        self.content = content
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        let cells = context.offering(width: nil, height: nil).nodes(of: content(), at: "grid")
        var grid = RenderNode("div", children: cells.flatMap(\.unsectioned).map { $0.cell() })
        grid.reading = .lines
        let sizes = rows.map { item in
            if case .fixed(let height) = item.size { return CSS.points(height) }
            return "auto"
        }
        grid.style = [
            "display": "grid", "grid-auto-flow": "column", "grid-template-rows": sizes.joined(separator: " "),
            "gap": "\(CSS.points(rows.first?.spacing ?? 8)) \(CSS.points(spacing ?? 8))",
            "align-items": alignment.css, "justify-items": "center",
        ]
        return [grid]
    }
}

/// Arranges views in rows and columns. Each column is as wide as its widest cell.
nonisolated public struct Grid<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let alignment: Alignment
    let horizontalSpacing: CGFloat?
    let verticalSpacing: CGFloat?
    let content: Content
    /// Spacing is in points; nil means 8.
    public init(
        alignment: Alignment = .center, horizontalSpacing: CGFloat? = nil, verticalSpacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.horizontalSpacing = horizontalSpacing
        self.verticalSpacing = verticalSpacing
        self.content = content()
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        var inner = context
        inner.axis = nil
        let rows = inner.nodes(of: content, at: "grid").flatMap(\.unsectioned)
        let count = max(rows.map { $0.traits.isGridRow ? $0.columns : 1 }.max() ?? 1, 1)
        let grows = rows.contains { row in
            row.traits.isGridRow && row.children.contains { $0.layout.growsWidth }
        }
        var grid = RenderNode("div", children: rows.map { $0.traits.isGridRow ? $0 : $0.cell().wholeRow })
        grid.reading = .lines
        grid.style = [
            "display": "grid",
            "grid-template-columns": "repeat(\(count),\(grows ? "minmax(0,1fr)" : "auto"))",
            "gap": "\(CSS.points(verticalSpacing ?? 8)) \(CSS.points(horizontalSpacing ?? 8))",
            "place-items": alignment.css,
        ]
        grid.layout.growsWidth = grows || rows.contains { $0.layout.growsWidth && !$0.traits.isDivider }
        return [grid]
    }
}
extension RenderNode { fileprivate var columns: Int { children.reduce(0) { $0 + $1.layout.columnSpan } } }

/// A row of cells in a `Grid`.
nonisolated public struct GridRow<Content: View>: View, PrimitiveView {
    public typealias Body = Never
    let alignment: VerticalAlignment?
    let content: Content
    /// - Parameter alignment: of the cells in this row; nil means that of the grid.
    public init(alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.content = content()
    }
    @MainActor package func nodes(in context: RenderContext) -> [RenderNode] {
        var row = RenderNode("div", style: ["display": "contents"])
        row.children = context.nodes(of: content, at: "row").map { node in
            var cell = node.cell()
            if node.layout.columnSpan > 1 { cell.style["grid-column"] = "span \(node.layout.columnSpan)" }
            if let alignment { cell.style["align-self"] = alignment.css }
            return cell
        }
        row.traits.isGridRow = true
        return [row]
    }
}

nonisolated extension View {
    /// Makes the cell span `count` columns, at least 1.
    public func gridCellColumns(_ count: Int) -> some View {
        node { node, _ in node.traiting { $0.columnSpan = max(count, 1) } }
    }
    /// Aligns this cell horizontally. (Apple's aligns the whole column.)
    public func gridColumnAlignment(_ guide: HorizontalAlignment) -> some View {
        node { node, _ in
            var node = node
            node.style["justify-self"] = guide.css
            return node
        }
    }
    /// Has no effect here.
    public func gridCellAnchor(_ anchor: UnitPoint) -> some View { self }
    /// Keeps the cell from growing along `axes`.
    public func gridCellUnsizedAxes(_ axes: Axis.Set) -> some View {
        node { node, _ in
            node.growing(
                width: axes.contains(.horizontal) ? false : nil,
                height: axes.contains(.vertical) ? false : nil)
        }
    }
}
