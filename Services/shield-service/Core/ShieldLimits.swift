import Units

/// Limits of this service. Exceeding one gives an error that names it. Bytes of stores and shields count
/// every name with a fixed length (``Record/weight``).
enum ShieldLimits {
    /// Bytes of one store as JSON, so that its event fits into a message: 512 KiB.
    static let storeBytesMax = 512 * 1024
    /// Nesting of one setting's value. The events and answers that contain it are nested deeper, and every
    /// reader accepts ``JSONLimits/depthMax``.
    static let settingDepthMax = 32
    /// Bytes of all stores of one client, for all members: 8 MiB; below, of all clients.
    static let storeBytesPerClientMax = 8 << 20
    static let allStoreBytesMax = 64 << 20
    /// Stores of one client for one member.
    static let storesPerClientMax = 1_000
    /// Bytes of all shields of all members, so that one answer of `shield.list` can hold them: 768 KiB.
    static let shieldBytesMax = 768 * 1024
    /// Bytes of the shields that follow from one app's stores, and from those of all apps together: 256 and
    /// 512 KiB. The rest is for the person's own limits.
    static let shieldBytesPerAppMax = 256 * 1024
    static let shieldBytesOfAppsMax = 512 * 1024
    /// Milliseconds that a shield waits for an extension's look; then the built-in one is shown.
    static let look: Milliseconds = 1_000
    /// Milliseconds that the extension has in total: an answer after `look` is published when it arrives.
    static let answer: Milliseconds = 10_000
    /// Milliseconds that an extension has to answer a button press.
    static let action: Milliseconds = 10_000
    /// Milliseconds that activity-center has to return a category.
    static let catalogue: Milliseconds = 1_000
    /// Number of times that categories of hosts are requested while they change.
    static let hostRequestsMax = 3
    /// Milliseconds that it has for one page of its catalogue, and the pause before the next attempt.
    static let listing: Milliseconds = 10_000
    static let listingPause: Milliseconds = 10_000
    /// Apps and domains in one `shield.judge`; parts of a change in one `shield.predict`.
    static let judgedMax = 500
    /// Subjects in one answer of `shield.predict`.
    static let predictedMax = 100
    /// Programs in one answer of `shield.judge`.
    static let programsMax = 1_000
    /// Number of looks kept in memory.
    static let screensKept = 500
    /// Bytes of all freezes, so that one answer of `shield.frozen` can hold them: 768 KiB.
    static let freezeBytesMax = 768 * 1024
    /// Exceptions in one answer of `exception.list`.
    static let exceptionsListed = 500
    /// Agents whose last check is kept; the one that checked longest ago is forgotten first.
    static let enforcementsMax = 100
    /// Bytes of the reason why limits do not act.
    static let reasonBytesMax = 1_000
    /// Processes in one freeze.
    static let processesPerFreezeMax = 4_096
}
