public import Foundation
public import UIKit

/// A path of lines and curves.
nonisolated public struct Path: Equatable, Sendable {
    /// One step of a path. Lengths are in points.
    nonisolated public enum Element: Equatable, Sendable {
        case move(to: CGPoint)
        case line(to: CGPoint)
        case quadCurve(to: CGPoint, control: CGPoint)
        case curve(to: CGPoint, control1: CGPoint, control2: CGPoint)
        case closeSubpath
    }
    /// In order of insertion.
    package private(set) var elements: [Element] = []
    private var start = CGPoint.zero
    /// The end of the path. Nil if it is empty.
    public private(set) var currentPoint: CGPoint?

    /// Without elements.
    public init() {}
    /// Built by a closure.
    public init(_ build: (inout Path) -> Void) { build(&self) }
    /// A closed rectangle.
    public init(_ rect: CGRect) { addRect(rect) }
    /// A closed ellipse.
    public init(ellipseIn rect: CGRect) { addEllipse(in: rect) }
    /// The style is ignored: corners are elliptic arcs.
    public init(roundedRect rect: CGRect, cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
        addRoundedRect(in: rect, cornerSize: CGSize(width: cornerRadius, height: cornerRadius))
    }
    /// The style is ignored: corners are elliptic arcs.
    public init(roundedRect rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .continuous) {
        addRoundedRect(in: rect, cornerSize: cornerSize)
    }
    init(elements: [Element]) { for element in elements { add(element) } }

    /// Whether the path has no elements.
    public var isEmpty: Bool { elements.isEmpty }

    private mutating func add(_ element: Element) {
        switch element {
        case .move(let point): (start, currentPoint) = (point, point)
        case .line(let point), .quadCurve(let point, _), .curve(let point, _, _):
            if currentPoint == nil { return add(.move(to: point)) }
            currentPoint = point
        case .closeSubpath: currentPoint = start
        }
        elements.append(element)
    }
    /// Starts a new subpath.
    public mutating func move(to point: CGPoint) { add(.move(to: point)) }
    /// Adds a line. Without a start point it only moves there.
    public mutating func addLine(to point: CGPoint) { add(.line(to: point)) }
    /// Adds a quadratic Bézier curve.
    public mutating func addQuadCurve(to point: CGPoint, control: CGPoint) {
        add(.quadCurve(to: point, control: control))
    }
    /// Adds a cubic Bézier curve.
    public mutating func addCurve(to point: CGPoint, control1: CGPoint, control2: CGPoint) {
        add(.curve(to: point, control1: control1, control2: control2))
    }
    /// Draws a line to the start of the subpath.
    public mutating func closeSubpath() { add(.closeSubpath) }
    /// Starts a new subpath with lines between the points.
    public mutating func addLines(_ points: [CGPoint]) {
        for (index, point) in points.enumerated() { add(index == 0 ? .move(to: point) : .line(to: point)) }
    }
    /// Adds a closed rectangle.
    public mutating func addRect(_ rect: CGRect) {
        addLines([
            CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY),
            CGPoint(x: rect.maxX, y: rect.maxY), CGPoint(x: rect.minX, y: rect.maxY),
        ])
        closeSubpath()
    }
    /// Adds closed rectangles.
    public mutating func addRects(_ rects: [CGRect]) { for rect in rects { addRect(rect) } }
    /// Appends the elements of another path.
    public mutating func addPath(_ path: Path) { for element in path.elements { add(element) } }
    /// Adds a closed ellipse.
    public mutating func addEllipse(in rect: CGRect) {
        addArc(
            from: 0, sweep: 2 * .pi, center: CGPoint(x: rect.midX, y: rect.midY),
            radii: CGSize(width: rect.width / 2, height: rect.height / 2), joins: false)
        closeSubpath()
    }
    /// Radii are limited to half of the sides. The style is ignored.
    public mutating func addRoundedRect(
        in rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .continuous
    ) {
        let (w, h) = (min(cornerSize.width, rect.width / 2), min(cornerSize.height, rect.height / 2))
        let radii = CGSize(width: max(w, 0), height: max(h, 0))
        addRounded(rect, [radii, radii, radii, radii])
    }
    /// Radii are limited to half of the sides. The style is ignored.
    public mutating func addRoundedRect(
        in rect: CGRect, cornerRadii: RectangleCornerRadii, style: RoundedCornerStyle = .continuous
    ) {
        let most = min(rect.width, rect.height) / 2
        let corners = [
            cornerRadii.topLeading, cornerRadii.topTrailing, cornerRadii.bottomTrailing,
            cornerRadii.bottomLeading,
        ]
        addRounded(rect, corners.map { CGSize(width: min($0, most), height: min($0, most)) })
    }
    /// Corners are in clockwise order from the top left.
    private mutating func addRounded(_ rect: CGRect, _ radii: [CGSize]) {
        let centers = [
            CGPoint(x: rect.minX + radii[0].width, y: rect.minY + radii[0].height),
            CGPoint(x: rect.maxX - radii[1].width, y: rect.minY + radii[1].height),
            CGPoint(x: rect.maxX - radii[2].width, y: rect.maxY - radii[2].height),
            CGPoint(x: rect.minX + radii[3].width, y: rect.maxY - radii[3].height),
        ]
        for corner in 0..<4 {
            addArc(
                from: .pi + Double(corner) * .pi / 2, sweep: .pi / 2, center: centers[corner],
                radii: radii[corner], joins: corner > 0)
        }
        closeSubpath()
    }
    /// An arc around `center`. `clockwise` is defined as in Core Graphics, where y grows upwards: on a page,
    /// where y grows downwards, `false` is clockwise.
    public mutating func addArc(
        center: CGPoint, radius: CGFloat, startAngle: Angle, endAngle: Angle, clockwise: Bool
    ) {
        var sweep = endAngle.radians - startAngle.radians
        let turn = 2 * Double.pi
        if clockwise {
            if sweep > 0 { sweep -= turn * (sweep / turn).rounded(.up) }
            if sweep < -turn { sweep = -turn }
        } else {
            if sweep < 0 { sweep += turn * (-sweep / turn).rounded(.up) }
            if sweep > turn { sweep = turn }
        }
        addArc(
            from: startAngle.radians, sweep: sweep, center: center,
            radii: CGSize(width: radius, height: radius), joins: true)
    }
    /// - Parameter delta: positive is clockwise on a page.
    public mutating func addRelativeArc(center: CGPoint, radius: CGFloat, startAngle: Angle, delta: Angle) {
        addArc(
            from: startAngle.radians, sweep: delta.radians, center: center,
            radii: CGSize(width: radius, height: radius), joins: true)
    }
    /// An arc of `radius` that touches the lines from the current point to `tangent1End` and from there to
    /// `tangent2End`.
    public mutating func addArc(tangent1End corner: CGPoint, tangent2End end: CGPoint, radius: CGFloat) {
        guard let from = currentPoint else { return move(to: corner) }
        let first = atan2(Double(from.y - corner.y), Double(from.x - corner.x))
        let second = atan2(Double(end.y - corner.y), Double(end.x - corner.x))
        var between = second - first
        between = atan2(sin(between), cos(between))
        guard abs(sin(between)) > 1e-9, radius > 0 else { return addLine(to: corner) }
        let reach = Double(radius) / abs(tan(between / 2))
        let middle = first + between / 2
        let far = Double(radius) / abs(sin(between / 2))
        let center = CGPoint(x: Double(corner.x) + cos(middle) * far, y: Double(corner.y) + sin(middle) * far)
        let touch = CGPoint(
            x: Double(corner.x) + cos(first) * reach, y: Double(corner.y) + sin(first) * reach)
        let start = atan2(Double(touch.y - center.y), Double(touch.x - center.x))
        let sweep = -(between < 0 ? -1.0 : 1) * (Double.pi - abs(between))
        addArc(
            from: start, sweep: sweep, center: center, radii: CGSize(width: radius, height: radius),
            joins: true)
    }

    private mutating func addArc(from: Double, sweep: Double, center: CGPoint, radii: CGSize, joins: Bool) {
        func point(_ angle: Double, _ turned: Double = 0, _ reach: Double = 0) -> CGPoint {
            CGPoint(
                x: Double(center.x) + Double(radii.width) * (cos(angle) - reach * sin(angle)),
                y: Double(center.y) + Double(radii.height) * (sin(angle) + reach * cos(angle)))
        }
        let first = point(from)
        if joins, let currentPoint {
            if currentPoint != first { addLine(to: first) }
        } else {
            move(to: first)
        }
        guard sweep.isFinite, from.isFinite, sweep != 0 else { return }
        let parts = max(1, Int((abs(sweep) / (.pi / 2) - 1e-9).rounded(.up)))
        let step = sweep / Double(parts)
        let reach = 4 / 3 * tan(step / 4)
        for part in 0..<min(parts, 64) {
            let (begin, end) = (from + Double(part) * step, from + Double(part + 1) * step)
            addCurve(to: point(end), control1: point(begin, 0, reach), control2: point(end, 0, -reach))
        }
    }
}

