import Foundation

/// Paint as SVG.
package enum SVGPaint {
    /// `shape` filled or stroked, preceded by the definitions that it refers to.
    @MainActor package static func painted(
        _ shape: RenderNode, _ paint: Paint, isStroke: Bool, _ size: CGSize, _ context: RenderContext
    ) -> [RenderNode] {
        var shape = shape
        let property = isStroke ? "stroke" : "fill"
        switch paint {
        case .faded(let inner, let opacity):
            shape.style["opacity"] = CSS.number(opacity)
            return painted(shape, inner, isStroke: isStroke, size, context)
        case .color, .material:
            shape.style[property] = paint.color(in: context.environment).css
            return [shape]
        case .linear(let gradient, let from, let to):
            var definition = RenderNode("linearGradient")
            for (name, value) in [("x1", from.x), ("y1", from.y), ("x2", to.x), ("y2", to.y)] {
                definition[attribute: name] = CSS.number(
                    value * (name.hasPrefix("x") ? size.width : size.height))
            }
            return refer(shape, to: definition, gradient, property, context)
        case .radial(let gradient, let center, let start, let end):
            var definition = RenderNode("radialGradient")
            definition[attribute: "cx"] = CSS.number(center.x * size.width)
            definition[attribute: "cy"] = CSS.number(center.y * size.height)
            definition[attribute: "r"] = CSS.number(max(end, 0.01))
            if start > 0 { definition[attribute: "fr"] = CSS.number(min(start, end)) }
            return refer(shape, to: definition, gradient, property, context)
        case .angular: return masked(shape, paint, property, size, context)
        }
    }

    @MainActor private static func refer(
        _ shape: RenderNode, to definition: RenderNode, _ gradient: Gradient, _ property: String,
        _ context: RenderContext
    ) -> [RenderNode] {
        let name = context.pass.name("g")
        var definition = definition.with("id", name).with("gradientUnits", "userSpaceOnUse")
        definition.children = gradient.stops.map { stop in
            RenderNode("stop", style: ["stop-color": stop.color.resolved(in: context.environment).css])
                .with("offset", CSS.number(min(max(Double(stop.location), 0), 1)))
        }
        var shape = shape
        // An attribute, because the style sheet of a report must not contain url().
        shape.style[property] = nil
        shape[attribute: property] = "url(#\(name))"
        return [definition, shape]
    }

    /// SVG has no angular gradients, so a box with one is masked by the shape.
    @MainActor private static func masked(
        _ shape: RenderNode, _ paint: Paint, _ property: String, _ size: CGSize, _ context: RenderContext
    ) -> [RenderNode] {
        let name = context.pass.name("m")
        var seen = shape
        seen.style[property] = "#fff"
        let margin = 0.25
        let (x, y) = (-size.width * margin, -size.height * margin)
        let (width, height) = (size.width * (1 + 2 * margin), size.height * (1 + 2 * margin))
        var mask = RenderNode("mask", children: [seen]).with("id", name).with("maskUnits", "userSpaceOnUse")
        var box = RenderNode("foreignObject").with("mask", "url(#\(name))")
        for (attribute, value) in [("x", x), ("y", y), ("width", width), ("height", height)] {
            mask[attribute: attribute] = CSS.number(value)
            box[attribute: attribute] = CSS.number(value)
        }
        let style: Style = [
            "width": "100%", "height": "100%", "background": paint.background(in: context.environment),
        ]
        box.children = [RenderNode("div", style: style)]
        return [mask, box]
    }
}
