public import FoundationExtras

/// A drawing context for images. It records vector elements; there are no pixels.
///
/// Colours are evaluated while drawing, under the current traits (light), as with Apple's.
public final class CGContext {
    private struct State {
        var transform = CGAffineTransform.identity
        var fill = RGBA(0, 0, 0)
        var stroke = RGBA(0, 0, 0)
        var lineWidth: CGFloat = 1
        var cap = CGLineCap.butt
        var join = CGLineJoin.miter
        var dash: [CGFloat] = []
        var dashPhase: CGFloat = 0
        var alpha: CGFloat = 1
        var clip: String?
        var shadow: Shadow?
    }

    private struct Shadow {
        var offset: CGSize
        var blur: CGFloat
        var color: RGBA
    }

    /// How a path is drawn.
    public enum PathDrawingMode: Sendable {
        case fill, eoFill, stroke, fillStroke, eoFillStroke
    }

    let size: CGSize
    private(set) var elements = ""
    private var state = State()
    private var saved: [State] = []
    private var ids = 0
    private var path = UIBezierPath()

    init(size: CGSize) { self.size = size }

    // MARK: state

    /// Saves everything that ``restoreGState()`` restores.
    public func saveGState() { saved.append(state) }
    /// Does nothing without an earlier `saveGState()`.
    public func restoreGState() { if let last = saved.popLast() { state = last } }

    /// The present transformation.
    public var ctm: CGAffineTransform { state.transform }
    /// Moves the origin by points.
    public func translateBy(x tx: CGFloat, y ty: CGFloat) {
        state.transform = state.transform.translatedBy(x: tx, y: ty)
    }
    /// Scales from the origin.
    public func scaleBy(x sx: CGFloat, y sy: CGFloat) {
        state.transform = state.transform.scaledBy(x: sx, y: sy)
    }
    /// - Parameter angle: in radians, clockwise.
    public func rotate(by angle: CGFloat) { state.transform = state.transform.rotated(by: angle) }
    /// Applies the transformation before the present one.
    public func concatenate(_ transform: CGAffineTransform) {
        state.transform = transform.concatenating(state.transform)
    }