nonisolated extension Path {
    /// The path with every point transformed.
    package func mapPoints(_ change: (CGPoint) -> CGPoint) -> Path {
        Path(
            elements: elements.map {
                switch $0 {
                case .move(let point): .move(to: change(point))
                case .line(let point): .line(to: change(point))
                case .quadCurve(let point, let control):
                    .quadCurve(to: change(point), control: change(control))
                case .curve(let point, let one, let two):
                    .curve(to: change(point), control1: change(one), control2: change(two))
                case .closeSubpath: .closeSubpath
                }
            })
    }
    /// The path moved by points.
    public func offsetBy(dx: CGFloat, dy: CGFloat) -> Path {
        mapPoints { CGPoint(x: $0.x + dx, y: $0.y + dy) }
    }
    /// The path transformed.
    public func applying(_ transform: CGAffineTransform) -> Path { mapPoints { $0.applying(transform) } }
    /// Calls `body` for each element in order.
    public func forEach(_ body: (Element) -> Void) { elements.forEach(body) }

    /// The smallest rectangle that contains all points and control points.
    public var boundingRect: CGRect {
        var points: [CGPoint] = []
        _ = mapPoints {
            points.append($0)
            return $0
        }
        guard let first = points.first else { return .zero }
        let (xs, ys) = (points.map(\.x), points.map(\.y))
        let (left, top) = (xs.min() ?? first.x, ys.min() ?? first.y)
        return CGRect(
            x: left, y: top, width: (xs.max() ?? left) - left, height: (ys.max() ?? top) - top)
    }

    /// The path data of SVG.
    package var svg: String {
        func text(_ point: CGPoint) -> String { "\(CSS.number(point.x)) \(CSS.number(point.y))" }
        return elements.map {
            switch $0 {
            case .move(let point): "M" + text(point)
            case .line(let point): "L" + text(point)
            case .quadCurve(let point, let control): "Q\(text(control)) \(text(point))"
            case .curve(let point, let one, let two): "C\(text(one)) \(text(two)) \(text(point))"
            case .closeSubpath: "Z"
            }
        }.joined()
    }
}
