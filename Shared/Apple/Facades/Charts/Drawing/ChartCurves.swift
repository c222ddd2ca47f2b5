internal import FoundationExtras
internal import SwiftUI

/// Lines through points, as SVG path data.
enum ChartCurves {
    /// - Parameter starts: whether the path starts here. Otherwise it continues to the first point.
    static func path(_ points: [CGPoint], _ method: InterpolationMethod, starts: Bool = true) -> String {
        guard let first = points.first else { return "" }
        var path = (starts ? "M" : "L") + text(first)
        switch method.kind {
        case .linear: for point in points.dropFirst() { path += "L" + text(point) }
        case .stepStart, .stepEnd, .stepCenter:
            for (one, other) in zip(points, points.dropFirst()) {
                let turn =
                    method.kind == .stepStart
                    ? one.x : method.kind == .stepEnd ? other.x : (one.x + other.x) / 2
                path += "L" + text(CGPoint(x: turn, y: one.y)) + "L" + text(CGPoint(x: turn, y: other.y))
                path += "L" + text(other)
            }
        case .monotone: path += curve(points, slopes: monotone(points))
        case .cardinal(let tension): path += curve(points, strength: 1 - tension)
        case .catmullRom: path += curve(points, strength: 0.5)
        }
        return path
    }

    static func text(_ point: CGPoint) -> String { "\(CSS.number(point.x)) \(CSS.number(point.y))" }

    private static func curve(_ points: [CGPoint], strength: Double) -> String {
        guard points.count > 2 else { return points.dropFirst().map { "L" + text($0) }.joined() }
        var path = ""
        for index in 0..<points.count - 1 {
            let before = points[max(index - 1, 0)]
            let (one, other) = (points[index], points[index + 1])
            let after = points[min(index + 2, points.count - 1)]
            let share = min(max(strength, 0), 1) / 3
            let first = CGPoint(
                x: one.x + (other.x - before.x) * share, y: one.y + (other.y - before.y) * share)
            let second = CGPoint(
                x: other.x - (after.x - one.x) * share, y: other.y - (after.y - one.y) * share)
            path += "C\(text(first)) \(text(second)) \(text(other))"
        }
        return path
    }

    private static func curve(_ points: [CGPoint], slopes: [Double]) -> String {
        var path = ""
        for index in 0..<max(points.count - 1, 0) {
            let (one, other) = (points[index], points[index + 1])
            let third = (other.x - one.x) / 3
            let first = CGPoint(x: one.x + third, y: one.y + slopes[index] * third)
            let second = CGPoint(x: other.x - third, y: other.y - slopes[index + 1] * third)
            path += "C\(text(first)) \(text(second)) \(text(other))"
        }
        return path
    }

    /// Slopes at the points with which the curve never exceeds them (method of Fritsch and Carlson).
    private static func monotone(_ points: [CGPoint]) -> [Double] {
        guard points.count > 1 else { return [0] }
        let rises = zip(points, points.dropFirst()).map { one, other -> Double in
            other.x == one.x ? 0 : (other.y - one.y) / (other.x - one.x)
        }
        var slopes = [rises[0]]
        for (before, after) in zip(rises, rises.dropFirst()) {
            slopes.append(before * after <= 0 ? 0 : 2 * before * after / (before + after))
        }
        slopes.append(rises[rises.count - 1])
        return slopes
    }

    /// The outline of a symbol with this area, around the origin.
    static func symbol(_ shape: BasicChartSymbolShape, area: Double) -> (data: String, isLine: Bool) {
        let side = max(area, 0).squareRoot()
        let half = side / 2
        func polygon(_ corners: Int, _ radius: Double) -> String {
            let points = (0..<corners).map { number -> CGPoint in
                let angle = Double(number) * 2 * .pi / Double(corners) - .pi / 2
                return CGPoint(x: radius * cos(angle), y: radius * sin(angle))
            }
            return "M" + points.map(text).joined(separator: "L") + "Z"
        }
        func strokes(_ angles: [Double]) -> String {
            angles.map { angle in
                let end = CGPoint(x: half * 1.2 * cos(angle), y: half * 1.2 * sin(angle))
                return "M\(text(CGPoint(x: -end.x, y: -end.y)))L\(text(end))"
            }.joined()
        }
        let radius = half * 1.128  // The same area as the square.
        switch shape.kind {
        case .circle:
            let arc = "a\(CSS.number(radius)) \(CSS.number(radius)) 0 1 1 "
            return (
                "M\(CSS.number(-radius)) 0\(arc)\(CSS.number(2 * radius)) 0\(arc)\(CSS.number(-2 * radius)) 0Z",
                false
            )
        case .square:
            return (
                "M\(CSS.number(-half)) \(CSS.number(-half))h\(CSS.number(side))v\(CSS.number(side))"
                    + "h\(CSS.number(-side))Z", false
            )
        case .triangle: return (polygon(3, half * 1.5), false)
        case .diamond: return (polygon(4, half * 1.41), false)
        case .pentagon: return (polygon(5, half * 1.25), false)
        case .plus: return (strokes([0, .pi / 2]), true)
        case .cross: return (strokes([.pi / 4, .pi * 3 / 4]), true)
        case .asterisk: return (strokes([.pi / 2, .pi / 6, .pi * 5 / 6]), true)
        }
    }
}
