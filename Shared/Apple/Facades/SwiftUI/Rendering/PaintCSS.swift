import Foundation

/// Paint as CSS.
extension Paint {
    /// One colour for elements without gradients: the last stop of a gradient.
    package func color(in environment: EnvironmentValues) -> DynamicRGBA {
        switch self {
        case .color(let color), .material(let color, _): color
        case .linear(let gradient, _, _), .radial(let gradient, _, _, _), .angular(let gradient, _, _, _):
            gradient.stops.last?.color.resolved(in: environment) ?? Color.label
        case .faded(let paint, let opacity): paint.color(in: environment).map { $0.faded(opacity) }
        }
    }

    /// Whether one colour describes the paint.
    package var isPlain: Bool {
        switch self {
        case .color, .material: true
        case .faded(let paint, _): paint.isPlain
        case .linear, .radial, .angular: false
        }
    }

    /// The value of the CSS property `background`.
    package func background(in environment: EnvironmentValues) -> String {
        background(in: environment, opacity: 1)
    }

    private func background(in environment: EnvironmentValues, opacity: Double) -> String {
        switch self {
        case .color(let color), .material(let color, _): return color.map { $0.faded(opacity) }.css
        case .faded(let paint, let more): return paint.background(in: environment, opacity: opacity * more)
        case .linear(let gradient, let from, let to):
            let stops = Self.stops(gradient, environment, opacity) { CSS.percent($0) }
            return "linear-gradient(\(Self.direction(from, to)),\(stops))"
        case .radial(let gradient, let center, let start, let end):
            let stops = Self.stops(gradient, environment, opacity) {
                CSS.points(start + (end - start) * $0)
            }
            let place = "\(CSS.percent(Double(center.x))) \(CSS.percent(Double(center.y)))"
            return "radial-gradient(circle at \(place),\(stops))"
        case .angular(let gradient, let center, let start, let end):
            let sweep = end.degrees - start.degrees
            let stops = Self.stops(gradient, environment, opacity) { CSS.number($0 * sweep) + "deg" }
            let place = "\(CSS.percent(Double(center.x))) \(CSS.percent(Double(center.y)))"
            return "conic-gradient(from \(CSS.number(start.degrees + 90))deg at \(place),\(stops))"
        }
    }

    /// The declarations of an element filled with this paint.
    package func fill(in environment: EnvironmentValues) -> Style {
        var style: Style = ["background": background(in: environment)]
        if case .material(_, let blur) = self { style["backdrop-filter"] = "blur(\(CSS.points(blur)))" }
        return style
    }

    /// The declarations of a text in this paint.
    package func ink(in environment: EnvironmentValues) -> Style {
        if isPlain { return ["color": color(in: environment).css] }
        return [
            "background": background(in: environment), "-webkit-background-clip": "text",
            "background-clip": "text", "color": "transparent",
        ]
    }

    private static func stops(
        _ gradient: Gradient, _ environment: EnvironmentValues, _ opacity: Double, _ place: (Double) -> String
    ) -> String {
        var stops = gradient.stops
        if stops.isEmpty { stops = [Gradient.Stop(color: .clear, location: 0)] }
        if stops.count == 1 { stops.append(Gradient.Stop(color: stops[0].color, location: 1)) }
        return stops.map {
            "\($0.color.resolved(in: environment).map { $0.faded(opacity) }.css) \(place(Double($0.location)))"
        }.joined(separator: ",")
    }

    private static func direction(_ from: UnitPoint, _ to: UnitPoint) -> String {
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let isFull = abs(dx) == 1 || abs(dy) == 1
        if isFull && (dx == 0 || dy == 0 || abs(dx) == abs(dy)) {
            let sides = [dy > 0 ? "bottom" : dy < 0 ? "top" : "", dx > 0 ? "right" : dx < 0 ? "left" : ""]
            return "to " + sides.filter { !$0.isEmpty }.joined(separator: " ")
        }
        guard dx != 0 || dy != 0 else { return "to bottom" }
        return CSS.number(atan2(Double(dx), Double(-dy)) * 180 / .pi) + "deg"
    }
}

extension RenderNode {
    /// An element filled with a style.
    @MainActor package static func filled<S: ShapeStyle>(by style: S, _ context: RenderContext) -> RenderNode
    {
        var node = RenderNode(
            "div", style: style.paint(in: context.environment).fill(in: context.environment))
        node.reading = .silent
        node.layout.growsWidth = true
        node.layout.growsHeight = true
        node.layout.isShape = true
        return node
    }
}