    /// The colour of fills from now on.
    public func setFillColor(_ color: CGColor) { state.fill = color.rgba }
    /// The colour of lines from now on.
    public func setStrokeColor(_ color: CGColor) { state.stroke = color.rgba }
    /// The colour of fills from now on.
    public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.fill = RGBA(red, green, blue, alpha)
    }
    /// The colour of lines from now on.
    public func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.stroke = RGBA(red, green, blue, alpha)
    }
    /// In points.
    public func setLineWidth(_ width: CGFloat) { state.lineWidth = width }
    /// The form of the ends of lines.
    public func setLineCap(_ cap: CGLineCap) { state.cap = cap }
    /// The form of the corners of lines.
    public func setLineJoin(_ join: CGLineJoin) { state.join = join }
    /// - Parameter lengths: of dashes and gaps in points. Empty for continuous lines.
    public func setLineDash(phase: CGFloat, lengths: [CGFloat]) {
        (state.dashPhase, state.dash) = (phase, lengths)
    }
    /// - Parameter alpha: the opacity of everything that is drawn, 0 to 1.
    public func setAlpha(_ alpha: CGFloat) { state.alpha = min(max(alpha, 0), 1) }

    /// Adds a shadow to everything that is drawn from now on.
    /// - Parameters: lengths in points. If the colour is nil, there is no shadow.
    public func setShadow(offset: CGSize, blur: CGFloat, color: CGColor?) {
        state.shadow = color.map { Shadow(offset: offset, blur: blur, color: $0.rgba) }
    }
    /// A black shadow with an opacity of one third.
    public func setShadow(offset: CGSize, blur: CGFloat) {
        setShadow(offset: offset, blur: blur, color: CGColor(gray: 0, alpha: 1.0 / 3))
    }

    // MARK: shapes

    /// Fills a rectangle.
    public func fill(_ rect: CGRect) { fill(pathData: PathData.rectangle(rect), isEvenOdd: false) }
    /// Fills rectangles.
    public func fill(_ rects: [CGRect]) { rects.forEach { fill($0) } }
    /// Fills an ellipse.
    public func fillEllipse(in rect: CGRect) { fill(pathData: PathData.ellipse(rect), isEvenOdd: false) }
    /// Draws the outline of a rectangle.
    public func stroke(_ rect: CGRect) { stroke(pathData: PathData.rectangle(rect)) }
    /// - Parameter width: in points, for this rectangle only.
    public func stroke(_ rect: CGRect, width: CGFloat) {
        saveGState()
        setLineWidth(width)
        stroke(rect)
        restoreGState()
    }
    /// Draws the outline of an ellipse.
    public func strokeEllipse(in rect: CGRect) { stroke(pathData: PathData.ellipse(rect)) }
    /// Limits drawing to a rectangle.
    public func clip(to rect: CGRect) { clip(pathData: PathData.rectangle(rect), isEvenOdd: false) }

    // MARK: a path, step by step

    /// Discards the present path.
    public func beginPath() { path = UIBezierPath() }
    /// Starts a new subpath.
    public func move(to point: CGPoint) { path.move(to: point) }
    /// Adds a line.
    public func addLine(to point: CGPoint) { path.addLine(to: point) }
    /// Adds a cubic Bézier curve.
    public func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        path.addCurve(to: end, controlPoint1: control1, controlPoint2: control2)
    }
    /// Adds a quadratic Bézier curve.
    public func addQuadCurve(to end: CGPoint, control: CGPoint) {
        path.addQuadCurve(to: end, controlPoint: control)
    }
    /// - Parameters: angles in radians. UIKit's contexts are flipped, so `clockwise: false` is clockwise.
    public func addArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
    ) {
        path.addArc(
            withCenter: center, radius: radius, startAngle: startAngle, endAngle: endAngle,
            clockwise: !clockwise)
    }
    /// Adds a closed rectangle.
    public func addRect(_ rect: CGRect) { path.append(UIBezierPath(rect: rect)) }
    /// Adds a closed ellipse.
    public func addEllipse(in rect: CGRect) { path.append(UIBezierPath(ovalIn: rect)) }
    /// Appends a path.
    public func addPath(_ path: CGPath) { self.path.append(UIBezierPath(cgPath: path)) }
    /// Draws a line to the start of the subpath.
    public func closePath() { path.close() }

    /// Fills and discards the path.
    public func fillPath() { drawPath(using: .fill) }
    /// Strokes and discards the path.
    public func strokePath() { drawPath(using: .stroke) }
    /// Draws and discards the path.
    public func drawPath(using mode: PathDrawingMode) {
        let data = path.cgPath.data
        switch mode {
        case .fill: fill(pathData: data, isEvenOdd: false)
        case .eoFill: fill(pathData: data, isEvenOdd: true)
        case .stroke: stroke(pathData: data)
        case .fillStroke, .eoFillStroke:
            fill(pathData: data, isEvenOdd: mode == .eoFillStroke)
            stroke(pathData: data)
        }
        beginPath()
    }
    /// Limits drawing to the path and discards it.
    public func clip() {
        clip(pathData: path.cgPath.data, isEvenOdd: false)
        beginPath()
    }

    // MARK: what is written down

    func fill(pathData data: String, isEvenOdd: Bool) {
        let rule = isEvenOdd ? " fill-rule=\"evenodd\"" : ""
        add("<path d=\"\(data)\"\(rule) \(state.fill.attribute("fill"))\(place)/>")
    }

    func stroke(pathData data: String) {
        var line = "stroke-width=\"\(SVG.number(state.lineWidth))\" stroke-linecap=\"\(state.cap.css)\""
        line += " stroke-linejoin=\"\(state.join.css)\""
        if !state.dash.isEmpty {
            line += " stroke-dasharray=\"\(state.dash.map { SVG.number($0) }.joined(separator: " "))\""
            line += " stroke-dashoffset=\"\(SVG.number(state.dashPhase))\""
        }
        add("<path d=\"\(data)\" fill=\"none\" \(state.stroke.attribute("stroke")) \(line)\(place)/>")
    }

    /// A clip inside another one is their intersection.
    func clip(pathData data: String, isEvenOdd: Bool) {
        let id = nextID("clip")
        let outer = state.clip.map { " clip-path=\"url(#\($0))\"" } ?? ""
        let rule = isEvenOdd ? " clip-rule=\"evenodd\"" : ""
        elements +=
            "<clipPath id=\"\(id)\"\(outer)><path d=\"\(data)\"\(rule)"
            + " \(state.transform.attribute)/></clipPath>"
        state.clip = id
    }

    /// An id that is unique in this image.
    func nextID(_ kind: String) -> String {
        ids += 1
        return "\(kind)-\(ids)"
    }

    /// Elements in the present coordinates.
    func draw(_ inner: String, alpha: CGFloat = 1) {
        let opacity = alpha < 1 ? " opacity=\"\(SVG.number(alpha))\"" : ""
        add("<g\(place)\(opacity)>\(inner)</g>")
    }

    var fillColor: RGBA {
        get { state.fill }
        set { state.fill = newValue }
    }
    var strokeColor: RGBA {
        get { state.stroke }
        set { state.stroke = newValue }
    }

    private var place: String {
        let transform = state.transform.isIdentity ? "" : " " + state.transform.attribute
        return transform + (state.alpha < 1 ? " opacity=\"\(SVG.number(state.alpha))\"" : "")
    }

    /// Clips and shadows are in the coordinates of the image, so they enclose transformed elements.
    private func add(_ element: String) {
        var element = element
        if let shadow = state.shadow {
            let id = nextID("shadow")
            element =
                "<filter id=\"\(id)\" x=\"-1\" y=\"-1\" width=\"3\" height=\"3\"><feDropShadow"
                + " dx=\"\(SVG.number(shadow.offset.width))\" dy=\"\(SVG.number(shadow.offset.height))\""
                + " stdDeviation=\"\(SVG.number(shadow.blur / 2))\""
                + " flood-color=\"\(shadow.color.paint.color)\""
                + " flood-opacity=\"\(SVG.number(shadow.color.alpha))\"/></filter>"
                + "<g filter=\"url(#\(id))\">\(element)</g>"
        }
        elements += state.clip.map { "<g clip-path=\"url(#\($0))\">\(element)</g>" } ?? element
    }
}
