import Units

/// Limits of activity-center. Exceeding one gives an error that names it.
enum ActivityLimits {
    /// Uses in one answer of `usage.read`: about 800 KB.
    static let usesPerAnswerMax = 15_000
    /// Bytes of observations in one page of `usage.export`, so that an answer fits into a message.
    static let exportBytesMax = 600_000
    /// How long delivered callbacks are remembered: 31 days.
    static let deliveredKept: Milliseconds = .days(31)
    /// Bytes of one client's activities, 16 MiB, and of all, 512 MiB: about a million thresholds, since they
    /// are kept in memory. Names of subjects count by ``Record/weight``.
    static let bytesPerClientMax: Int64 = 16 << 20
    static let bytesMax: Int64 = 512 << 20
    /// Callbacks in one answer of `monitoring.pending`, and in one `monitoring.recount`.
    static let pendingPerAnswerMax: Int64 = 1_000
    static let recountedPerRequestMax = 100

    /// Apps in one `catalog.observe`.
    static let appsMax = 500
    /// Known apps; below, the sum of devices over all apps.
    static let appsKept = 20_000
    static let installedMax = 40_000
    /// Categories that a person may set.
    static let overridesMax = 10_000
    /// Hosts whose category is cached; beyond it the cache is cleared.
    static let hostsKept = 20_000
    /// Subjects in one `catalog.changed`.
    static let subjectsPerEventMax = 500
    /// Recorded hosts compared at a time.
    static let hostsPerPage = 2_000
    /// Items in one page of `catalog.list`.
    static let itemsMax = 500
    /// Names examined per answer, which may then hold fewer items than requested.
    static let namesReadMax = 5_000
    /// Bytes of items in one answer, so that it fits into a message.
    static let itemBytesMax = 700_000

    /// Active lists of domains; below, domains per list.
    static let listsMax = 32
    static let domainsMax: Int64 = 2_000_000
    /// Bytes of the name of a list, and of an attempt to import it.
    static let listNameBytesMax = 128
    /// Domains in one part of an import, and in one page of `catalog.read`.
    static let partDomainsMax = 10_000
    static let domainsPerPage = 3_000
    /// An import without progress for this long is abandoned: 24 h.
    static let comingKept: Milliseconds = 86_400_000
    /// Imports that may be in progress, and below, the domains of all of them. Beyond it, the one without
    /// progress for the longest time is abandoned.
    static let comingMax = 32
    static let comingDomainsMax: Int64 = 2 * domainsMax
    /// Rows of a removed list deleted at a time: about 10 ms.
    static let sweptRows = 4_000
    /// Milliseconds between two such deletions.
    static let sweepPause: Milliseconds = 20
    /// Milliseconds until a deletion that was undone is repeated; the disk may be full.
    static let sweepRetry: Milliseconds = 10_000
}
