public import FoundationExtras

/// Light or dark.
public enum UIUserInterfaceStyle: Int, Sendable, Hashable {
    case unspecified = 0
    case light = 1
    case dark = 2
}

/// Whether the person asked for more contrast.
public enum UIAccessibilityContrast: Int, Sendable, Hashable {
    case unspecified = -1
    case normal = 0
    case high = 1
}

/// The kind of device. A Linux machine is a `.mac`.
public enum UIUserInterfaceIdiom: Int, Sendable, Hashable {
    case unspecified = -1
    case phone = 0
    case pad = 1
    case tv = 2
    case carPlay = 3
    case mac = 5
    case vision = 6
}

/// How much room there is in one direction.
public enum UIUserInterfaceSizeClass: Int, Sendable, Hashable {
    case unspecified = 0
    case compact = 1
    case regular = 2
}

/// Under which circumstances a dynamic colour or an image is asked for its value.
///
/// Shields and reports are drawn elsewhere and later, so a dynamic colour is always asked twice, once for
/// light and once for dark, and both answers travel.
public final class UITraitCollection: NSObject, Sendable {
    public let userInterfaceStyle: UIUserInterfaceStyle
    public let accessibilityContrast: UIAccessibilityContrast
    public let userInterfaceIdiom: UIUserInterfaceIdiom
    public let horizontalSizeClass: UIUserInterfaceSizeClass
    public let verticalSizeClass: UIUserInterfaceSizeClass
    /// Pixels per point; 0 where unspecified.
    public let displayScale: CGFloat

    @TaskLocal private static var ambient = UITraitCollection(
        style: .light, contrast: .normal, idiom: .mac, horizontal: .regular, vertical: .regular, scale: 2)

    init(
        style: UIUserInterfaceStyle = .unspecified, contrast: UIAccessibilityContrast = .unspecified,
        idiom: UIUserInterfaceIdiom = .unspecified, horizontal: UIUserInterfaceSizeClass = .unspecified,
        vertical: UIUserInterfaceSizeClass = .unspecified, scale: CGFloat = 0
    ) {
        userInterfaceStyle = style
        accessibilityContrast = contrast
        userInterfaceIdiom = idiom
        horizontalSizeClass = horizontal
        verticalSizeClass = vertical
        displayScale = scale
        super.init()
    }

    /// Nothing is specified.
    public override convenience init() { self.init(style: .unspecified) }

    public convenience init(userInterfaceStyle: UIUserInterfaceStyle) {
        self.init(style: userInterfaceStyle)
    }

    public convenience init(accessibilityContrast: UIAccessibilityContrast) {
        self.init(contrast: accessibilityContrast)
    }

    public convenience init(userInterfaceIdiom: UIUserInterfaceIdiom) {
        self.init(idiom: userInterfaceIdiom)
    }

    public convenience init(displayScale: CGFloat) { self.init(scale: displayScale) }

    /// The later ones win where several specify the same.
    public convenience init(traitsFrom traitCollections: [UITraitCollection]) {
        func last<Value: Equatable>(_ path: KeyPath<UITraitCollection, Value>, _ unspecified: Value)
            -> Value
        {
            traitCollections.last { $0[keyPath: path] != unspecified }?[keyPath: path] ?? unspecified
        }
        self.init(
            style: last(\.userInterfaceStyle, .unspecified),
            contrast: last(\.accessibilityContrast, .unspecified),
            idiom: last(\.userInterfaceIdiom, .unspecified),
            horizontal: last(\.horizontalSizeClass, .unspecified),
            vertical: last(\.verticalSizeClass, .unspecified), scale: last(\.displayScale, 0))
    }

    /// The traits of the present task: light, until `performAsCurrent` says otherwise.
    public static var current: UITraitCollection { ambient }

    /// Runs `actions` with these traits as the current ones.
    public func performAsCurrent(_ actions: () -> Void) {
        UITraitCollection.$ambient.withValue(self, operation: actions)
    }

    public func hasDifferentColorAppearance(comparedTo traitCollection: UITraitCollection?) -> Bool {
        userInterfaceStyle != traitCollection?.userInterfaceStyle
            || accessibilityContrast != traitCollection?.accessibilityContrast
    }

    static let light = UITraitCollection(traitsFrom: [ambient, UITraitCollection(style: .light)])
    static let dark = UITraitCollection(traitsFrom: [ambient, UITraitCollection(style: .dark)])

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UITraitCollection else { return false }
        return userInterfaceStyle == other.userInterfaceStyle
            && accessibilityContrast == other.accessibilityContrast
            && userInterfaceIdiom == other.userInterfaceIdiom
            && horizontalSizeClass == other.horizontalSizeClass
            && verticalSizeClass == other.verticalSizeClass && displayScale == other.displayScale
    }

    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(userInterfaceStyle)
        hasher.combine(accessibilityContrast)
        hasher.combine(displayScale)
        return hasher.finalize()
    }
}
