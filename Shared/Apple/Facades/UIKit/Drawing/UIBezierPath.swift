public import FoundationExtras

/// Lines and curves; filled and stroked in the image that is being drawn.
open class UIBezierPath: NSObject {
    /// The steps as SVG's path data has them.
    private(set) var data = ""
    private var points: [CGPoint] = []

    /// Points.
    open var lineWidth: CGFloat = 1
    open var lineCapStyle: CGLineCap = .butt
    open var lineJoinStyle: CGLineJoin = .miter
    open var usesEvenOddFillRule = false
    private var dash: [CGFloat] = []
    private var dashPhase: CGFloat = 0

    public override init() { super.init() }

    public convenience init(rect: CGRect) {
        self.init()
        add(PathData.rectangle(rect), [rect.origin, CGPoint(x: rect.maxX, y: rect.maxY)])
    }

    public convenience init(ovalIn rect: CGRect) {
        self.init()
        add(PathData.ellipse(rect), [rect.origin, CGPoint(x: rect.maxX, y: rect.maxY)])
    }

    public convenience init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
        self.init()
        let radius = CGSize(width: cornerRadius, height: cornerRadius)
        add(
            PathData.rounded(rect, radius, .allCorners), [rect.origin, CGPoint(x: rect.maxX, y: rect.maxY)])
    }

    public convenience init(
        roundedRect rect: CGRect, byRoundingCorners corners: UIRectCorner, cornerRadii: CGSize
    ) {
        self.init()
        add(
            PathData.rounded(rect, cornerRadii, corners),
            [rect.origin, CGPoint(x: rect.maxX, y: rect.maxY)])
    }

    /// - Parameters: angles in radians, 0 to the right.
    public convenience init(
        arcCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
    ) {
        self.init()
        addArc(
            withCenter: center, radius: radius, startAngle: startAngle, endAngle: endAngle,
            clockwise: clockwise)
    }

    public convenience init(cgPath: CGPath) {
        self.init()
        add(
            cgPath.data,
            [cgPath.boundingBox.origin, CGPoint(x: cgPath.boundingBox.maxX, y: cgPath.boundingBox.maxY)])
    }

    open func move(to point: CGPoint) { add("M\(PathData.pair(point))", [point]) }
    open func addLine(to point: CGPoint) { add("L\(PathData.pair(point))", [point]) }
    open func addCurve(to endPoint: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
        add(
            "C\(PathData.pair(controlPoint1)) \(PathData.pair(controlPoint2)) \(PathData.pair(endPoint))",
            [controlPoint1, controlPoint2, endPoint])
    }
    open func addQuadCurve(to endPoint: CGPoint, controlPoint: CGPoint) {
        add("Q\(PathData.pair(controlPoint)) \(PathData.pair(endPoint))", [controlPoint, endPoint])
    }
    open func addArc(
        withCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
    ) {
        let arc = PathData.arc(
            center: center, radius: radius, from: startAngle, to: endAngle, isClockwise: clockwise,
            connects: !data.isEmpty)
        add(arc.data, arc.points)
    }
    open func close() { data += "Z" }
    open func append(_ bezierPath: UIBezierPath) { add(bezierPath.data, bezierPath.points) }
    open func removeAllPoints() { (data, points) = ("", []) }

    /// - Parameter pattern: lengths of lines and gaps, in points; nil: no gaps.
    open func setLineDash(_ pattern: UnsafePointer<CGFloat>?, count: Int, phase: CGFloat) {
        dash = pattern.map { (0..<max(count, 0)).map($0.advanced(by:)).map(\.pointee) } ?? []
        dashPhase = phase
    }

    open var isEmpty: Bool { data.isEmpty }
    open var currentPoint: CGPoint { points.last ?? .zero }
    /// Contains all points, those that pull a curve as well.
    open var bounds: CGRect { PathData.box(points) }
    open var cgPath: CGPath { CGPath(data: data, boundingBox: bounds) }

    /// Fills it in the colour of `setFill()`.
    open func fill() {
        UIGraphicsGetCurrentContext()?.fill(pathData: data, isEvenOdd: usesEvenOddFillRule)
    }

    /// Draws its lines in the colour of `setStroke()`.
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

    /// From here on, drawing stays inside of it.
    open func addClip() {
        UIGraphicsGetCurrentContext()?.clip(pathData: data, isEvenOdd: usesEvenOddFillRule)
    }

    private func add(_ steps: String, _ more: [CGPoint]) {
        data += steps
        points += more
    }
}

/// Lines and curves that stay as they are.
public final class CGPath: NSObject, Sendable {
    let data: String
    public let boundingBox: CGRect

    init(data: String, boundingBox: CGRect) {
        self.data = data
        self.boundingBox = boundingBox
        super.init()
    }
}

/// SVG's path data.
package enum PathData {
    package static func pair(_ point: CGPoint) -> String { "\(SVG.number(point.x)) \(SVG.number(point.y))" }

    package static func rectangle(_ rect: CGRect) -> String {
        "M\(pair(rect.origin))H\(SVG.number(rect.maxX))V\(SVG.number(rect.maxY))H\(SVG.number(rect.minX))Z"
    }

    package static func ellipse(_ rect: CGRect) -> String {
        let radii = "\(SVG.number(rect.width / 2)) \(SVG.number(rect.height / 2)) 0 1 1"
        let (left, right) = (CGPoint(x: rect.minX, y: rect.midY), CGPoint(x: rect.maxX, y: rect.midY))
        return "M\(pair(left))A\(radii) \(pair(right))A\(radii) \(pair(left))Z"
    }

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

    /// - Parameters: angles in radians; clockwise as seen where y grows downwards.
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
        // Two halves: an arc of SVG cannot be a whole circle.
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
