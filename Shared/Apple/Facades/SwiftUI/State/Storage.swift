public import Foundation

/// A value in `UserDefaults`, read on each access and written immediately.
@propertyWrapper
public struct AppStorage<Value>: DynamicProperty {
    private let read: () -> Value
    private let write: (Value) -> Void

    fileprivate init(
        _ store: UserDefaults?, _ key: String, _ initial: Value, from: @escaping (Any) -> Value?,
        to: @escaping (Value) -> Any?
    ) {
        // `defaultAppStorage` of a scene does not reach properties that are read outside of rendering.
        let defaults = store ?? .standard
        read = { defaults.object(forKey: key).flatMap(from) ?? initial }
        write = {
            if let object = to($0) {
                defaults.set(object, forKey: key)
            } else {
                defaults.removeObject(forKey: key)
            }
            RenderSignal.stateChanged()
        }
    }

    /// The stored value, or the initial one if there is none of this type.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }
    /// A binding to the stored value.
    public var projectedValue: Binding<Value> { Binding(get: read, set: write) }
}

/// A number in a property list may be read back as another numeric type.
private func number(_ object: Any) -> NSNumber? { object as? NSNumber }

nonisolated extension AppStorage where Value == Bool {
    /// - Parameters:
    ///   - wrappedValue: used while nothing is stored.
    ///   - store: if nil, the standard defaults.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(store, key, wrappedValue, from: { $0 as? Bool ?? number($0)?.boolValue }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == Int {
    /// - Parameters:
    ///   - wrappedValue: used while nothing is stored.
    ///   - store: if nil, the standard defaults.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(store, key, wrappedValue, from: { $0 as? Int ?? number($0)?.intValue }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == Double {
    /// - Parameters:
    ///   - wrappedValue: used while nothing is stored.
    ///   - store: if nil, the standard defaults.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(store, key, wrappedValue, from: { $0 as? Double ?? number($0)?.doubleValue }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == String {
    /// - Parameters:
    ///   - wrappedValue: used while nothing is stored.
    ///   - store: if nil, the standard defaults.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(store, key, wrappedValue, from: { $0 as? String }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == Data {
    /// - Parameters:
    ///   - wrappedValue: used while nothing is stored.
    ///   - store: if nil, the standard defaults.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(store, key, wrappedValue, from: { $0 as? Data }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == Date {
    /// - Parameters:
    ///   - wrappedValue: used while nothing is stored.
    ///   - store: if nil, the standard defaults.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(store, key, wrappedValue, from: { $0 as? Date }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == URL {
    /// Stored as text. - Parameter store: if nil, the standard defaults.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(
            store, key, wrappedValue, from: { ($0 as? String).flatMap { URL(string: $0) } },
            to: { $0.absoluteString })
    }
}
nonisolated extension AppStorage where Value: RawRepresentable, Value.RawValue == Int {
    /// - Parameters:
    ///   - wrappedValue: used while nothing is stored.
    ///   - store: if nil, the standard defaults.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(
            store, key, wrappedValue,
            from: { ($0 as? Int ?? number($0)?.intValue).flatMap(Value.init(rawValue:)) }, to: { $0.rawValue }
        )
    }
}
nonisolated extension AppStorage where Value: RawRepresentable, Value.RawValue == String {
    /// - Parameters:
    ///   - wrappedValue: used while nothing is stored.
    ///   - store: if nil, the standard defaults.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(
            store, key, wrappedValue, from: { ($0 as? String).flatMap(Value.init(rawValue:)) },
            to: { $0.rawValue })
    }
}
nonisolated extension AppStorage where Value == Bool? {
    /// Nil while nothing is stored. - Parameter store: if nil, the standard defaults.
    public init(_ key: String, store: UserDefaults? = nil) {
        self.init(store, key, nil, from: { number($0)?.boolValue }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == Int? {
    /// Nil while nothing is stored. - Parameter store: if nil, the standard defaults.
    public init(_ key: String, store: UserDefaults? = nil) {
        self.init(store, key, nil, from: { number($0)?.intValue }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == Double? {
    /// Nil while nothing is stored. - Parameter store: if nil, the standard defaults.
    public init(_ key: String, store: UserDefaults? = nil) {
        self.init(store, key, nil, from: { number($0)?.doubleValue }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == String? {
    /// Nil while nothing is stored. - Parameter store: if nil, the standard defaults.
    public init(_ key: String, store: UserDefaults? = nil) {
        self.init(store, key, nil, from: { $0 as? String }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == Data? {
    /// Nil while nothing is stored. - Parameter store: if nil, the standard defaults.
    public init(_ key: String, store: UserDefaults? = nil) {
        self.init(store, key, nil, from: { $0 as? Data }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == Date? {
    /// Nil while nothing is stored. - Parameter store: if nil, the standard defaults.
    public init(_ key: String, store: UserDefaults? = nil) {
        self.init(store, key, nil, from: { $0 as? Date }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == URL? {
    /// Stored as text. Nil while nothing is stored.
    public init(_ key: String, store: UserDefaults? = nil) {
        self.init(
            store, key, nil, from: { ($0 as? String).flatMap { URL(string: $0) } }, to: { $0?.absoluteString }
        )
    }
}

/// A value that a scene restores. There is no scene to restore here, so it starts with its initial value.
@propertyWrapper
public struct SceneStorage<Value>: DynamicProperty, InstallableProperty {
    let cell: StateCell<Value>
    /// The key is ignored.
    public init(wrappedValue: Value, _ key: String) { cell = StateCell(wrappedValue) }
    /// The present value, kept for this page.
    public var wrappedValue: Value {
        get { cell.value }
        nonmutating set { cell.value = newValue }
    }
    /// A binding to the value.
    public var projectedValue: Binding<Value> {
        let cell = cell
        return Binding(get: { cell.value }, set: { cell.value = $0 })
    }
    @MainActor package func install(in context: RenderContext, at path: String) {
        cell.install(in: context, at: path)
    }
}
nonisolated extension SceneStorage where Value: ExpressibleByNilLiteral {
    /// Starts as nil; the key is ignored.
    public init(_ key: String) { self.init(wrappedValue: nil, key) }
}

/// The keyboard focus. Nothing has it while a page is rendered.
@propertyWrapper
public struct FocusState<Value: Hashable>: DynamicProperty, InstallableProperty {
    /// Reads and writes the focus.
    @propertyWrapper
    public struct Binding {
        let cell: StateCell<Value>
        /// The present value.
        public var wrappedValue: Value {
            get { cell.value }
            nonmutating set { cell.value = newValue }
        }
        /// The binding itself.
        public var projectedValue: Binding { self }
    }
    let cell: StateCell<Value>
    /// Whether a view has the focus.
    public init() where Value == Bool { cell = StateCell(false) }
    /// Which of several views has the focus.
    public init<T>() where Value == T?, T: Hashable { cell = StateCell(nil) }
    /// False or nil unless the program sets it.
    public var wrappedValue: Value {
        get { cell.value }
        nonmutating set { cell.value = newValue }
    }
    /// A binding for `focused(_:)`.
    public var projectedValue: Binding { Binding(cell: cell) }
    @MainActor package func install(in context: RenderContext, at path: String) {
        cell.install(in: context, at: path)
    }
}
/// A value that a gesture changes. Always its initial value here.
@propertyWrapper
public struct GestureState<Value>: DynamicProperty {
    /// The initial value.
    public let wrappedValue: Value
    /// - Parameter wrappedValue: the value, which never changes.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    /// - Parameter initialValue: the value, which never changes.
    public init(initialValue: Value) { wrappedValue = initialValue }
    /// The transaction is ignored.
    public init(wrappedValue: Value, resetTransaction: Transaction) { self.wrappedValue = wrappedValue }
    /// The value itself, for `updating(_:body:)`.
    public var projectedValue: GestureState<Value> { self }
}
nonisolated extension GestureState where Value: ExpressibleByNilLiteral {
    /// Always nil.
    public init() { self.init(wrappedValue: nil) }
}

/// An identifier for views that are animated together.
@propertyWrapper
public struct Namespace: DynamicProperty {
    /// Unique within the process.
    nonisolated public struct ID: Hashable, Sendable {
        let value: UUID
    }
    private let id = ID(value: UUID())
    /// A new identifier.
    public init() {}
    /// The identifier.
    public var wrappedValue: ID { id }
}

/// A number that follows the text size. Fixed here: the browser scales the page.
@propertyWrapper
public struct ScaledMetric<Value: BinaryFloatingPoint>: DynamicProperty {
    /// The number as passed.
    public let wrappedValue: Value
    /// - Parameter wrappedValue: not scaled.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    /// The text style is ignored.
    public init(wrappedValue: Value, relativeTo textStyle: Font.TextStyle) {
        self.wrappedValue = wrappedValue
    }
}
