internal import Contract

/// The properties of a setting that do not depend on a store.
public struct SettingMetadata<Value> {
    /// The effective value if no store sets one.
    public let defaultValue: Value

    /// Made by the settings groups only; Apple's has no public initializer either.
    package init(defaultValue: Value) { self.defaultValue = defaultValue }
}

/// The properties of a setting that has a minimum and a maximum.
public struct BoundedSettingMetadata<Value> where Value: Comparable {
    /// The effective value if no store sets one.
    public let defaultValue: Value
    /// A value outside the bounds is refused; the store keeps its previous value.
    public let bounds: ClosedRange<Value>

    /// Made by the settings groups only. - Parameter bounds: include the default value.
    package init(defaultValue: Value, bounds: ClosedRange<Value>) {
        self.defaultValue = defaultValue
        self.bounds = bounds
    }
}

extension BoundedSettingMetadata<Int> {
    /// - Parameter key: the key of a rating in ``SettingTable``.
    init(of key: String) {
        guard case .rating(let bounds, let unset)? = SettingTable[key]?.shape else {
            preconditionFailure("\(key) is no rating of SettingTable")
        }
        self.init(defaultValue: Int(unset), bounds: Int(bounds.lowerBound)...Int(bounds.upperBound))
    }
}

extension SettingMetadata: Sendable where Value: Sendable {}
extension BoundedSettingMetadata: Sendable where Value: Sendable {}

/// A group of related settings. Each property is nil if the store does not set it.
public protocol ManagedSettingsGroup {}
