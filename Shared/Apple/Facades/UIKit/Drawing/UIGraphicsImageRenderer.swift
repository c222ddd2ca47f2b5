public import FoundationExtras

/// The format of an image. It has no pixels, so only the pixel density is represented.
open class UIGraphicsImageRendererFormat: NSObject {
    /// Pixels per point.
    open var scale: CGFloat = 2
    /// Kept only: a drawing without a background is transparent.
    open var opaque = false

    /// With 2 pixels per point.
    public override init() { super.init() }
    /// With 2 pixels per point.
    open class func `default`() -> Self { self.init() }
    /// With 2 pixels per point.
    open class func preferred() -> Self { self.init() }
    /// Required for the factory methods.
    public required init(plain: Void = ()) { super.init() }
}

/// Draws images. The result is an SVG that contains text, symbols and images.
///
/// There is no `pngData(actions:)`, because nothing here creates pixels.
open class UIGraphicsImageRenderer: NSObject {
    private let bounds: CGRect
    private let scale: CGFloat

    /// - Parameter size: in points.
    public init(size: CGSize, format: UIGraphicsImageRendererFormat) {
        bounds = CGRect(origin: .zero, size: size)
        scale = format.scale
        super.init()
    }

    /// - Parameter bounds: in points; its origin becomes the image's corner.
    public init(bounds: CGRect, format: UIGraphicsImageRendererFormat) {
        self.bounds = bounds
        scale = format.scale
        super.init()
    }

    /// With 2 pixels per point.
    public convenience init(size: CGSize) { self.init(size: size, format: UIGraphicsImageRendererFormat()) }
    /// With 2 pixels per point.
    public convenience init(bounds: CGRect) {
        self.init(bounds: bounds, format: UIGraphicsImageRendererFormat())
    }

    /// Calls `actions` once with a new context.
    open func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
        let context = CGContext(size: bounds.size)
        if bounds.origin != .zero { context.translateBy(x: -bounds.minX, y: -bounds.minY) }
        ContextStack.push(context)
        defer { ContextStack.pop() }
        actions(UIGraphicsImageRendererContext(context, bounds))
        return UIImage(.drawing(context.elements), size: bounds.size, scale: max(scale, 1))
    }
}

/// The context in the closure of `UIGraphicsImageRenderer.image`.
public final class UIGraphicsImageRendererContext: NSObject {
    /// The drawing context.
    public let cgContext: CGContext
    private let bounds: CGRect

    init(_ context: CGContext, _ bounds: CGRect) {
        cgContext = context
        self.bounds = bounds
        super.init()
    }

    /// Fills a rectangle.
    public func fill(_ rect: CGRect) { cgContext.fill(rect) }
    /// Draws the outline of a rectangle.
    public func stroke(_ rect: CGRect) { cgContext.stroke(rect) }
    /// Limits drawing to a rectangle.
    public func clip(to rect: CGRect) { cgContext.clip(to: rect) }

    /// The image so far.
    public var currentImage: UIImage {
        UIImage(.drawing(cgContext.elements), size: bounds.size, scale: 2)
    }
}

// MARK: the functions from before renderers

/// Starts an image, which `UIGraphicsEndImageContext` must end.
/// - Parameter scale: in pixels per point. Ignored: images have no pixels.
public func UIGraphicsBeginImageContextWithOptions(_ size: CGSize, _ opaque: Bool, _ scale: CGFloat) {
    ContextStack.push(CGContext(size: size))
}

/// Starts an image, which `UIGraphicsEndImageContext` must end.
public func UIGraphicsBeginImageContext(_ size: CGSize) { ContextStack.push(CGContext(size: size)) }

/// Ends the image that was started last on this thread.
public func UIGraphicsEndImageContext() { ContextStack.pop() }

/// The context of the current image on this thread.
public func UIGraphicsGetCurrentContext() -> CGContext? { ContextStack.top }

/// The current image so far. Nil if none was started.
public func UIGraphicsGetImageFromCurrentImageContext() -> UIImage? {
    ContextStack.top.map { UIImage(.drawing($0.elements), size: $0.size, scale: 2) }
}

/// The images of each thread are separate.
private enum ContextStack {
    private static let key = "UIKit.contexts"

    private static var contexts: [CGContext] {
        get { Thread.current.threadDictionary[key] as? [CGContext] ?? [] }
        set { Thread.current.threadDictionary[key] = newValue }
    }

    static var top: CGContext? { contexts.last }
    static func push(_ context: CGContext) { contexts.append(context) }
    static func pop() { _ = contexts.popLast() }
}

extension UIColor {
    /// Sets the colour of fills and text from now on.
    public func setFill() { UIGraphicsGetCurrentContext()?.fillColor = rgba(.current) }
    /// Sets the colour of lines from now on.
    public func setStroke() { UIGraphicsGetCurrentContext()?.strokeColor = rgba(.current) }
    /// Sets both colours.
    public func set() {
        setFill()
        setStroke()
    }
}

/// Fills a rectangle of the current image.
public func UIRectFill(_ rect: CGRect) { UIGraphicsGetCurrentContext()?.fill(rect) }

/// How a drawing is combined with what is below it.
public enum CGBlendMode: Int32, Sendable {
    /// The drawing covers what is below it.
    case normal = 0
}

extension UIImage {
    /// Draws the image stretched to `rect`.
    public func draw(in rect: CGRect) { draw(in: rect, blendMode: .normal, alpha: 1) }

    /// - Parameter alpha: opacity from 0 to 1.
    public func draw(in rect: CGRect, blendMode: CGBlendMode, alpha: CGFloat) {
        guard let context = UIGraphicsGetCurrentContext() else { return }
        let dark = UITraitCollection.current.userInterfaceStyle == .dark
        guard case .drawing(let elements) = content, !elements.isEmpty else {
            return context.draw(
                self.elements(in: rect, dark: dark, template: context.fillColor), alpha: alpha)
        }
        // As a separate document, because ids of clips must not collide.
        let document = Data(svg(dark: dark, template: context.fillColor).utf8)
        context.draw(
            "<image \(UIImage.attributes(rect)) preserveAspectRatio=\"none\""
                + " href=\"\(SVG.dataURI(document, .svg))\"/>", alpha: alpha)
    }

    /// Draws the image in its own size.
    public func draw(at point: CGPoint) { draw(in: CGRect(origin: point, size: size)) }

    /// An image of another size with the same content, without loss of quality.
    public func preparingThumbnail(of size: CGSize) -> UIImage? {
        size.width > 0 && size.height > 0
            ? UIGraphicsImageRenderer(size: size).image { _ in draw(in: CGRect(origin: .zero, size: size)) }
            : nil
    }
}
