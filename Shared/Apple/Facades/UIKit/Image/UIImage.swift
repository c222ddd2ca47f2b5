public import FoundationExtras

/// What an image is made of.
package enum ImageContent: Sendable, Hashable {
    /// The bytes of a file, as they are.
    case file(Data, ImageFormat)
    /// A system symbol by its name.
    case symbol(String)
    /// What was drawn: the inside of an SVG whose coordinates are points.
    case drawing(String)
}

/// An image as a value that somebody else draws: a shield's overlay, a report.
///
/// Bytes are kept as the file has them; only its header is read. A drawing (`UIGraphicsImageRenderer`) is
/// kept as vectors. System symbols are drawn by shapes of our own under Apple's names.
public final class UIImage: NSObject, Sendable {
    /// What becomes of the colours where an image is drawn.
    public enum RenderingMode: Int, Sendable, Hashable {
        case automatic = 0
        case alwaysOriginal = 1
        case alwaysTemplate = 2
    }

    /// How an image is turned. Files are drawn as they are, so it is always `up`.
    public enum Orientation: Int, Sendable, Hashable {
        case up = 0
        case down, left, right, upMirrored, downMirrored, leftMirrored, rightMirrored
    }

    package let content: ImageContent
    /// Where a catalogue has another image for dark.
    package let darkContent: ImageContent?
    /// Points.
    public let size: CGSize
    /// Pixels per point.
    public let scale: CGFloat
    public let renderingMode: RenderingMode
    public let symbolConfiguration: SymbolConfiguration?
    /// The colour of `withTintColor`.
    package let tint: UIColor?

    package init(
        _ content: ImageContent, dark: ImageContent? = nil, size: CGSize, scale: CGFloat = 1,
        mode: RenderingMode = .automatic, configuration: SymbolConfiguration? = nil, tint: UIColor? = nil
    ) {
        self.content = content
        darkContent = dark
        self.size = size
        self.scale = scale
        renderingMode = mode
        symbolConfiguration = configuration
        self.tint = tint
        super.init()
    }

    /// An image without anything in it.
    public override convenience init() { self.init(.drawing(""), size: .zero) }

    /// PNG, JPEG, GIF, WebP or SVG; nil for anything else.
    public convenience init?(data: Data) { self.init(data: data, scale: 1) }

    /// - Parameter scale: pixels per point.
    public convenience init?(data: Data, scale: CGFloat) {
        guard let header = ImageHeader(data), scale > 0 else { return nil }
        self.init(
            .file(data, header.format),
            size: CGSize(width: header.width / scale, height: header.height / scale), scale: scale)
    }

    /// nil where there is no such file, or no image in it.
    public convenience init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init(data: data, scale: ImageFile.scale(ofName: path))
    }

    /// A system symbol. Linux has no list of Apple's symbols: any name of Apple's form makes an image, one
    /// we have no shape for is drawn as a circle with its first letter, and is named once in the log.
    /// - Returns: nil where the name is not of that form.
    public convenience init?(systemName name: String) {
        self.init(systemName: name, withConfiguration: nil)
    }

    public convenience init?(systemName name: String, withConfiguration configuration: Configuration?) {
        guard SystemSymbol.isName(name) else { return nil }
        SystemSymbol.noteIfUnknown(name)
        let edge = (configuration ?? .unspecified).edge
        self.init(
            .symbol(name), size: CGSize(width: edge, height: edge), scale: 2, configuration: configuration)
    }

    public convenience init?(
        systemName name: String, compatibleWith traitCollection: UITraitCollection?
    ) {
        self.init(systemName: name, withConfiguration: nil)
    }

    // MARK: variants

    public func withTintColor(_ color: UIColor) -> UIImage {
        withTintColor(color, renderingMode: renderingMode)
    }

    public func withTintColor(_ color: UIColor, renderingMode: RenderingMode) -> UIImage {
        UIImage(
            content, dark: darkContent, size: size, scale: scale, mode: renderingMode,
            configuration: symbolConfiguration, tint: color)
    }

    public func withRenderingMode(_ renderingMode: RenderingMode) -> UIImage {
        UIImage(
            content, dark: darkContent, size: size, scale: scale, mode: renderingMode,
            configuration: symbolConfiguration, tint: tint)
    }

    /// Of a symbol: drawn with `configuration` in place of its own. Other images stay as they are.
    public func withConfiguration(_ configuration: Configuration) -> UIImage {
        guard case .symbol = content else { return self }
        let edge = configuration.edge
        return UIImage(
            content, size: CGSize(width: edge, height: edge), scale: scale, mode: renderingMode,
            configuration: configuration, tint: tint)
    }

    /// Of a symbol: with `configuration` over its own. Other images stay as they are.
    public func applyingSymbolConfiguration(_ configuration: SymbolConfiguration) -> UIImage? {
        withConfiguration((symbolConfiguration ?? .unspecified).applying(configuration))
    }

    public var configuration: Configuration? { symbolConfiguration }
    public var isSymbolImage: Bool { if case .symbol = content { true } else { false } }
    public var imageOrientation: Orientation { .up }

    // MARK: bytes

    /// The file's bytes where it is a PNG, else nil: images are not decoded here.
    public func pngData() -> Data? { data(of: .png) }

    /// The file's bytes where it is a JPEG, else nil: images are not decoded here, so the quality of what
    /// there is stays.
    public func jpegData(compressionQuality: CGFloat) -> Data? { data(of: .jpeg) }

    private func data(of wanted: ImageFormat) -> Data? {
        guard case .file(let data, wanted) = content else { return nil }
        return data
    }

    // MARK: NSObject

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIImage else { return false }
        return content == other.content && darkContent == other.darkContent && size == other.size
            && scale == other.scale && renderingMode == other.renderingMode && tint == other.tint
            && symbolConfiguration == other.symbolConfiguration
    }

    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(content)
        hasher.combine(size.width)
        hasher.combine(size.height)
        return hasher.finalize()
    }
}

extension UIImage: _ExpressibleByImageLiteral {
    /// What `#imageLiteral(resourceName:)` calls; a bundle without that image is a mistake of the program.
    public convenience init(imageLiteralResourceName name: String) {
        guard let found = ImageFile.find(name, in: .main) else {
            preconditionFailure("the bundle \(Bundle.main.bundlePath) has no image '\(name)'")
        }
        self.init(found.content, dark: found.dark, size: found.size, scale: found.scale, mode: found.mode)
    }
}

/// The type of an image literal.
public typealias _ImageLiteralType = UIImage
