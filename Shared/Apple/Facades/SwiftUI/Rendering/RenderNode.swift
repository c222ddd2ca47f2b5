/// One thing that is drawn: an HTML element or a piece of text, and what its surroundings need to know of it.
package struct RenderNode {
    /// The element's name; empty for a piece of text, or for children without an element of their own.
    package var tag: String
    /// Text, escaped when it is written. Only of nodes without a tag.
    package var text = ""
    /// Whether `text` is HTML already.
    package private(set) var isMarkup = false
    /// The element's attributes without `style`, in their order. Values are escaped when they are written.
    package var attributes: [Attribute] = []
    /// The element's CSS declarations.
    package var style = Style()
    /// What stands inside the element.
    package var children: [RenderNode] = []
    /// How the element takes part in the layout around it.
    package var layout = LayoutTraits()
    /// How the node reads in the text alternative.
    package var reading = Reading.joined
    /// Values that containers look for: tags, ids, list rows, tabs.
    package var traits = Traits()

    package struct Attribute {
        package var name: String
        package var value: String
    }

    /// An element.
    package init(_ tag: String, style: Style = Style(), children: [RenderNode] = []) {
        self.tag = tag
        self.style = style
        self.children = children
    }

    /// HTML or SVG that this project wrote itself, and that is written as it is.
    package init(markup: String) {
        tag = ""
        text = markup
        isMarkup = true
        reading = .silent
    }

    /// A piece of text.
    package init(text: String) {
        tag = ""
        self.text = text
    }

    /// Sets an attribute, or takes it away when `value` is nil.
    package subscript(attribute name: String) -> String? {
        get { attributes.first { $0.name == name }?.value }
        set {
            attributes.removeAll { $0.name == name }
            if let newValue { attributes.append(Attribute(name: name, value: newValue)) }
        }
    }

    /// The same node with this attribute.
    package func with(_ name: String, _ value: String) -> RenderNode {
        var node = self
        node[attribute: name] = value
        return node
    }

    /// The same node with these traits of the layout.
    package func growing(width: Bool? = nil, height: Bool? = nil) -> RenderNode {
        var node = self
        if let width { node.layout.growsWidth = width }
        if let height { node.layout.growsHeight = height }
        return node
    }
}

/// How an element takes part in the layout around it.
package struct LayoutTraits {
    /// Takes all the width that it is offered.
    package var growsWidth = false
    /// Takes all the height that it is offered.
    package var growsHeight = false
    /// A `Spacer`: grows only along the stack that it stands in.
    package var isSpacer = false
    /// A shape or a colour, which would be invisible without a least height.
    package var isShape = false
    /// Never narrower than its content.
    package var isRigid = false
    /// Was drawn for the width that it was offered.
    package var readsWidth = false
    /// The `layoutPriority`.
    package var priority = 0.0
    /// A guess at the element's own width in points, where the element does not grow; nil: unknown.
    package var width: Double?
    /// A guess at the element's own height in points.
    package var height: Double?
    /// The `zIndex`.
    package var order = 0.0
    /// How many columns a cell of a `Grid` spans.
    package var columnSpan = 1
    /// Where the element stands in its stack, when it says so itself.
    package var alignment: String?
    package init() {}
}

/// How a node reads in the text alternative of a page.
package enum Reading {
    /// As its children, one after the other on the same line.
    case joined
    /// As its children, each on a line of its own.
    case lines
    /// As this text.
    case text(String)
    /// Not at all: it only decorates.
    case silent
}

/// What containers look for in their children.
package struct Traits {
    package var tag: AnyHashable?
    package var id: AnyHashable?
    package var isSection = false
    package var isGridRow = false
    package var header: [RenderNode] = []
    package var footer: [RenderNode] = []
    package var tabItem: [RenderNode]?
    package var badge: String?
    package var listRowBackground: [RenderNode]?
    package var listRowInsets: EdgeInsets?
    package var hidesSeparator = false
    package var isDivider = false
    package init() {}
}
