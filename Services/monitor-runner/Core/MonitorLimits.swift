import Units

/// Limits of this service. Exceeding one gives an error that names it.
enum MonitorLimits {
    /// Failed attempts after which a callback is given up. Attempts that failed because the host could not
    /// start the extension, or because a service did not answer it, do not count.
    static let failuresMax: Int64 = 5
    /// Milliseconds before the second attempt; doubled for each further one.
    static let backOff: Milliseconds = 1_000
    /// The longest back-off: one minute.
    static let backOffMax: Milliseconds = 60_000
    /// Missing callbacks, over all extensions, that `health.check` lists.
    static let missingListedMax = 20
    /// Callbacks waiting behind a failing one that are read to find their activities.
    static let heldReadMax: Int64 = 200
    /// Number of finished deliveries that are stored.
    static let deliveriesKept: Int64 = 10_000
    /// How long a received callback is remembered, so that a restored activity-center that publishes it again
    /// has no effect: 400 days.
    static let receivedKeysKept: Milliseconds = .days(400)
    /// Bytes of one installed extension as JSON, with its state; below, of all, so that `extension.list` can
    /// answer: 768 KiB.
    static let extensionBytesMax = 32 * 1024
    static let allExtensionBytesMax = 768 * 1024
    /// Bytes of one state text from another host.
    static let stateTextBytesMax = 1_024
    /// Number of sentences about its confinement.
    static let stateSentencesMax = 16
    /// Milliseconds that a replaced copy is kept, because other hosts still run it.
    static let replacedCopy: Milliseconds = 5_000
    /// Number of installed extensions.
    static let extensionsMax = 1_000
    /// Bytes of a program's encoded output in the answer of `extension.run`: 512 KiB, so that it fits into a
    /// message.
    static let outputBytesMax = 512 * 1024
}
