/// What a report page may contain: the elements that SwiftUI's and Charts' views are rendered to
/// (`Shared/Apple/Facades`). Everything else is removed. Nothing here executes, loads, sends or navigates: no
/// scripts, links, forms, frames, embedded objects or animations.
enum PageRules {
    /// How the value of an attribute is checked.
    enum Check {
        /// Any text.
        case text
        /// Names of ids or classes.
        case names
        /// Numbers, path letters, spaces, commas and dots.
        case geometry
        /// CSS declarations.
        case style
        /// A CSS value, or a reference into the same page: `url(#NAME)`.
        case paint
        /// A reference into the same page: `url(#NAME)`.
        case reference
        /// An embedded image: `data:image/…;base64,…`.
        case image
        /// One of these.
        case one(Set<String>)
    }

    /// HTML elements below `body`.
    static let html: Set<String> = [
        "a", "article", "b", "br", "button", "caption", "code", "dd", "details", "div", "dl", "dt", "em",
        "figcaption", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "i", "img",
        "input", "label", "li", "main", "ol", "p", "picture", "pre", "s", "section", "small", "source",
        "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "u",
        "ul",
    ]

    /// Elements inside `svg`; `foreignObject` contains HTML again.
    static let svg: Set<String> = [
        "circle", "clipPath", "defs", "ellipse", "feComposite", "feDropShadow", "feFlood", "filter",
        "foreignObject", "g", "image", "line", "linearGradient", "mask", "path", "polygon", "polyline",
        "radialGradient", "rect", "stop", "svg", "text", "title", "tspan",
    ]

    /// Attributes of all elements.
    private static let common: [String: Check] = [
        "aria-checked": .text, "aria-disabled": .text, "aria-expanded": .text, "aria-hidden": .text,
        "aria-label": .text, "aria-labelledby": .names, "aria-level": .text, "aria-readonly": .text,
        "aria-valuemax": .text, "aria-valuemin": .text, "aria-valuenow": .text, "aria-valuetext": .text,
        "class": .names, "data-id": .text, "id": .names, "lang": .names, "role": .names, "style": .style,
        "tabindex": .geometry, "title": .text,
    ]

    /// Attributes of HTML elements.
    private static let ofHTML: [String: [String: Check]] = [
        "button": ["type": .one(["button"]), "disabled": .one(["", "disabled"])],
        "details": ["open": .one(["", "open"])],
        "img": ["src": .image, "alt": .text, "width": .geometry, "height": .geometry],
        "input": [
            "type": .one(["checkbox", "radio"]), "name": .names, "checked": .one(["", "checked"]),
            "disabled": .one(["", "disabled"]),
        ],
        "label": ["for": .names],
        "source": ["srcset": .image, "media": .one(["(prefers-color-scheme: dark)"])],
        "td": ["colspan": .geometry, "rowspan": .geometry],
        "th": ["colspan": .geometry, "rowspan": .geometry, "scope": .one(["col", "row"])],
    ]

    /// Attributes of all SVG elements.
    private static let ofSVG: [String: Check] = {
        var checks: [String: Check] = [
            "clip-path": .reference, "fill": .paint, "filter": .reference, "mask": .reference,
            "stroke": .paint, "clip-rule": .names, "color-interpolation-filters": .names,
            "dominant-baseline": .names, "fill-rule": .names, "flood-color": .style, "font-family": .style,
            "font-style": .names, "gradientTransform": .style, "gradientUnits": .names, "in": .names,
            "in2": .names, "maskUnits": .names, "operator": .names, "preserveAspectRatio": .geometry,
            "result": .names, "stop-color": .style, "stroke-linecap": .names, "stroke-linejoin": .names,
            "text-anchor": .names, "text-decoration": .style, "transform": .style, "vector-effect": .names,
        ]
        for name in [
            "cx", "cy", "d", "dx", "dy", "fill-opacity", "flood-opacity", "font-size", "font-weight", "fr",
            "fx", "fy", "height", "letter-spacing", "offset", "opacity", "points", "r", "rx", "ry",
            "stdDeviation", "stop-opacity", "stroke-dasharray", "stroke-dashoffset", "stroke-miterlimit",
            "stroke-opacity", "stroke-width", "viewBox", "width", "x", "x1", "x2", "y", "y1", "y2",
        ] {
            checks[name] = .geometry
        }
        return checks
    }()

