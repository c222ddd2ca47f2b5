import Units

/// Every limit of this service. Going over one is an error that names it.
enum MonitorLimits {
    /// Attempts that may fail before a callback is given up. One that failed because the host could not start
    /// the extension, or a service was not there to answer it, does not count.
    static let failuresMax: Int64 = 5
    /// Milliseconds before the second attempt; doubled for each further one.
    static let backOff: Milliseconds = 1_000
    /// The longest back-off: one minute.
    static let backOffMax: Milliseconds = 60_000
    /// Callbacks that did not arrive, of all extensions, that `health.check` names.
    static let missingSaidMax = 20
    /// Callbacks that wait for one that fails, among which the activities are looked for.
    static let heldReadMax: Int64 = 200
    /// Finished deliveries that are kept.
    static let deliveriesKept: Int64 = 10_000
    /// Milliseconds for which a callback that was taken in is known, so that a restored activity-center that
    /// tells it again is not believed: 400 days.
    static let takenInKept: Milliseconds = .days(400)
    /// Milliseconds after which a step whose commit failed is taken again.
    static let retryCommit: Milliseconds = 1_000
    /// Bytes of one installed extension as JSON, with how it runs; and of all, so that `extension.list` can
    /// answer: 768 KiB.
    static let extensionBytesMax = 32 * 1024
    static let allExtensionBytesMax = 768 * 1024
    /// Bytes of one text that another host says of an extension.
    static let stateTextBytesMax = 1_024
    /// Sentences on what it is confined by.
    static let stateSentencesMax = 16
    /// Milliseconds for which a copy stays that was replaced: until then other hosts run the former one.
    static let replacedCopy: Milliseconds = 5_000
    /// Installed extensions.
    static let extensionsMax = 1_000
    /// Bytes of a program's output, encoded, in the answer of `extension.run`: 512 KiB, so that it stays a
    /// message.
    static let outputBytesMax = 512 * 1024
}
