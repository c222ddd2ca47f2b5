/// Names an activity of this client.
public struct DeviceActivityName: RawRepresentable, Equatable, Hashable, Sendable {
    public var rawValue: String

    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(rawValue: String) { self.rawValue = rawValue }
}
