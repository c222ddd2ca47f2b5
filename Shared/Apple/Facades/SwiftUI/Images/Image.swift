public import Foundation

/// A system symbol or an image of the bundle.
nonisolated public struct Image: Equatable, Sendable {
    /// The size of a symbol relative to the surrounding text.
    nonisolated public enum Scale: Hashable, CaseIterable, Sendable {
        case small
        case medium
        case large
    }
    /// How a resizable image fills its frame.
    nonisolated public enum ResizingMode: Hashable, Sendable {
        case tile
        case stretch
    }
    /// How an image is scaled. The browser decides.
    nonisolated public enum Interpolation: Hashable, Sendable {
        case none
        case low
        case medium
        case high
    }
    /// Whether an image is rendered in the foreground colour.
    nonisolated public enum TemplateRenderingMode: Hashable, Sendable {
        case template
        case original
    }
    /// The orientation of an image.
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

    /// A symbol by its SF Symbols name. The most common ones have icons of this project; others are a neutral
    /// sign with the name.
    public init(systemName: String) { source = .symbol(systemName) }
    /// A symbol whose layers above `variableValue` (0 to 1) are rendered faintly.
    public init(systemName: String, variableValue: Double?) {
        source = .symbol(systemName)
        self.variableValue = variableValue
    }
    /// An image of the bundle's resources or asset catalogue.
    public init(_ name: String, bundle: Bundle? = nil) {
        source = .named(name, bundlePath: bundle?.bundlePath)
    }
    /// An image of the bundle's resources with an accessibility label.
    public init(_ name: String, bundle: Bundle? = nil, label: Text) {
        source = .named(name, bundlePath: bundle?.bundlePath)
        self.label = label.plain(in: EnvironmentValues())
    }
    /// A decorative image, which assistive technology ignores.
    public init(decorative name: String, bundle: Bundle? = nil) {
        source = .named(name, bundlePath: bundle?.bundlePath)
        isDecorative = true
    }

    private func changed(_ change: (inout Image) -> Void) -> Image {
        var image = self
        change(&image)
        return image
    }
    /// Lets the image fill its frame. Cap insets and tiling are ignored.
    public func resizable(capInsets: EdgeInsets = EdgeInsets(), resizingMode: ResizingMode = .stretch)
        -> Image
    {
        changed { $0.isResizable = true }
    }
    /// Whether the image is rendered in the foreground colour.
    public func renderingMode(_ mode: TemplateRenderingMode?) -> Image {
        changed { $0.isTemplate = mode.map { $0 == .template } }
    }
    /// Has no effect here.
    public func interpolation(_ interpolation: Interpolation) -> Image { self }
    /// Has no effect here.
    public func antialiased(_ isAntialiased: Bool) -> Image { self }
    /// Has no effect here.
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> Image { self }
    /// Sets the text that assistive technology reads.
    public func accessibilityLabel(_ label: Text) -> Image {
        changed { $0.label = label.plain(in: EnvironmentValues()) }
    }

    /// The text that assistive technology reads.
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

/// How the layers of a symbol are coloured. Ignored: symbols have one layer in the foreground colour.
nonisolated public struct SymbolRenderingMode: Hashable, Sendable {
    private let name: String
    public static let monochrome = SymbolRenderingMode(name: "monochrome")
    public static let multicolor = SymbolRenderingMode(name: "multicolor")
    public static let hierarchical = SymbolRenderingMode(name: "hierarchical")
    public static let palette = SymbolRenderingMode(name: "palette")
}

/// Variants of the symbols inside a view: `.fill` appends ".fill" to their names.
nonisolated public struct SymbolVariants: Hashable, Sendable {
    let suffixes: [String]
    /// The name without a suffix.
    public static let none = SymbolVariants(suffixes: [])
    /// Appends ".fill".
    public static let fill = SymbolVariants(suffixes: ["fill"])
    /// Appends ".circle".
    public static let circle = SymbolVariants(suffixes: ["circle"])
    /// Appends ".square".
    public static let square = SymbolVariants(suffixes: ["square"])
    /// Appends ".slash".
    public static let slash = SymbolVariants(suffixes: ["slash"])
    /// Also appends ".fill".
    public var fill: SymbolVariants { SymbolVariants(suffixes: suffixes + ["fill"]) }
    /// Also appends ".circle".
    public var circle: SymbolVariants { SymbolVariants(suffixes: suffixes + ["circle"]) }
    /// Also appends ".square".
    public var square: SymbolVariants { SymbolVariants(suffixes: suffixes + ["square"]) }
    /// Also appends ".slash".
    public var slash: SymbolVariants { SymbolVariants(suffixes: suffixes + ["slash"]) }
    func name(_ name: String) -> String {
        suffixes.reduce(name) { $0.split(separator: ".").map(String.init).contains($1) ? $0 : $0 + "." + $1 }
    }
}
