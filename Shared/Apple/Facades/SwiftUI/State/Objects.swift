public import Combine
public import Observation

/// An observable object that a view owns: made once for a page.
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
    public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { maker = Maker(thunk) }
    public var wrappedValue: ObjectType { maker.value }
    public var projectedValue: ObservedObject<ObjectType>.Wrapper { .init(object: maker.value) }

    @MainActor package func install(in context: RenderContext, at path: String) {
        let kept = context.pass.cell(at: path, or: maker)
        if kept !== maker { maker.earlier = kept }
        context.observe(maker.value, at: path)
    }
}

/// An observable object that somebody else owns.
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty, InstallableProperty {
    /// Makes bindings to the properties of an object.
    @dynamicMemberLookup
    nonisolated public struct Wrapper {
        let object: ObjectType
        public subscript<Subject>(
            dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
        ) -> Binding<Subject> {
            let object = object
            return Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
        }
    }
    public var wrappedValue: ObjectType
    public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
    public init(initialValue: ObjectType) { wrappedValue = initialValue }
    public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }

    @MainActor package func install(in context: RenderContext, at path: String) {
        context.observe(wrappedValue, at: path)
    }
}

/// An observable object that `environmentObject(_:)` handed down. The program ends when nobody did.
@propertyWrapper
public struct EnvironmentObject<ObjectType: ObservableObject>: DynamicProperty,
    InstallableProperty
{
    final class Cell { var object: ObjectType? }
    let cell = Cell()
    public init() {}
    public var wrappedValue: ObjectType {
        guard let object = cell.object else {
            preconditionFailure(
                "No view around this one says environmentObject(_:) with a \(ObjectType.self). Add it above.")
        }
        return object
    }
    public var projectedValue: ObservedObject<ObjectType>.Wrapper { .init(object: wrappedValue) }

    @MainActor package func install(in context: RenderContext, at path: String) {
        cell.object = context.environment[ObjectType.self]
        if let object = cell.object { context.observe(object, at: path) }
    }
}

/// Makes bindings to the properties of an `@Observable` object.
@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value> {
    public var wrappedValue: Value
    public var projectedValue: Bindable<Value> { self }

    /// Bindings to the properties of `wrappedValue`, which has to be an object.
    @available(*, unavailable, message: "The wrapped value must be an object that is Observable.")
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    fileprivate init(object: Value) { wrappedValue = object }
}
nonisolated extension Bindable where Value: AnyObject, Value: Observable {
    public init(wrappedValue: Value) { self.init(object: wrappedValue) }
    public init(_ wrappedValue: Value) { self.init(object: wrappedValue) }
    public init(projectedValue: Bindable<Value>) { self = projectedValue }
}
nonisolated extension Bindable where Value: ObservableObject {
    @available(*, unavailable, message: "Use @ObservedObject with an ObservableObject.")
    public init(wrappedValue: Value) { self.init(object: wrappedValue) }
}
nonisolated extension Bindable where Value: AnyObject {
    public subscript<Subject>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
    ) -> Binding<Subject> {
        let object = wrappedValue
        return Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
    }
}

extension RenderContext {
    /// Draws the page again when `object` said that it changes.
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
    /// Hands an object down to `@EnvironmentObject` of its type.
    public func environmentObject<T: ObservableObject>(_ object: T) -> some View {
        drawn(with: object) { object, context in context.environment[T.self] = object }
    }
    /// Hands an object down to `@Environment(T.self)`.
    public func environment<T: AnyObject & Observable>(_ object: T?) -> some View {
        drawn(with: object) { object, context in context.environment[T.self] = object }
    }
    /// Hands a value down to `@Environment` with this key path.
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
