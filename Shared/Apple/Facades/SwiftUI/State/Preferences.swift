/// A value that views hand up to those around them.
public protocol PreferenceKey {
    /// What is handed up.
    associatedtype Value
    /// What is seen where no view said anything.
    static var defaultValue: Value { get }
    /// Puts the next view's value together with those before it.
    static func reduce(value: inout Value, nextValue: () -> Value)
}

extension PreferenceKey where Value: ExpressibleByNilLiteral {
    public static var defaultValue: Value { nil }
}
