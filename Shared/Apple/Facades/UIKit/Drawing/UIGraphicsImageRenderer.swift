public import FoundationExtras

/// How an image is drawn. It has no pixels, so only what changes its size in pixels is here.
open class UIGraphicsImageRendererFormat: NSObject {
    /// Pixels per point.
    open var scale: CGFloat = 2
    /// Whether nothing shines through; a drawing without a background stays clear all the same.
    open var opaque = false

    public override init() { super.init() }
    open class func `default`() -> Self { self.init() }
    open class func preferred() -> Self { self.init() }
    public required init(plain: Void = ()) { super.init() }
}

/// Draws images. The result is vectors: an SVG that keeps text, symbols and images in it.
///
/// There is no `pngData(actions:)`: nothing here makes pixels.
open class UIGraphicsImageRenderer: NSObject {
    private let bounds: CGRect
    private let scale: CGFloat

    public init(size: CGSize, format: UIGraphicsImageRendererFormat) {
        bounds = CGRect(origin: .zero, size: size)
        scale = format.scale
        super.init()
    }

    public init(bounds: CGRect, format: UIGraphicsImageRendererFormat) {
        self.bounds = bounds
        scale = format.scale
        super.init()
    }

    public convenience init(size: CGSize) { self.init(size: size, format: UIGraphicsImageRendererFormat()) }
    public convenience init(bounds: CGRect) {
        self.init(bounds: bounds, format: UIGraphicsImageRendererFormat())
    }

    open func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
        let context = CGContext(size: bounds.size)
        if bounds.origin != .zero { context.translateBy(x: -bounds.minX, y: -bounds.minY) }
        ContextStack.push(context)
        defer { ContextStack.pop() }
        actions(UIGraphicsImageRendererContext(context, bounds))
        return UIImage(.drawing(context.elements), size: bounds.size, scale: max(scale, 1))
    }
}

/// What the block of `UIGraphicsImageRenderer.image` draws with.
public final class UIGraphicsImageRendererContext: NSObject {
    public let cgContext: CGContext
    private let bounds: CGRect

    init(_ context: CGContext, _ bounds: CGRect) {
        cgContext = context
        self.bounds = bounds
        super.init()
    }

    public func fill(_ rect: CGRect) { cgContext.fill(rect) }
    public func stroke(_ rect: CGRect) { cgContext.stroke(rect) }
    public func clip(to rect: CGRect) { cgContext.clip(to: rect) }

    /// What is drawn so far.
    public var currentImage: UIImage {
        UIImage(.drawing(cgContext.elements), size: bounds.size, scale: 2)
    }
}

// MARK: the functions from before renderers

/// Begins an image; `UIGraphicsEndImageContext` must follow.
/// - Parameter scale: pixels per point; 0: the screen's.
public func UIGraphicsBeginImageContextWithOptions(_ size: CGSize, _ opaque: Bool, _ scale: CGFloat) {
    ContextStack.push(CGContext(size: size))
}

/// Begins an image of one pixel per point.
public func UIGraphicsBeginImageContext(_ size: CGSize) { ContextStack.push(CGContext(size: size)) }

public func UIGraphicsEndImageContext() { ContextStack.pop() }

/// The image being drawn on this thread.
public func UIGraphicsGetCurrentContext() -> CGContext? { ContextStack.top }

public func UIGraphicsGetImageFromCurrentImageContext() -> UIImage? {
    ContextStack.top.map { UIImage(.drawing($0.elements), size: $0.size, scale: 2) }
}

/// Each thread draws its own images.
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
    /// The colour that shapes and text are filled with from here on.
    public func setFill() { UIGraphicsGetCurrentContext()?.fillColor = rgba(.current) }
    /// The colour of lines from here on.
    public func setStroke() { UIGraphicsGetCurrentContext()?.strokeColor = rgba(.current) }
    /// Both.
    public func set() {
        setFill()
        setStroke()
    }
}

/// Fills a rectangle of the image being drawn.
public func UIRectFill(_ rect: CGRect) { UIGraphicsGetCurrentContext()?.fill(rect) }

/// How a drawing and what is under it become one colour.
public enum CGBlendMode: Int32, Sendable {
    /// The drawing over what is under it.
    case normal = 0
}

extension UIImage {
    /// Stretched to `rect`.
    public func draw(in rect: CGRect) { draw(in: rect, blendMode: .normal, alpha: 1) }

    public func draw(in rect: CGRect, blendMode: CGBlendMode, alpha: CGFloat) {
        guard let context = UIGraphicsGetCurrentContext() else { return }
        let dark = UITraitCollection.current.userInterfaceStyle == .dark
        guard case .drawing(let elements) = content, !elements.isEmpty else {
            return context.draw(
                self.elements(in: rect, dark: dark, template: context.fillColor), alpha: alpha)
        }
        // As a document of its own: its names of clips must not meet those of this one.
        let document = Data(svg(dark: dark, template: context.fillColor).utf8)
        context.draw(
            "<image \(UIImage.attributes(rect)) preserveAspectRatio=\"none\""
                + " href=\"\(SVG.dataURI(document, .svg))\"/>", alpha: alpha)
    }

    /// In its own size.
    public func draw(at point: CGPoint) { draw(in: CGRect(origin: point, size: size)) }

    /// A smaller or larger image of the same content, without loss.
    public func preparingThumbnail(of size: CGSize) -> UIImage? {
        size.width > 0 && size.height > 0
            ? UIGraphicsImageRenderer(size: size).image { _ in draw(in: CGRect(origin: .zero, size: size)) }
            : nil
    }
}
