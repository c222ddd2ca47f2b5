/// A rendered element: an HTML element or a text, with what its container needs to know.
package struct RenderNode {
    /// The element's name. Empty for a text, and for children without an element.
    package var tag: String
    /// Text, escaped on writing. Only for nodes without a tag.
    package var text = ""
    /// Whether `text` is already HTML.
    package private(set) var isMarkup = false
    /// The attributes except `style`, in order. Values are escaped on writing.
    package var attributes: [Attribute] = []
    /// The element's CSS declarations.
    package var style = Style()
    /// The nodes inside the element.
    package var children: [RenderNode] = []
    /// How the element takes part in layout.
    package var layout = LayoutTraits()
    /// How the node appears in the text alternative.
    package var reading = Reading.joined
    /// Values for containers: tags, ids, list rows, tabs.
    package var traits = Traits()

    /// An attribute of an element.
    package struct Attribute {
        /// Written unescaped; never from user input.
        package var name: String
        /// Escaped on writing.
        package var value: String
    }

    /// An element.
    package init(_ tag: String, style: Style = Style(), children: [RenderNode] = []) {
        self.tag = tag
        self.style = style
        self.children = children
    }

    /// HTML or SVG written by this project, output unchanged.
    package init(markup: String) {
        tag = ""
        text = markup
        isMarkup = true
        reading = .silent
    }

    /// A text.
    package init(text: String) {
        tag = ""
        self.text = text
    }

    /// Sets an attribute, or removes it if `value` is nil.
    package subscript(attribute name: String) -> String? {
        get { attributes.first { $0.name == name }?.value }
        set {
            attributes.removeAll { $0.name == name }
            if let newValue { attributes.append(Attribute(name: name, value: newValue)) }
        }
    }

    /// The node with this attribute.
    package func with(_ name: String, _ value: String) -> RenderNode {
        var node = self
        node[attribute: name] = value
        return node
    }

    /// The node with changed growth. Nil leaves a direction unchanged.
    package func growing(width: Bool? = nil, height: Bool? = nil) -> RenderNode {
        var node = self
        if let width { node.layout.growsWidth = width }
        if let height { node.layout.growsHeight = height }
        return node
    }
}

/// How an element takes part in the layout of its container.
package struct LayoutTraits {
    /// Takes all of the offered width.
    package var growsWidth = false
    /// Takes all of the offered height.
    package var growsHeight = false
    /// A `Spacer`, which grows only along its stack.
    package var isSpacer = false
    /// A shape or colour, which would be invisible without a minimum height.
    package var isShape = false
    /// Never narrower than its content.
    package var isRigid = false
    /// Its rendering depends on the offered width.
    package var readsWidth = false
    /// The value of `layoutPriority`.
    package var priority = 0.0
    /// The estimated width in points of an element that does not grow. Nil if unknown.
    package var width: Double?
    /// The estimated height in points. Nil if unknown.
    package var height: Double?
    /// The value of `zIndex`.
    package var order = 0.0
    /// The number of columns that a cell of a `Grid` spans.
    package var columnSpan = 1
    /// The element's own alignment in its stack, if it has one.
    package var alignment: String?
    package init() {}
}

/// How a node appears in the text alternative of a page.
package enum Reading {
    /// As its children on one line.
    case joined
    /// As its children on separate lines.
    case lines
    /// As this text.
    case text(String)
    /// Not at all, because it is decorative.
    case silent
}

/// Values that containers look up in their children.
package struct Traits {
    /// The value of `tag(_:)`, for pickers and tabs.
    package var tag: AnyHashable?
    /// The value of `id(_:)`.
    package var id: AnyHashable?
    /// Whether the node is a `Section`.
    package var isSection = false
    /// Whether the node is a `GridRow`.
    package var isGridRow = false
    /// The header of a section.
    package var header: [RenderNode] = []
    /// The footer of a section.
    package var footer: [RenderNode] = []
    /// The label in a tab bar.
    package var tabItem: [RenderNode]?
    /// The badge of a row or tab.
    package var badge: String?
    /// The background of a list row. Nil means that of the list.
    package var listRowBackground: [RenderNode]?
    /// The padding of a list row. Nil means the default.
    package var listRowInsets: EdgeInsets?
    /// Whether the line below a list row is hidden.
    package var hidesSeparator = false
    /// Whether the node is a `Divider`.
    package var isDivider = false
    package init() {}
}
