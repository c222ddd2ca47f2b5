public import Foundation

/// A key for values that views provide to the views inside them.
nonisolated public protocol EnvironmentKey {
    /// The type of the value.
    associatedtype Value
    /// The value if no view provides one.
    static var defaultValue: Value { get }
}

/// The values provided to a view. Apple's macro `@Entry` is not available; declare an `EnvironmentKey`.
nonisolated public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]
    private var objects: [ObjectIdentifier: AnyObject] = [:]

    /// Default values.
    public init() {}

    /// The value of a key.
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
    /// The observable object of a type, or nil if there is none.
    public subscript<Object: AnyObject>(type: Object.Type) -> Object? {
        get { objects[ObjectIdentifier(type)] as? Object }
        set { objects[ObjectIdentifier(type)] = newValue }
    }

    // MARK: text
    /// Nil means `body`.
    public var font: Font?
    /// Nil means any number of lines.
    public var lineLimit: Int?
    /// In points, in addition to the line height.
    public var lineSpacing: CGFloat = 0
    /// The alignment of texts with several lines.
    public var multilineTextAlignment = TextAlignment.leading
    /// Kept only: texts wrap instead.
    public var minimumScaleFactor: CGFloat = 1
    /// Kept only.
    public var allowsTightening = false
    /// Kept only: long lines are cut at the end.
    public var truncationMode = Text.TruncationMode.tail
    /// Nil shows texts unchanged.
    public var textCase: Text.Case?
    /// The size of symbols relative to text.
    public var imageScale = Image.Scale.medium
    /// Kept only.
    public var symbolRenderingMode: SymbolRenderingMode?
    /// Variants appended to symbol names.
    public var symbolVariants = SymbolVariants.none
    var textModifiers: [Text.Modifier] = []

    // MARK: the reader
    /// `light` unless a view sets `preferredColorScheme`: the browser chooses when it shows the page.
    public var colorScheme = ColorScheme.light
    /// Always standard unless the program sets it.
    public var colorSchemeContrast = ColorSchemeContrast.standard
    /// The relative text size.
    public var dynamicTypeSize = DynamicTypeSize.large
    /// Kept only; the browser decides by language.
    public var layoutDirection = LayoutDirection.leftToRight
    /// That of the process.
    public var locale = Locale.current
    /// That of the process.
    public var calendar = Calendar.current
    /// That of the process, which is the member's in extensions.
    public var timeZone = TimeZone.current
    /// False: nothing is known about the reader.
    public var accessibilityEnabled = false
    /// True: nothing moves on a page.
    public var accessibilityReduceMotion = true
    /// False: nothing is known about the reader.
    public var accessibilityReduceTransparency = false
    /// False: nothing is known about the reader.
    public var accessibilityDifferentiateWithoutColor = false
    /// False: nothing is known about the reader.
    public var accessibilityInvertColors = false
    /// False: nothing is known about the reader.
    public var accessibilityVoiceOverEnabled = false
    /// Nil: nothing is known about the reader.
    public var legibilityWeight: LegibilityWeight?

    // MARK: the surroundings
    /// False inside `disabled(true)`.
    public var isEnabled = true
    /// Always false.
    public var isFocused = false
    /// Always false.
    public var isSearching = false
    /// True inside a presented view.
    public var isPresented = false
    /// Always active.
    public var scenePhase = ScenePhase.active
    /// Compact, as on an iPhone.
    public var horizontalSizeClass: UserInterfaceSizeClass? = .compact
    /// Regular, as on an iPhone.
    public var verticalSizeClass: UserInterfaceSizeClass? = .regular
    /// Pixels per point.
    public var displayScale: CGFloat = 2
    /// The size of a pixel in points.
    public var pixelLength: CGFloat { 1 / displayScale }
    /// The size of controls.
    public var controlSize = ControlSize.regular
    /// The size of section headers.
    public var headerProminence = Prominence.standard
    /// In points.
    public var defaultMinListRowHeight: CGFloat = 44
    /// Kept only.
    public var defaultMinListHeaderHeight: CGFloat?
    /// Reasons why texts are replaced by bars.
    public var redactionReasons: RedactionReasons = []
    /// Nil means the built-in background.
    public var backgroundStyle: AnyShapeStyle?

    // MARK: internal
    /// Styles for primary, secondary and so on. Empty means the default.
    package var foregroundStyles: [Paint] = []
    /// The tint as a colour. Nil means blue.
    package var tintColor: Color?
    /// The tint as paint. Nil means blue.
    package var tintPaint: Paint?
    /// The styles of controls.
    package var styles = ControlStyles()
    /// Whether labels of controls are hidden.
    package var hidesLabels = false
    var bordersFields = false
    /// Whether lists have no background.
    package var hidesScrollGround = false
    /// Actions that views can request.
    package var actions = ActionValues()
}

/// Whether text is bolder for better legibility.
nonisolated public enum LegibilityWeight: Hashable, Sendable {
    case regular
    case bold
}
