import Foundation

extension RenderContext {
    /// The rows of `content`: consecutive rows outside of sections form one group, each section another.
    @MainActor func list<V: View>(of content: V, _ kind: ListKind) -> RenderNode {
        var inner = self
        inner.axis = nil
        inner.isRow = true
        inner.proposal.width = proposal.width.map { max($0 - (kind == .plain ? 32 : 64), 40) }
        inner.proposal.height = nil
        var groups: [RenderNode] = []
        var loose: [RenderNode] = []
        func flush() {
            guard !loose.isEmpty else { return }
            groups.append(group(RenderNode("section"), rows: loose, kind))
            loose = []
        }
        for node in inner.nodes(of: content, at: "list") {
            if node.traits.isSection {
                flush()
                groups.append(group(node, rows: node.children, kind))
            } else {
                loose.append(node)
            }
        }
        flush()
        var list = RenderNode("div", children: groups)
        list.reading = .lines
        list.style = [
            "display": "flex", "flex-direction": "column", "gap": kind == .plain ? "0" : "22px",
            "width": "100%",
            "padding": kind == .plain ? "0" : "16px", "text-align": "start",
        ]
        if kind == .insetGrouped, !environment.hidesScrollGround {
            list.style["background"] = "light-dark(#f2f2f7,#000)"
        }
        list.layout.growsWidth = true
        list.layout.growsHeight = true
        return list
    }

    @MainActor private func group(_ section: RenderNode, rows: [RenderNode], _ kind: ListKind) -> RenderNode {
        var rows = rows.flatMap(\.unsectioned)
        rows = rows.filter { !$0.traits.isDivider }
        var items = RenderNode(
            "ul", children: rows.enumerated().map { row($1, isLast: $0 == rows.count - 1, kind) })
        items.reading = .lines
        if kind == .insetGrouped { items.style = ["border-radius": "10px", "overflow": "hidden"] }
        var group = RenderNode("section")
        group.reading = .lines
        if !section.traits.header.isEmpty { group.children.append(header(section.traits.header, kind)) }
        if !rows.isEmpty { group.children.append(items) }
        if !section.traits.footer.isEmpty {
            var footer = RenderNode("div", children: section.traits.footer)
            footer.reading = .lines
            footer.style = [
                "padding": "7px 16px 0", "font-size": "0.8125rem", "color": Color.secondaryLabel.css,
            ]
            group.children.append(footer)
        }
        return group
    }

    @MainActor private func header(_ nodes: [RenderNode], _ kind: ListKind) -> RenderNode {
        var header = RenderNode("h2", children: nodes.map(\.inHeading))
        header.reading = .lines
        header.style = [
            "padding": "0 16px 7px", "font-size": "0.8125rem", "font-weight": "400",
            "color": Color.secondaryLabel.css,
        ]
        if environment.headerProminence == .increased {
            header.style = ["padding": "0 16px 10px", "font-size": "1.25rem", "font-weight": "600"]
        }
        if kind == .plain { header.style["padding"] = "8px 16px" }
        return header
    }

    @MainActor private func row(_ node: RenderNode, isLast: Bool, _ kind: ListKind) -> RenderNode {
        var content = node.cell()
        content.style["justify-self"] = node.layout.growsWidth ? "stretch" : "start"
        let insets = node.traits.listRowInsets
        var row = RenderNode("li", children: [content])
        row.style = [
            "display": "grid", "grid-template": "minmax(0,auto)/minmax(0,1fr)", "align-items": "center",
            "min-height": CSS.points(environment.defaultMinListRowHeight),
            "padding": insets?.css ?? "11px 16px", "position": "relative",
        ]
        if let background = node.traits.listRowBackground {
            row = row.with("class", "o")
            var ground = RenderNode("div", style: ["z-index": "-1"], children: background.map { $0.cell() })
            ground[attribute: "class"] = "l"
            ground.reading = .silent
            row.children.insert(ground, at: 0)
        } else if kind == .insetGrouped {
            row.style["background"] = "light-dark(#fff,#1c1c1e)"
        }
        if !isLast && !node.traits.hidesSeparator {
            row.style["background-image"] = "linear-gradient(\(Self.line),\(Self.line))"
            row.style["background-size"] = "calc(100% - 16px) 1px"
            row.style["background-position"] = "right bottom"
            row.style["background-repeat"] = "no-repeat"
        }
        return row
    }
    private static let line = "light-dark(rgba(60,60,67,.22),rgba(84,84,88,.6))"
}

extension RenderNode {
    /// Changes paragraphs to spans, because a heading cannot contain paragraphs.
    var inHeading: RenderNode {
        var node = self
        if node.tag == "p" {
            node.tag = "span"
            node.style["display"] = node.style["display"] ?? "block"
        }
        node.children = node.children.map(\.inHeading)
        return node
    }
}

