/// Every limit of this service. Going over one is an error that names it.
enum MonitorLimits {
    /// Milliseconds a callback may take before its process is killed: 30 s.
    static let callbackDeadlineMs: Int64 = 30_000
    /// Attempts that may fail before a callback is given up. One that failed because a service was not there
    /// to answer the extension does not count.
    static let failuresMax: Int64 = 5
    /// Milliseconds before the second attempt; doubled for each further one.
    static let backOffMs: Int64 = 1_000
    /// The longest back-off: one minute.
    static let backOffMsMax: Int64 = 60_000
    /// Milliseconds a process may be without work before it is ended: 60 s.
    static let idleMs: Int64 = 60_000
    /// Milliseconds a process has to end by itself after the end of the stream.
    static let graceMs: Int64 = 2_000
    /// Requests of one extension that may be open at once.
    static let openRequestsMax = 64
    /// Bytes that may wait to be read by an extension.
    static let waitingBytesMax = 4 << 20
    /// Finished deliveries that are kept.
    static let deliveriesKept: Int64 = 10_000
    /// Bytes of an Info.plist.
    static let propertyListBytesMax = 64 * 1024
    /// How deep an Info.plist may nest.
    static let propertyListDepthMax = 16
    /// Bytes of an extension's log before the next start begins a new one: 8 MiB.
    static let logBytesMax: Int64 = 8 << 20
    /// Milliseconds after which a step whose commit failed is taken again.
    static let retryCommitMs: Int64 = 1_000
    /// Installed extensions.
    static let extensionsMax = 1_000
}
