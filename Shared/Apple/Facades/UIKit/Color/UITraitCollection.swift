public import FoundationExtras

/// The colour scheme.
public enum UIUserInterfaceStyle: Int, Sendable, Hashable {
    case unspecified = 0
    case light = 1
    case dark = 2
}

/// Whether the person requested increased contrast.
public enum UIAccessibilityContrast: Int, Sendable, Hashable {
    case unspecified = -1
    case normal = 0
    case high = 1
}

/// The kind of device. A Linux machine is a `mac`.
public enum UIUserInterfaceIdiom: Int, Sendable, Hashable {
    case unspecified = -1
    case phone = 0
    case pad = 1
    case tv = 2
    case carPlay = 3
    case mac = 5
    case vision = 6
}

/// How much space there is in one direction.
public enum UIUserInterfaceSizeClass: Int, Sendable, Hashable {
    case unspecified = 0
    case compact = 1
    case regular = 2
}

/// The circumstances in which a dynamic colour or an image is evaluated.
///
/// Shields and reports are rendered later by other programs, so a dynamic colour is always evaluated twice,
/// for the light and the dark scheme, and both values are transferred.
public final class UITraitCollection: NSObject, Sendable {
    /// The colour scheme.
    public let userInterfaceStyle: UIUserInterfaceStyle
    /// Normal unless the program sets it.
    public let accessibilityContrast: UIAccessibilityContrast
    /// `mac` for the current traits.
    public let userInterfaceIdiom: UIUserInterfaceIdiom
    /// Regular for the current traits.
    public let horizontalSizeClass: UIUserInterfaceSizeClass
    /// Regular for the current traits.
    public let verticalSizeClass: UIUserInterfaceSizeClass
    /// Pixels per point. 0 if unspecified.
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

    /// Everything else is unspecified.
    public convenience init(userInterfaceStyle: UIUserInterfaceStyle) {
        self.init(style: userInterfaceStyle)
    }

    /// Everything else is unspecified.
    public convenience init(accessibilityContrast: UIAccessibilityContrast) {
        self.init(contrast: accessibilityContrast)
    }

    /// Everything else is unspecified.
    public convenience init(userInterfaceIdiom: UIUserInterfaceIdiom) {
        self.init(idiom: userInterfaceIdiom)
    }

    /// Everything else is unspecified.
    public convenience init(displayScale: CGFloat) { self.init(scale: displayScale) }

    /// Combines collections. Later ones take precedence.
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

    /// The traits of the current task. Light, unless `performAsCurrent` sets others.
    public static var current: UITraitCollection { ambient }

    /// Runs `actions` with these traits as the current ones.
    public func performAsCurrent(_ actions: () -> Void) {
        UITraitCollection.$ambient.withValue(self, operation: actions)
    }

    /// Whether colour scheme or contrast differ.
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