/// Defines how lists look. Two looks exist here: plain, and grouped with an inset background.
public protocol ListStyle { static var isPlain: Bool { get } }
/// Rendered as inset grouped.
nonisolated public struct DefaultListStyle: ListStyle, Sendable {
    public init() {}
    public static let isPlain = false
}
/// Rows with a rounded background.
nonisolated public struct InsetGroupedListStyle: ListStyle, Sendable {
    public init() {}
    public static let isPlain = false
}
/// Rendered as inset grouped.
nonisolated public struct GroupedListStyle: ListStyle, Sendable {
    public init() {}
    public static let isPlain = false
}
/// Rendered as plain.
nonisolated public struct InsetListStyle: ListStyle, Sendable {
    public init() {}
    public static let isPlain = true
}
/// Rows without a background.
nonisolated public struct PlainListStyle: ListStyle, Sendable {
    public init() {}
    public static let isPlain = true
}
/// Rendered as inset grouped.
nonisolated public struct SidebarListStyle: ListStyle, Sendable {
    public init() {}
    public static let isPlain = false
}
nonisolated extension ListStyle where Self == DefaultListStyle {
    /// Rendered as inset grouped.
    public static var automatic: DefaultListStyle { DefaultListStyle() }
}
nonisolated extension ListStyle where Self == InsetGroupedListStyle {
    /// Rows with a rounded background.
    public static var insetGrouped: InsetGroupedListStyle { InsetGroupedListStyle() }
}
nonisolated extension ListStyle where Self == GroupedListStyle {
    /// Rendered as inset grouped.
    public static var grouped: GroupedListStyle { GroupedListStyle() }
}
nonisolated extension ListStyle where Self == InsetListStyle {
    /// Rendered as plain.
    public static var inset: InsetListStyle { InsetListStyle() }
}
nonisolated extension ListStyle where Self == PlainListStyle {
    /// Rows without a background.
    public static var plain: PlainListStyle { PlainListStyle() }
}
nonisolated extension ListStyle where Self == SidebarListStyle {
    /// Rendered as inset grouped.
    public static var sidebar: SidebarListStyle { SidebarListStyle() }
}

nonisolated extension View {
    /// Sets the style of lists inside this view.
    public func listStyle<S: ListStyle>(_ style: S) -> some View {
        values { $0.styles.list = S.isPlain ? .plain : .insetGrouped }
    }
    /// Renders `view` behind the row. Nil keeps the list's background.
    public func listRowBackground<V: View>(_ view: V?) -> some View {
        node(with: view) { node, view, context in
            var node = node
            if let view { node.traits.listRowBackground = context.nodes(of: view, at: "row") }
            return node
        }
    }
    /// Replaces the row's padding. Nil keeps 11 points above and below, 16 at the sides.
    public func listRowInsets(_ insets: EdgeInsets?) -> some View {
        node { node, _ in
            var node = node
            node.traits.listRowInsets = insets
            return node
        }
    }
    /// Hides the line below the row if `visibility` is `hidden`. The edges are ignored.
    public func listRowSeparator(_ visibility: Visibility, edges: VerticalEdge.Set = .all) -> some View {
        node { node, _ in
            var node = node
            node.traits.hidesSeparator = visibility == .hidden
            return node
        }
    }
    /// Has no effect here.
    public func listSectionSeparator(_ visibility: Visibility, edges: VerticalEdge.Set = .all) -> some View {
        self
    }
    /// Has no effect here.
    public func listRowSeparatorTint(_ color: Color?, edges: VerticalEdge.Set = .all) -> some View { self }
    /// Has no effect here.
    public func listRowSpacing(_ spacing: CGFloat?) -> some View { self }
    /// Has no effect here.
    public func listSectionSpacing(_ spacing: CGFloat) -> some View { self }
    /// Has no effect here.
    public func listSectionSpacing(_ spacing: ListSectionSpacing) -> some View { self }
    /// Has no effect here.
    public func listItemTint(_ tint: Color?) -> some View { self }
    /// Makes section headers larger with `increased`.
    public func headerProminence(_ prominence: Prominence) -> some View {
        values { $0.headerProminence = prominence }
    }
    /// Shows or hides the background of lists inside this view.
    public func scrollContentBackground(_ visibility: Visibility) -> some View {
        values { $0.hidesScrollGround = visibility == .hidden }
    }
    /// Ignored: all forms look alike.
    public func formStyle<S: FormStyle>(_ style: S) -> some View { self }
    /// Shows a number at the end of a row or on a tab. 0 shows nothing.
    public func badge(_ count: Int) -> some View { badge(count == 0 ? nil : Text(verbatim: "\(count)")) }
    /// Shows a text at the end of a row or on a tab.
    public func badge(_ label: Text?) -> some View {
        node { node, context in
            guard let label else { return node }
            var badge = context.node(of: label.foregroundStyle(Color.secondary), at: "badge")
            badge.layout.isRigid = true
            let spacer = RenderNode("div").traiting { $0.isSpacer = true }
            var row = RenderNode.stack([node, spacer, badge], axis: .horizontal, gap: 8, cross: "center")
            row.traits = node.traits
            return row
        }
    }
}
/// The distance between sections. Ignored.
nonisolated public struct ListSectionSpacing: Sendable {
    private let name: String
    public static let `default` = ListSectionSpacing(name: "default")
    public static let compact = ListSectionSpacing(name: "compact")
}
/// Defines how forms look. All are rendered as inset grouped lists.
public protocol FormStyle {}
nonisolated public struct GroupedFormStyle: FormStyle, Sendable { public init() {} }
nonisolated public struct AutomaticFormStyle: FormStyle, Sendable { public init() {} }
nonisolated extension FormStyle where Self == GroupedFormStyle {
    /// The only look.
    public static var grouped: GroupedFormStyle { GroupedFormStyle() }
}
nonisolated extension FormStyle where Self == AutomaticFormStyle {
    /// The only look.
    public static var automatic: AutomaticFormStyle { AutomaticFormStyle() }
}
/// Whether something is shown.
nonisolated public enum Visibility: Hashable, CaseIterable, Sendable {
    case automatic
    case visible
    case hidden
}
