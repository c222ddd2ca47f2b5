public import Foundation

/// A value of `UserDefaults`: read when it is asked for, written at once.
@propertyWrapper
public struct AppStorage<Value>: DynamicProperty {
    private let read: () -> Value
    private let write: (Value) -> Void

    fileprivate init(
        _ store: UserDefaults?, _ key: String, _ initial: Value, from: @escaping (Any) -> Value?,
        to: @escaping (Value) -> Any?
    ) {
        // `defaultAppStorage` of a scene cannot reach a property that is read outside of a drawing.
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

    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }
    public var projectedValue: Binding<Value> { Binding(get: read, set: write) }
}

/// What property lists call a number may come back as any kind of number.
private func number(_ object: Any) -> NSNumber? { object as? NSNumber }

nonisolated extension AppStorage where Value == Bool {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(store, key, wrappedValue, from: { $0 as? Bool ?? number($0)?.boolValue }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == Int {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(store, key, wrappedValue, from: { $0 as? Int ?? number($0)?.intValue }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == Double {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(store, key, wrappedValue, from: { $0 as? Double ?? number($0)?.doubleValue }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == String {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(store, key, wrappedValue, from: { $0 as? String }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == Data {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(store, key, wrappedValue, from: { $0 as? Data }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == Date {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(store, key, wrappedValue, from: { $0 as? Date }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == URL {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(
            store, key, wrappedValue, from: { ($0 as? String).flatMap { URL(string: $0) } },
            to: { $0.absoluteString })
    }
}
nonisolated extension AppStorage where Value: RawRepresentable, Value.RawValue == Int {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(
            store, key, wrappedValue,
            from: { ($0 as? Int ?? number($0)?.intValue).flatMap(Value.init(rawValue:)) }, to: { $0.rawValue }
        )
    }
}
nonisolated extension AppStorage where Value: RawRepresentable, Value.RawValue == String {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(
            store, key, wrappedValue, from: { ($0 as? String).flatMap(Value.init(rawValue:)) },
            to: { $0.rawValue })
    }
}
nonisolated extension AppStorage where Value == Bool? {
    public init(_ key: String, store: UserDefaults? = nil) {
        self.init(store, key, nil, from: { number($0)?.boolValue }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == Int? {
    public init(_ key: String, store: UserDefaults? = nil) {
        self.init(store, key, nil, from: { number($0)?.intValue }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == Double? {
    public init(_ key: String, store: UserDefaults? = nil) {
        self.init(store, key, nil, from: { number($0)?.doubleValue }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == String? {
    public init(_ key: String, store: UserDefaults? = nil) {
        self.init(store, key, nil, from: { $0 as? String }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == Data? {
    public init(_ key: String, store: UserDefaults? = nil) {
        self.init(store, key, nil, from: { $0 as? Data }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == Date? {
    public init(_ key: String, store: UserDefaults? = nil) {
        self.init(store, key, nil, from: { $0 as? Date }, to: { $0 })
    }
}
nonisolated extension AppStorage where Value == URL? {
    public init(_ key: String, store: UserDefaults? = nil) {
        self.init(
            store, key, nil, from: { ($0 as? String).flatMap { URL(string: $0) } }, to: { $0?.absoluteString }
        )
    }
}

/// A value that a scene keeps. Pages have no scene to return to: it begins with its initial value.
@propertyWrapper
public struct SceneStorage<Value>: DynamicProperty, InstallableProperty {
    let cell: StateCell<Value>
    public init(wrappedValue: Value, _ key: String) { cell = StateCell(wrappedValue) }
    public var wrappedValue: Value {
        get { cell.value }
        nonmutating set { cell.value = newValue }
    }
    public var projectedValue: Binding<Value> {
        let cell = cell
        return Binding(get: { cell.value }, set: { cell.value = $0 })
    }
    @MainActor package func install(in context: RenderContext, at path: String) {
        cell.install(in: context, at: path)
    }
}
nonisolated extension SceneStorage where Value: ExpressibleByNilLiteral {
    public init(_ key: String) { self.init(wrappedValue: nil, key) }
}

/// Where the keyboard's focus is. Nothing has it while a page is drawn.
@propertyWrapper
public struct FocusState<Value: Hashable>: DynamicProperty, InstallableProperty {
    /// Reads and writes where the focus is.
    @propertyWrapper
    public struct Binding {
        let cell: StateCell<Value>
        public var wrappedValue: Value {
            get { cell.value }
            nonmutating set { cell.value = newValue }
        }
        public var projectedValue: Binding { self }
    }
    let cell: StateCell<Value>
    /// Whether one view has the focus.
    public init() where Value == Bool { cell = StateCell(false) }
    /// Which of several views has the focus.
    public init<T>() where Value == T?, T: Hashable { cell = StateCell(nil) }
    public var wrappedValue: Value {
        get { cell.value }
        nonmutating set { cell.value = newValue }
    }
    public var projectedValue: Binding { Binding(cell: cell) }
    @MainActor package func install(in context: RenderContext, at path: String) {
        cell.install(in: context, at: path)
    }
}
/// What a gesture changes while it lasts: always its initial value here.
@propertyWrapper
public struct GestureState<Value>: DynamicProperty {
    public let wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public init(initialValue: Value) { wrappedValue = initialValue }
    public init(wrappedValue: Value, resetTransaction: Transaction) { self.wrappedValue = wrappedValue }
    public var projectedValue: GestureState<Value> { self }
}
nonisolated extension GestureState where Value: ExpressibleByNilLiteral {
    public init() { self.init(wrappedValue: nil) }
}

/// A name for views that belong together in an animation.
@propertyWrapper
public struct Namespace: DynamicProperty {
    nonisolated public struct ID: Hashable, Sendable {
        let value: UUID
    }
    private let id = ID(value: UUID())
    public init() {}
    public var wrappedValue: ID { id }
}

/// A number in points that grows with the reader's text size.
@propertyWrapper
public struct ScaledMetric<Value: BinaryFloatingPoint>: DynamicProperty {
    public let wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public init(wrappedValue: Value, relativeTo textStyle: Font.TextStyle) {
        self.wrappedValue = wrappedValue
    }
}
