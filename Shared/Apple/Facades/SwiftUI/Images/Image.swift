public import Foundation

/// An image: a system symbol, or one of the bundle.
nonisolated public struct Image: Equatable, Sendable {
    /// The size of a symbol against the text around it.
    nonisolated public enum Scale: Hashable, CaseIterable, Sendable {
        case small
        case medium
        case large
    }
    /// How the parts of a resizable image are made larger.
    nonisolated public enum ResizingMode: Hashable, Sendable {
        case tile
        case stretch
    }
    /// How an image is scaled. Left to the browser.
    nonisolated public enum Interpolation: Hashable, Sendable {
        case none
        case low
        case medium
        case high
    }
    /// Whether an image is drawn in the colour of its place.
    nonisolated public enum TemplateRenderingMode: Hashable, Sendable {
        case template
        case original
    }
    /// Which way up an image is.
    nonisolated public enum Orientation: UInt8, CaseIterable, Hashable, Sendable {
        case up, upMirrored, down, downMirrored, left, leftMirrored, right, rightMirrored
    }
    enum Source: Equatable, Sendable {
        case symbol(String)
        case named(String, bundlePath: String?)
        case picture(Picture)
    }
    let source: Source
    var label: String?
    var isDecorative = false
    var isResizable = false
    var isTemplate: Bool?
    var variableValue: Double?

    init(source: Source) { self.source = source }

    /// A symbol by the name that Apple's SF Symbols has for it. The commonest are drawn by icons of our own;
    /// any other as a neutral sign that carries the name.
    public init(systemName: String) { source = .symbol(systemName) }
    /// A symbol by name; its parts that stand for more than `variableValue` (0 to 1) are drawn faintly.
    public init(systemName: String, variableValue: Double?) {
        source = .symbol(systemName)
        self.variableValue = variableValue
    }
    /// An image of the bundle's resources or asset catalogue.
    public init(_ name: String, bundle: Bundle? = nil) {
        source = .named(name, bundlePath: bundle?.bundlePath)
    }
    /// An image of the bundle's resources, with a label of its own.
    public init(_ name: String, bundle: Bundle? = nil, label: Text) {
        source = .named(name, bundlePath: bundle?.bundlePath)
        self.label = label.plain(in: EnvironmentValues())
    }
    /// An image that only decorates, and that assistive technology does not read.
    public init(decorative name: String, bundle: Bundle? = nil) {
        source = .named(name, bundlePath: bundle?.bundlePath)
        isDecorative = true
    }

    private func changed(_ change: (inout Image) -> Void) -> Image {
        var image = self
        change(&image)
        return image
    }
    /// Lets the image fill its place. Insets and tiling are not drawn.
    public func resizable(capInsets: EdgeInsets = EdgeInsets(), resizingMode: ResizingMode = .stretch)
        -> Image
    {
        changed { $0.isResizable = true }
    }
    /// Whether the image is drawn in the colour of its place.
    public func renderingMode(_ mode: TemplateRenderingMode?) -> Image {
        changed { $0.isTemplate = mode.map { $0 == .template } }
    }
    public func interpolation(_ interpolation: Interpolation) -> Image { self }
    public func antialiased(_ isAntialiased: Bool) -> Image { self }
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> Image { self }
    public func accessibilityLabel(_ label: Text) -> Image {
        changed { $0.label = label.plain(in: EnvironmentValues()) }
    }

    /// What the image is called for people who do not see it.
    var words: String {
        if isDecorative { return "" }
        if let label { return label }
        switch source {
        case .symbol: return ""
        case .named(let name, _): return name
        case .picture: return ""
        }
    }
}

/// How the layers of a symbol are coloured. Symbols here have one layer, in the colour of their place.
nonisolated public struct SymbolRenderingMode: Hashable, Sendable {
    private let name: String
    public static let monochrome = SymbolRenderingMode(name: "monochrome")
    public static let multicolor = SymbolRenderingMode(name: "multicolor")
    public static let hierarchical = SymbolRenderingMode(name: "hierarchical")
    public static let palette = SymbolRenderingMode(name: "palette")
}

/// Variants that symbols of a place are drawn in: `.fill` adds ".fill" to their names.
nonisolated public struct SymbolVariants: Hashable, Sendable {
    let suffixes: [String]
    public static let none = SymbolVariants(suffixes: [])
    public static let fill = SymbolVariants(suffixes: ["fill"])
    public static let circle = SymbolVariants(suffixes: ["circle"])
    public static let square = SymbolVariants(suffixes: ["square"])
    public static let slash = SymbolVariants(suffixes: ["slash"])
    public var fill: SymbolVariants { SymbolVariants(suffixes: suffixes + ["fill"]) }
    public var circle: SymbolVariants { SymbolVariants(suffixes: suffixes + ["circle"]) }
    public var square: SymbolVariants { SymbolVariants(suffixes: suffixes + ["square"]) }
    public var slash: SymbolVariants { SymbolVariants(suffixes: suffixes + ["slash"]) }
    func name(_ name: String) -> String {
        suffixes.reduce(name) { $0.split(separator: ".").map(String.init).contains($1) ? $0 : $0 + "." + $1 }
    }
}
