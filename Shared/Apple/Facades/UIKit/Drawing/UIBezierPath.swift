public import FoundationExtras

/// A path of lines and curves, filled and stroked in the current image.
open class UIBezierPath: NSObject {
    /// The SVG path data.
    private(set) var data = ""
    private var points: [CGPoint] = []

    /// In points.
    open var lineWidth: CGFloat = 1
    /// The form of the ends of lines.
    open var lineCapStyle: CGLineCap = .butt
    /// The form of the corners of lines.
    open var lineJoinStyle: CGLineJoin = .miter
    /// Whether overlapping areas are left out.
    open var usesEvenOddFillRule = false
    private var dash: [CGFloat] = []
    private var dashPhase: CGFloat = 0

    /// An empty path.
    public override init() { super.init() }

    /// A closed rectangle.
    public convenience init(rect: CGRect) {
        self.init()
        add(PathData.rectangle(rect), [rect.origin, CGPoint(x: rect.maxX, y: rect.maxY)])
    }

    /// A closed ellipse.
    public convenience init(ovalIn rect: CGRect) {
        self.init()
        add(PathData.ellipse(rect), [rect.origin, CGPoint(x: rect.maxX, y: rect.maxY)])
    }

    /// - Parameter cornerRadius: in points.
    public convenience init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
        self.init()
        let radius = CGSize(width: cornerRadius, height: cornerRadius)
        add(
            PathData.rounded(rect, radius, .allCorners), [rect.origin, CGPoint(x: rect.maxX, y: rect.maxY)])
    }

    /// - Parameter cornerRadii: in points.
    public convenience init(
        roundedRect rect: CGRect, byRoundingCorners corners: UIRectCorner, cornerRadii: CGSize
    ) {
        self.init()
        add(
            PathData.rounded(rect, cornerRadii, corners),
            [rect.origin, CGPoint(x: rect.maxX, y: rect.maxY)])
    }

    /// - Parameters: angles in radians; 0 points to the right.
    public convenience init(
        arcCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
    ) {
        self.init()
        addArc(
            withCenter: center, radius: radius, startAngle: startAngle, endAngle: endAngle,
            clockwise: clockwise)
    }

    /// A copy of the path.
    public convenience init(cgPath: CGPath) {
        self.init()
        add(
            cgPath.data,
            [cgPath.boundingBox.origin, CGPoint(x: cgPath.boundingBox.maxX, y: cgPath.boundingBox.maxY)])
    }

    /// Starts a new subpath.
    open func move(to point: CGPoint) { add("M\(PathData.pair(point))", [point]) }
    /// Adds a line.
    open func addLine(to point: CGPoint) { add("L\(PathData.pair(point))", [point]) }
    /// Adds a cubic Bézier curve.
    open func addCurve(to endPoint: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
        add(
            "C\(PathData.pair(controlPoint1)) \(PathData.pair(controlPoint2)) \(PathData.pair(endPoint))",
            [controlPoint1, controlPoint2, endPoint])
    }
    /// Adds a quadratic Bézier curve.
    open func addQuadCurve(to endPoint: CGPoint, controlPoint: CGPoint) {
        add("Q\(PathData.pair(controlPoint)) \(PathData.pair(endPoint))", [controlPoint, endPoint])
    }
    /// - Parameters: angles in radians; 0 points to the right.
    open func addArc(
        withCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
    ) {
        let arc = PathData.arc(
            center: center, radius: radius, from: startAngle, to: endAngle, isClockwise: clockwise,
            connects: !data.isEmpty)
        add(arc.data, arc.points)
    }
    /// Draws a line to the start of the subpath.
    open func close() { data += "Z" }
    /// Appends a copy of the path.
    open func append(_ bezierPath: UIBezierPath) { add(bezierPath.data, bezierPath.points) }
    /// Empties the path.
    open func removeAllPoints() { (data, points) = ("", []) }

    /// - Parameter pattern: lengths of dashes and gaps in points. If nil, continuous.
    open func setLineDash(_ pattern: UnsafePointer<CGFloat>?, count: Int, phase: CGFloat) {
        dash = pattern.map { (0..<max(count, 0)).map($0.advanced(by:)).map(\.pointee) } ?? []
        dashPhase = phase
    }

    /// Whether the path has no elements.
    open var isEmpty: Bool { data.isEmpty }
    /// The end of the path, or zero if it is empty.
    open var currentPoint: CGPoint { points.last ?? .zero }
    /// Contains all points and control points.
    open var bounds: CGRect { PathData.box(points) }
    /// A copy of the path.
    open var cgPath: CGPath { CGPath(data: data, boundingBox: bounds) }

    /// Fills the path in the colour of `setFill()`.
    open func fill() {
        UIGraphicsGetCurrentContext()?.fill(pathData: data, isEvenOdd: usesEvenOddFillRule)
    }

    /// Strokes the path in the colour of `setStroke()`.
    open func stroke() {
        guard let context = UIGraphicsGetCurrentContext() else { return }
        context.saveGState()
        context.setLineWidth(lineWidth)
        context.setLineCap(lineCapStyle)
        context.setLineJoin(lineJoinStyle)
        if !dash.isEmpty { context.setLineDash(phase: dashPhase, lengths: dash) }
        context.stroke(pathData: data)
        context.restoreGState()
    }

    /// Limits further drawing to the path.
    open func addClip() {
        UIGraphicsGetCurrentContext()?.clip(pathData: data, isEvenOdd: usesEvenOddFillRule)
    }

    private func add(_ steps: String, _ more: [CGPoint]) {
        data += steps
        points += more
    }
}

