/// Where a message is logged to.
public struct Logger: Sendable {}
