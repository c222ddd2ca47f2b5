public import Observation

/// Reads a value that the views around this one handed down.
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    final class Cell { var value: Value? }
    let cell = Cell()
    let read: (EnvironmentValues) -> Value?
    private let missing: String

    /// The value at `keyPath`.
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        read = { $0[keyPath: keyPath] }
        missing = ""
    }

    /// The value. Outside of a drawing it is the default one.
    public var wrappedValue: Value {
        if let value = cell.value { return value }
        guard let value = read(EnvironmentValues()) else { preconditionFailure(missing) }
        return value
    }
}

nonisolated extension Environment where Value: AnyObject, Value: Observable {
    /// The object of this type that `environment(_:)` handed down. The program ends when nobody did.
    public init(_ type: Value.Type) {
        read = { $0[type] }
        missing = "No view around this one says environment(_:) with a \(type). Add it above."
    }
}

nonisolated extension Environment {
    /// The object of this type that `environment(_:)` handed down, or nil.
    public init<Object: AnyObject & Observable>(_ type: Object.Type) where Value == Object? {
        read = { .some($0[type]) }
        missing = ""
    }
}

extension Environment: InstallableProperty {
    @MainActor package func install(in context: RenderContext, at path: String) {
        cell.value = read(context.environment)
    }
}