/// An immutable path.
public final class CGPath: NSObject, Sendable {
    let data: String
    /// Contains all points and control points.
    public let boundingBox: CGRect

    init(data: String, boundingBox: CGRect) {
        self.data = data
        self.boundingBox = boundingBox
        super.init()
    }
}

/// Builds SVG path data.
package enum PathData {
    /// The coordinates of a point.
    package static func pair(_ point: CGPoint) -> String { "\(SVG.number(point.x)) \(SVG.number(point.y))" }

    /// A closed rectangle.
    package static func rectangle(_ rect: CGRect) -> String {
        "M\(pair(rect.origin))H\(SVG.number(rect.maxX))V\(SVG.number(rect.maxY))H\(SVG.number(rect.minX))Z"
    }

    /// A closed ellipse.
    package static func ellipse(_ rect: CGRect) -> String {
        let radii = "\(SVG.number(rect.width / 2)) \(SVG.number(rect.height / 2)) 0 1 1"
        let (left, right) = (CGPoint(x: rect.minX, y: rect.midY), CGPoint(x: rect.maxX, y: rect.midY))
        return "M\(pair(left))A\(radii) \(pair(right))A\(radii) \(pair(left))Z"
    }

    /// A closed rectangle with some corners rounded. Radii are limited to half of the sides.
    package static func rounded(_ rect: CGRect, _ radius: CGSize, _ corners: UIRectCorner) -> String {
        let across = max(min(radius.width, rect.width / 2), 0)
        let down = max(min(radius.height, rect.height / 2), 0)
        func corner(_ which: UIRectCorner) -> (x: Double, y: Double) {
            corners.contains(which) ? (across, down) : (0, 0)
        }
        func arc(_ radii: (x: Double, y: Double), _ x: Double, _ y: Double) -> String {
            radii.x > 0
                ? "A\(SVG.number(radii.x)) \(SVG.number(radii.y)) 0 0 1 \(pair(CGPoint(x: x, y: y)))" : ""
        }
        let (topLeft, topRight) = (corner(.topLeft), corner(.topRight))
        let (bottomLeft, bottomRight) = (corner(.bottomLeft), corner(.bottomRight))
        return "M\(pair(CGPoint(x: rect.minX + topLeft.x, y: rect.minY)))"
            + "H\(SVG.number(rect.maxX - topRight.x))" + arc(topRight, rect.maxX, rect.minY + topRight.y)
            + "V\(SVG.number(rect.maxY - bottomRight.y))"
            + arc(bottomRight, rect.maxX - bottomRight.x, rect.maxY)
            + "H\(SVG.number(rect.minX + bottomLeft.x))"
            + arc(bottomLeft, rect.minX, rect.maxY - bottomLeft.y)
            + "V\(SVG.number(rect.minY + topLeft.y))" + arc(topLeft, rect.minX + topLeft.x, rect.minY) + "Z"
    }

    /// - Parameters: angles in radians; clockwise where y grows downwards.
    package static func arc(
        center: CGPoint, radius: CGFloat, from start: CGFloat, to end: CGFloat, isClockwise: Bool,
        connects: Bool
    ) -> (data: String, points: [CGPoint]) {
        let turn = 2 * CGFloat.pi
        var sweep = end - start
        if abs(sweep) < turn {
            if isClockwise, sweep < 0 { sweep += turn }
            if !isClockwise, sweep > 0 { sweep -= turn }
        } else {
            sweep = isClockwise ? turn : -turn
        }
        func point(_ angle: CGFloat) -> CGPoint {
            CGPoint(x: center.x + radius * cos(angle), y: center.y + radius * sin(angle))
        }
        // Two halves, because an arc in SVG cannot be a whole circle.
        let (first, middle, last) = (point(start), point(start + sweep / 2), point(start + sweep))
        let radii = "A\(SVG.number(radius)) \(SVG.number(radius)) 0 0 \(sweep > 0 ? 1 : 0)"
        let data = "\(connects ? "L" : "M")\(pair(first))\(radii) \(pair(middle))\(radii) \(pair(last))"
        return (data, [first, middle, last])
    }

    static func box(_ points: [CGPoint]) -> CGRect {
        guard let first = points.first else { return .null }
        let (xs, ys) = (points.map(\.x), points.map(\.y))
        let (left, top) = (xs.min() ?? first.x, ys.min() ?? first.y)
        return CGRect(
            x: left, y: top, width: (xs.max() ?? left) - left, height: (ys.max() ?? top) - top)
    }
}
