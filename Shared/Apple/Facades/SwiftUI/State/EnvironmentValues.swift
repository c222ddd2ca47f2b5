public import Foundation

/// A key of a value that views hand down to those inside them.
nonisolated public protocol EnvironmentKey {
    /// What is handed down.
    associatedtype Value
    /// What is seen where nobody set it.
    static var defaultValue: Value { get }
}

/// The values that a view finds at its place. `@Entry` is a macro of Apple's SDK that cannot be had here;
/// write the key out.
nonisolated public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]
    private var objects: [ObjectIdentifier: AnyObject] = [:]

    public init() {}

    /// The value of a key.
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
    /// The observable object of a type, nil where nobody set one.
    public subscript<Object: AnyObject>(type: Object.Type) -> Object? {
        get { objects[ObjectIdentifier(type)] as? Object }
        set { objects[ObjectIdentifier(type)] = newValue }
    }

    // Of text.
    public var font: Font?
    public var lineLimit: Int?
    public var lineSpacing: CGFloat = 0
    public var multilineTextAlignment = TextAlignment.leading
    public var minimumScaleFactor: CGFloat = 1
    public var allowsTightening = false
    public var truncationMode = Text.TruncationMode.tail
    public var textCase: Text.Case?
    public var imageScale = Image.Scale.medium
    public var symbolRenderingMode: SymbolRenderingMode?
    public var symbolVariants = SymbolVariants.none
    var textModifiers: [Text.Modifier] = []

    // Of the reader.
    /// `light` unless a view said `preferredColorScheme`: the browser chooses between both when it shows
    /// the page.
    public var colorScheme = ColorScheme.light
    public var colorSchemeContrast = ColorSchemeContrast.standard
    public var dynamicTypeSize = DynamicTypeSize.large
    public var layoutDirection = LayoutDirection.leftToRight
    public var locale = Locale.current
    public var calendar = Calendar.current
    public var timeZone = TimeZone.current
    public var accessibilityEnabled = false
    public var accessibilityReduceMotion = true
    public var accessibilityReduceTransparency = false
    public var accessibilityDifferentiateWithoutColor = false
    public var accessibilityInvertColors = false
    public var accessibilityVoiceOverEnabled = false
    public var legibilityWeight: LegibilityWeight?

    // Of the place.
    public var isEnabled = true
    public var isFocused = false
    public var isSearching = false
    public var isPresented = false
    public var scenePhase = ScenePhase.active
    public var horizontalSizeClass: UserInterfaceSizeClass? = .compact
    public var verticalSizeClass: UserInterfaceSizeClass? = .regular
    public var displayScale: CGFloat = 2
    public var pixelLength: CGFloat { 1 / displayScale }
    public var controlSize = ControlSize.regular
    public var headerProminence = Prominence.standard
    public var defaultMinListRowHeight: CGFloat = 44
    public var defaultMinListHeaderHeight: CGFloat?
    public var redactionReasons: RedactionReasons = []
    public var backgroundStyle: AnyShapeStyle?

    // Of this module.
    package var foregroundStyles: [Paint] = []
    package var tintColor: Color?
    package var tintPaint: Paint?
    package var styles = ControlStyles()
    package var hidesLabels = false
    var bordersFields = false
    package var hidesScrollGround = false
    package var actions = ActionValues()
}

/// Whether text is drawn bolder for people who see little.
nonisolated public enum LegibilityWeight: Hashable, Sendable {
    case regular
    case bold
}
