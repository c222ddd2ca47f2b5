import Units

/// Limits of auth-service. They keep every list small enough for one message.
enum AuthLimits {
    static let membersMax = 500
    /// Approved, pending and former ones; at the limit, those that are not approved make room.
    static let authorizationsMax = 500
    /// Requests that may wait for one decision.
    static let askersMax = 64
    /// Bytes of a bundle id.
    static let bundleIDBytesMax = 255
    /// Characters of a member's name; below, its bytes.
    static let memberNameCharactersMax = 64
    static let memberNameBytesMax = 256
    /// Bytes of a time zone's name.
    static let zoneBytesMax = 64
    /// Milliseconds that one attempt to reach the notifier may take before the log names the other way to
    /// answer.
    static let notifierAttempt: Milliseconds = 2_000
    /// Questions that are over and whose notifications are not known to be withdrawn.
    static let questionsKept: Int64 = 500
    /// Pending requests for more time: of one member, and of all.
    static let requestsPerMemberMax = 20
    static let requestsMax = 200
    /// The shortest day of one more minute: a day of which a clock change takes two hours.
    static let minuteDayMin: Milliseconds = .hours(22)
    /// Requests that are over; older ones are deleted, unless they are in effect or one more minute whose
    /// day ended less than ``minuteDayMin`` ago.
    static let requestsKept: Int64 = 500
    /// Of those that are not deleted, so many are made for each member.
    static let neededPerMemberMax: Int64 = 50
    /// Requests in one answer: unless asked otherwise, and at most.
    static let requestsListed: Int64 = 100
    static let requestsListedMax: Int64 = 500
    /// Minutes of one request, and of the delay before a member may approve their own: a day.
    static let requestMinutesMax: Int64 = 1_440
    /// Characters of the words of a request or an answer; below, their bytes.
    static let wordsCharactersMax = 500
    static let wordsBytesMax = 2_000
    /// Tokens of one request.
    static let tokensMax = 2_000
    /// Selections of all clients together; below, names in one list of a selection.
    static let selectionsMax = 2_000
    static let selectionNamesMax = 1_000
    /// Bytes of all selections of one client, 512 KiB, so that one answer of `selection.list` can hold them;
    /// below, of all clients. Each name counts as ``Limits/subjectBytes``.
    static let selectionBytesPerClientMax: Int64 = 512 * 1024
    static let selectionBytesMax: Int64 = 16 << 20
    /// Names stored because they do not fit into a token.
    static let tokenNamesMax: Int64 = 50_000
}
