public import Combine
public import Observation

/// An observable object owned by a view. Created once per page.
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject>: DynamicProperty, InstallableProperty {
    final class Maker {
        let make: () -> ObjectType
        var object: ObjectType?
        var earlier: Maker?
        init(_ make: @escaping () -> ObjectType) { self.make = make }
        var value: ObjectType {
            if let earlier { return earlier.value }
            if let object { return object }
            let made = make()
            object = made
            return made
        }
    }
    let maker: Maker
    /// - Parameter thunk: evaluated when the object is first used.
    public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { maker = Maker(thunk) }
    /// The object.
    public var wrappedValue: ObjectType { maker.value }
    /// Creates bindings to the properties of the object.
    public var projectedValue: ObservedObject<ObjectType>.Wrapper { .init(object: maker.value) }

    @MainActor package func install(in context: RenderContext, at path: String) {
        let kept = context.pass.cell(at: path, or: maker)
        if kept !== maker { maker.earlier = kept }
        context.observe(maker.value, at: path)
    }
}

/// An observable object owned elsewhere.
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty, InstallableProperty {
    /// Creates bindings to the properties of an object.
    @dynamicMemberLookup
    nonisolated public struct Wrapper {
        let object: ObjectType
        /// A binding to a property.
        public subscript<Subject>(
            dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
        ) -> Binding<Subject> {
            let object = object
            return Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
        }
    }
    /// The object.
    public var wrappedValue: ObjectType
    /// The page is rendered again when the object changes.
    public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
    /// Same as ``init(wrappedValue:)``.
    public init(initialValue: ObjectType) { wrappedValue = initialValue }
    /// Creates bindings to the properties of the object.
    public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }

    @MainActor package func install(in context: RenderContext, at path: String) {
        context.observe(wrappedValue, at: path)
    }
}

/// An observable object provided by `environmentObject(_:)`. The program stops if there is none.
@propertyWrapper
public struct EnvironmentObject<ObjectType: ObservableObject>: DynamicProperty,
    InstallableProperty
{
    final class Cell { var object: ObjectType? }
    let cell = Cell()
    /// The object is looked up when the view is rendered.
    public init() {}
    /// Stops the program if no view provides the object.
    public var wrappedValue: ObjectType {
        guard let object = cell.object else {
            preconditionFailure(
                "No view around this one provides a \(ObjectType.self) with environmentObject(_:). Add it.")
        }
        return object
    }
    /// Creates bindings to the properties of the object.
    public var projectedValue: ObservedObject<ObjectType>.Wrapper { .init(object: wrappedValue) }

    @MainActor package func install(in context: RenderContext, at path: String) {
        cell.object = context.environment[ObjectType.self]
        if let object = cell.object { context.observe(object, at: path) }
    }
}

/// Creates bindings to the properties of an `@Observable` object.
@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value> {
    /// The object.
    public var wrappedValue: Value
    /// The value itself, which creates bindings.
    public var projectedValue: Bindable<Value> { self }

    /// - Parameter wrappedValue: must be an observable object.
    @available(*, unavailable, message: "The wrapped value must be an object that is Observable.")
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    fileprivate init(object: Value) { wrappedValue = object }
}
nonisolated extension Bindable where Value: AnyObject, Value: Observable {
    /// - Parameter wrappedValue: the object.
    public init(wrappedValue: Value) { self.init(object: wrappedValue) }
    /// - Parameter wrappedValue: the object.
    public init(_ wrappedValue: Value) { self.init(object: wrappedValue) }
    /// The same value.
    public init(projectedValue: Bindable<Value>) { self = projectedValue }
}
nonisolated extension Bindable where Value: ObservableObject {
    /// Not available: use `@ObservedObject`.
    @available(*, unavailable, message: "Use @ObservedObject with an ObservableObject.")
    public init(wrappedValue: Value) { self.init(object: wrappedValue) }
}
nonisolated extension Bindable where Value: AnyObject {
    /// A binding to a property.
    public subscript<Subject>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
    ) -> Binding<Subject> {
        let object = wrappedValue
        return Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
    }
}

extension RenderContext {
    /// Renders the page again when `object` announces a change.
    @MainActor fileprivate func observe<Object: ObservableObject>(_ object: Object, at path: String) {
        guard !isMeasuring else { return }
        let pass = pass
        let key = "\(path)@\(ObjectIdentifier(object).hashValue)"
        guard pass.watched[key] == nil else { return }
        pass.watched[key] = true
        pass.keep(object.objectWillChange.sink { _ in RenderSignal.stateChanged() })
    }
}

nonisolated extension View {
    /// Provides an object to `@EnvironmentObject` properties of its type.
    public func environmentObject<T: ObservableObject>(_ object: T) -> some View {
        drawn(with: object) { object, context in context.environment[T.self] = object }
    }
    /// Provides an object to `@Environment(T.self)`.
    public func environment<T: AnyObject & Observable>(_ object: T?) -> some View {
        drawn(with: object) { object, context in context.environment[T.self] = object }
    }
    /// Provides a value to `@Environment` properties with this key path.
    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        drawn(with: (keyPath, value)) { both, context in context.environment[keyPath: both.0] = both.1 }
    }
    /// Changes the value of a key path for the views inside.
    public func transformEnvironment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>, transform: @escaping (inout V) -> Void
    ) -> some View {
        drawn(with: (keyPath, transform)) { both, context in both.1(&context.environment[keyPath: both.0]) }
    }
}
