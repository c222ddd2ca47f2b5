public import FoundationExtras

extension UIImage {
    /// How heavy the strokes of a symbol are.
    public enum SymbolWeight: Int, Sendable, Hashable {
        case unspecified = 0
        case ultraLight = 1
        case thin, light, regular, medium, semibold, bold, heavy, black

        public func fontWeight() -> UIFont.Weight {
            switch self {
            case .ultraLight: .ultraLight
            case .thin: .thin
            case .light: .light
            case .unspecified, .regular: .regular
            case .medium: .medium
            case .semibold: .semibold
            case .bold: .bold
            case .heavy: .heavy
            case .black: .black
            }
        }
    }

    /// How large a symbol is beside text of the same point size.
    public enum SymbolScale: Int, Sendable, Hashable {
        case `default` = -1
        case unspecified = 0
        case small = 1
        case medium, large
    }

    /// Apple has a base class for this; here symbols are the only images with a configuration.
    public typealias Configuration = SymbolConfiguration

    /// Size, weight and colours of a symbol.
    public final class SymbolConfiguration: NSObject, Sendable {
        /// Points; nil: not specified.
        package let pointSize: Double?
        package let weight: SymbolWeight
        package let scale: SymbolScale
        /// The first one draws the symbol; a symbol here has one layer.
        package let colors: [UIColor]

        private init(
            size: Double? = nil, weight: SymbolWeight = .unspecified, scale: SymbolScale = .unspecified,
            colors: [UIColor] = []
        ) {
            pointSize = size
            self.weight = weight
            self.scale = scale
            self.colors = colors
            super.init()
        }

        /// Specifies nothing.
        public static let unspecified = SymbolConfiguration(size: nil)

        public convenience init(pointSize: CGFloat) { self.init(size: pointSize) }
        public convenience init(pointSize: CGFloat, weight: SymbolWeight) {
            self.init(size: pointSize, weight: weight)
        }
        public convenience init(pointSize: CGFloat, weight: SymbolWeight, scale: SymbolScale) {
            self.init(size: pointSize, weight: weight, scale: scale)
        }
        public convenience init(scale: SymbolScale) { self.init(size: nil, scale: scale) }
        public convenience init(weight: SymbolWeight) { self.init(size: nil, weight: weight) }
        public convenience init(textStyle: UIFont.TextStyle) {
            self.init(size: UIFont.preferredFont(forTextStyle: textStyle).pointSize)
        }
        public convenience init(textStyle: UIFont.TextStyle, scale: SymbolScale) {
            self.init(size: UIFont.preferredFont(forTextStyle: textStyle).pointSize, scale: scale)
        }
        public convenience init(font: UIFont) { self.init(size: font.pointSize) }
        public convenience init(font: UIFont, scale: SymbolScale) {
            self.init(size: font.pointSize, scale: scale)
        }
        /// The symbol is drawn in this colour; there is one layer, so no lighter shades of it.
        public convenience init(hierarchicalColor: UIColor) {
            self.init(size: nil, colors: [hierarchicalColor])
        }
        /// The symbol is drawn in the first of the colours; there is one layer.
        public convenience init(paletteColors: [UIColor]) { self.init(size: nil, colors: paletteColors) }

        /// Both together; `otherConfiguration` wins where both specify the same.
        public func applying(_ otherConfiguration: SymbolConfiguration) -> SymbolConfiguration {
            SymbolConfiguration(
                size: otherConfiguration.pointSize ?? pointSize,
                weight: otherConfiguration.weight == .unspecified ? weight : otherConfiguration.weight,
                scale: otherConfiguration.scale == .unspecified ? scale : otherConfiguration.scale,
                colors: otherConfiguration.colors.isEmpty ? colors : otherConfiguration.colors)
        }

        /// Edge of the square that the symbol is drawn in, in points.
        package var edge: Double {
            let factor: Double =
                switch scale {
                case .small: 0.9
                case .large: 1.5
                case .default, .unspecified, .medium: 1.18
                }
            return (pointSize ?? 17) * factor
        }

        public override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? SymbolConfiguration else { return false }
            return pointSize == other.pointSize && weight == other.weight && scale == other.scale
                && colors == other.colors
        }

        public override var hash: Int {
            var hasher = Hasher()
            hasher.combine(pointSize)
            hasher.combine(weight)
            hasher.combine(scale)
            return hasher.finalize()
        }
    }
}
