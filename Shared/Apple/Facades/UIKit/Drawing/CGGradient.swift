public import FoundationExtras

/// A colour space. Every colour is stored in sRGB, whatever space is requested.
public final class CGColorSpace: NSObject, Sendable {
    /// The only instance.
    public static let sRGB = CGColorSpace()
}

/// Returns sRGB.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { .sRGB }

/// How far a gradient extends. Ignored: the colours at the ends always continue, as in SVG.
public struct CGGradientDrawingOptions: OptionSet, Sendable {
    /// Apple's bits.
    public var rawValue: UInt32
    /// Unknown bits are ignored.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Has no effect: the colour always continues.
    public static let drawsBeforeStartLocation = CGGradientDrawingOptions(rawValue: 1)
    /// Has no effect: the colour always continues.
    public static let drawsAfterEndLocation = CGGradientDrawingOptions(rawValue: 2)
}

/// Lets `colors as CFArray` compile.
public typealias CFArray = [Any]

/// A series of colours.
public final class CGGradient: NSObject, Sendable {
    /// Colours and their positions from 0 to 1.
    let stops: [(color: RGBA, location: CGFloat)]

    /// - Parameters:
    ///   - colors: `CGColor`s. Without any the result is nil.
    ///   - locations: from 0 to 1, one for each colour. If nil, at equal distances.
    public init?(colorsSpace: CGColorSpace?, colors: CFArray, locations: UnsafePointer<CGFloat>?) {
        let colors = colors.compactMap { ($0 as? CGColor)?.rgba }
        guard !colors.isEmpty else { return nil }
        stops = colors.enumerated().map { number, color in
            (color, locations?[number] ?? CGFloat(number) / CGFloat(max(colors.count - 1, 1)))
        }
        super.init()
    }

    var elements: String {
        stops.map { stop in
            "<stop offset=\"\(SVG.number(stop.location))\" stop-color=\"\(stop.color.paint.color)\""
                + " stop-opacity=\"\(SVG.number(stop.color.alpha))\"/>"
        }.joined()
    }
}

extension CGContext {
    /// Fills the clipped area with the gradient from `startPoint` to `endPoint`.
    public func drawLinearGradient(
        _ gradient: CGGradient, start startPoint: CGPoint, end endPoint: CGPoint,
        options: CGGradientDrawingOptions
    ) {
        let place =
            "x1=\"\(SVG.number(startPoint.x))\" y1=\"\(SVG.number(startPoint.y))\""
            + " x2=\"\(SVG.number(endPoint.x))\" y2=\"\(SVG.number(endPoint.y))\""
        draw(gradient, "linearGradient", place)
    }

    /// Fills the clipped area with the gradient from the inner to the outer circle.
    public func drawRadialGradient(
        _ gradient: CGGradient, startCenter: CGPoint, startRadius: CGFloat, endCenter: CGPoint,
        endRadius: CGFloat, options: CGGradientDrawingOptions
    ) {
        let place =
            "cx=\"\(SVG.number(endCenter.x))\" cy=\"\(SVG.number(endCenter.y))\""
            + " r=\"\(SVG.number(endRadius))\" fx=\"\(SVG.number(startCenter.x))\""
            + " fy=\"\(SVG.number(startCenter.y))\" fr=\"\(SVG.number(startRadius))\""
        draw(gradient, "radialGradient", place)
    }

    private func draw(_ gradient: CGGradient, _ kind: String, _ place: String) {
        let id = nextID("gradient")
        let area = CGRect(origin: .zero, size: size).applying(ctm.inverted())
        draw(
            "<\(kind) id=\"\(id)\" gradientUnits=\"userSpaceOnUse\" \(place)>\(gradient.elements)</\(kind)>"
                + "<rect \(UIImage.attributes(area)) fill=\"url(#\(id))\"/>")
    }
}

extension CGRect {
    /// The smallest rectangle that contains the transformed corners.
    public func applying(_ t: CGAffineTransform) -> CGRect {
        PathData.box(
            [
                origin, CGPoint(x: maxX, y: minY), CGPoint(x: minX, y: maxY), CGPoint(x: maxX, y: maxY),
            ].map { $0.applying(t) })
    }
}
