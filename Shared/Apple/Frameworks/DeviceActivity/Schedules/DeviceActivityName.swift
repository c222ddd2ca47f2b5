/// Identifies an activity of this client.
public struct DeviceActivityName: RawRepresentable, Equatable, Hashable, Sendable {
    /// Unique within the client.
    public var rawValue: String

    /// Accepts any text; the service checks its length on registration.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// Satisfies `RawRepresentable`; the same as ``init(_:)``.
    public init(rawValue: String) { self.rawValue = rawValue }
}
