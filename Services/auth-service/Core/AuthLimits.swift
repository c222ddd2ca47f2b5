import Units

/// The limits of auth-service. They keep every list a legal message of the bus.
enum AuthLimits {
    static let membersMax = 500
    /// Approved, asked and known from before; when it is full, those that are not approved make room.
    static let authorizationsMax = 500
    /// Requests that may wait for one decision.
    static let askersMax = 64
    /// Bytes of a bundle id.
    static let bundleIDBytesMax = 255
    /// Characters of a member's name, and their bytes.
    static let memberNameCharactersMax = 64
    static let memberNameBytesMax = 256
    /// Bytes of a time zone's name.
    static let zoneBytesMax = 64
    /// Milliseconds one attempt to reach the notifier may take before the person is told of the other way, in
    /// the log.
    static let notifierAttempt: Milliseconds = 2_000
    /// Milliseconds after a commit that failed before overdue requests are ended anew.
    static let rollbackPause: Milliseconds = 1_000
    /// Tokens of one request.
    static let tokensMax = 2_000
    /// Selections of all clients together, and names of one list of a selection.
    static let selectionsMax = 2_000
    static let selectionNamesMax = 1_000
    /// Bytes of all selections of one client, so that `selection.list` can tell them: 512 KiB; and of all.
    /// Each name counts as ``Limits/subjectBytes``.
    static let selectionBytesPerClientMax: Int64 = 512 * 1024
    static let selectionBytesMax: Int64 = 16 << 20
    /// Names kept because they do not fit into a token.
    static let tokenNamesMax: Int64 = 50_000
}
