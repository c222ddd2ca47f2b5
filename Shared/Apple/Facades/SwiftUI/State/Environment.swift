public import Observation

/// Reads a value that the views around this one provide.
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    final class Cell { var value: Value? }
    let cell = Cell()
    let read: (EnvironmentValues) -> Value?
    private let missing: String

    /// - Parameter keyPath: the value to read.
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        read = { $0[keyPath: keyPath] }
        missing = ""
    }

    /// The value. Outside of rendering it is the default.
    public var wrappedValue: Value {
        if let value = cell.value { return value }
        guard let value = read(EnvironmentValues()) else { preconditionFailure(missing) }
        return value
    }
}

nonisolated extension Environment where Value: AnyObject, Value: Observable {
    /// The object of this type provided by `environment(_:)`. The program stops if there is none.
    public init(_ type: Value.Type) {
        read = { $0[type] }
        missing = "No view around this one provides a \(type) with environment(_:). Add it."
    }
}

nonisolated extension Environment {
    /// The object of this type provided by `environment(_:)`, or nil.
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
