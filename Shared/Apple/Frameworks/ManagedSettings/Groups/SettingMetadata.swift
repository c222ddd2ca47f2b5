internal import Contract

/// What is known of a setting besides its value in a store.
public struct SettingMetadata<Value> {
    /// What holds where no store sets it.
    public let defaultValue: Value

    package init(defaultValue: Value) { self.defaultValue = defaultValue }
}

/// What is known of a setting with a least and a greatest value.
public struct BoundedSettingMetadata<Value> where Value: Comparable {
    /// What holds where no store sets it.
    public let defaultValue: Value
    /// A value outside is refused: the store keeps what it has.
    public let bounds: ClosedRange<Value>

    package init(defaultValue: Value, bounds: ClosedRange<Value>) {
        self.defaultValue = defaultValue
        self.bounds = bounds
    }
}

extension BoundedSettingMetadata<Int> {
    /// - Parameter key: of a rating in ``SettingTable``.
    init(of key: String) {
        guard case .rating(let bounds, let unset)? = SettingTable[key]?.shape else {
            preconditionFailure("\(key) is no rating of SettingTable")
        }
        self.init(defaultValue: Int(unset), bounds: Int(bounds.lowerBound)...Int(bounds.upperBound))
    }
}

extension SettingMetadata: Sendable where Value: Sendable {}
extension BoundedSettingMetadata: Sendable where Value: Sendable {}

/// Settings that belong together. Each property is nil where the store does not set it.
public protocol ManagedSettingsGroup {}
