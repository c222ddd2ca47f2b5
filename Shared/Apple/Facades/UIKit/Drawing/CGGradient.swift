public import FoundationExtras

/// Which colours there are. Every colour is kept in sRGB, whatever space is named.
public final class CGColorSpace: NSObject, Sendable {
    public static let sRGB = CGColorSpace()
}

/// sRGB.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { .sRGB }

/// How far a gradient reaches. Without these, the colours of the ends go on all the same, as SVG's do.
public struct CGGradientDrawingOptions: OptionSet, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let drawsBeforeStartLocation = CGGradientDrawingOptions(rawValue: 1)
    public static let drawsAfterEndLocation = CGGradientDrawingOptions(rawValue: 2)
}

/// So that `colors as CFArray` is an array here too.
public typealias CFArray = [Any]

/// Colours that run into each other.
public final class CGGradient: NSObject, Sendable {
    /// Colours and where they stand, 0 to 1.
    let stops: [(color: RGBA, location: CGFloat)]

    /// - Parameters:
    ///   - colors: `CGColor`s; nil is returned where there are none.
    ///   - locations: 0 to 1, one for each colour; nil: evenly.
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
    /// Fills all that the clip leaves, from `startPoint` to `endPoint`.
    public func drawLinearGradient(
        _ gradient: CGGradient, start startPoint: CGPoint, end endPoint: CGPoint,
        options: CGGradientDrawingOptions
    ) {
        let place =
            "x1=\"\(SVG.number(startPoint.x))\" y1=\"\(SVG.number(startPoint.y))\""
            + " x2=\"\(SVG.number(endPoint.x))\" y2=\"\(SVG.number(endPoint.y))\""
        draw(gradient, "linearGradient", place)
    }

    /// Fills all that the clip leaves, from the inner circle to the outer one.
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
    /// The smallest rectangle around the four corners after the map.
    public func applying(_ t: CGAffineTransform) -> CGRect {
        PathData.box(
            [
                origin, CGPoint(x: maxX, y: minY), CGPoint(x: minX, y: maxY), CGPoint(x: maxX, y: maxY),
            ].map { $0.applying(t) })
    }
}
