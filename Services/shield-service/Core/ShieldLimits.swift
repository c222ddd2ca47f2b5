import Units

/// Every limit of this service. Going over one is an error that names it, never silence. Bytes of stores and
/// shields are counted with one length for every name (``Record/weight``).
enum ShieldLimits {
    /// Bytes of one store as JSON, so that its event stays a legal message: 512 KiB.
    static let storeBytesMax = 512 * 1024
    /// Bytes of all stores of one client, for all members: 8 MiB; and of all clients.
    static let storeBytesPerClientMax = 8 << 20
    static let allStoreBytesMax = 64 << 20
    /// Stores one client may have for one member.
    static let storesPerClientMax = 1_000
    /// Bytes of everything that is shielded for all members, so that `shield.list` can answer: 768 KiB.
    static let shieldBytesMax = 768 * 1024
    /// Milliseconds a shield waits for the words of an extension; then the system has its own.
    static let look: Milliseconds = 1_000
    /// Milliseconds the extension has in all: what comes after `look` is told when it comes.
    static let answer: Milliseconds = 10_000
    /// Milliseconds an extension has to say what a button does.
    static let action: Milliseconds = 10_000
    /// How long activity-center has to answer which category something is in.
    static let catalogue: Milliseconds = 1_000
    /// How long it has for one page of its catalogue, and the pause before the next attempt.
    static let listing: Milliseconds = 10_000
    static let listingPause: Milliseconds = 10_000
    /// Apps and domains of one `shield.judge`.
    static let judgedMax = 500
    /// Programs one answer of `shield.judge` lists.
    static let programsMax = 1_000
    /// Looks kept in memory.
    static let screensKept = 500
    /// Bytes of all freezes together, so that `shield.frozen` can answer: 768 KiB.
    static let freezeBytesMax = 768 * 1024
    /// Processes one freeze may name.
    static let processesPerFreezeMax = 4_096
}