    /// Nil if the element may not have the attribute.
    static func check(_ attribute: String, of element: String, isSVG: Bool) -> Check? {
        if let check = common[attribute] { return check }
        guard isSVG else { return ofHTML[element]?[attribute] }
        if element == "image", attribute == "href" { return .image }
        if element == "svg", attribute == "xmlns" { return .one(["http://www.w3.org/2000/svg"]) }
        return ofSVG[attribute]
    }

    /// Whether the name of an id or class, or a CSS word, may contain the byte.
    static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// CSS properties, without those that load, move or cover the frame.
    static let properties: Set<String> = [
        "-webkit-background-clip", "-webkit-box-orient", "-webkit-line-clamp", "-webkit-text-size-adjust",
        "align-content", "align-items", "align-self", "aspect-ratio", "backdrop-filter", "background",
        "background-clip", "background-color", "background-image", "background-position",
        "background-repeat", "background-size", "border", "border-bottom", "border-color",
        "border-left", "border-radius", "border-right", "border-style", "border-top", "border-width",
        "bottom", "box-shadow", "box-sizing", "clip-path", "color", "color-scheme", "column-gap",
        "container-type", "cursor", "display", "fill", "fill-opacity", "fill-rule", "filter", "flex",
        "flex-basis", "flex-direction", "flex-grow", "flex-shrink", "flex-wrap", "font", "font-family",
        "font-size", "font-stretch", "font-style", "font-variant-caps", "font-variant-numeric",
        "font-weight", "gap", "grid-area", "grid-auto-flow", "grid-column", "grid-row", "grid-template",
        "grid-template-columns", "grid-template-rows", "height", "inset", "isolation", "justify-content",
        "justify-items", "justify-self", "left", "letter-spacing", "line-height", "list-style", "margin",
        "margin-block", "margin-bottom", "margin-inline", "margin-inline-end", "margin-inline-start",
        "margin-left", "margin-right", "margin-top",
        "mask-type", "max-height", "max-width", "min-height", "min-width", "mix-blend-mode", "object-fit",
        "opacity",
        "order", "outline", "outline-offset", "overflow", "overflow-wrap", "overflow-x", "overflow-y",
        "padding", "padding-block", "padding-bottom", "padding-inline", "padding-left", "padding-right",
        "padding-top", "place-items", "pointer-events", "position", "right", "row-gap", "scroll-snap-align",
        "scroll-snap-type", "scrollbar-width", "stop-color", "stop-opacity", "stroke", "stroke-dasharray",
        "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-opacity", "stroke-width",
        "text-align", "text-decoration", "text-decoration-color", "text-decoration-line",
        "text-decoration-style", "text-overflow", "text-transform", "top", "transform", "transform-origin",
        "vertical-align", "visibility", "white-space", "width", "z-index",
    ]

    /// CSS functions for colours, lengths, gradients, shapes, filters and transforms.
    static let functions: Set<String> = [
        "blur", "brightness", "calc", "circle", "clamp", "conic-gradient", "contrast", "drop-shadow",
        "ellipse", "fit-content", "grayscale", "hsl", "hsla", "hue-rotate", "inset", "invert", "light-dark",
        "linear-gradient", "matrix", "matrix3d", "max", "min", "minmax", "opacity", "path", "perspective",
        "polygon", "radial-gradient", "repeat", "rgb", "rgba", "rotate", "rotate3d", "rotateX", "rotateY",
        "rotateZ", "saturate", "scale", "scale3d", "scaleX", "scaleY", "sepia", "skew", "skewX", "skewY",
        "translate", "translate3d", "translateX", "translateY", "translateZ",
    ]
}
