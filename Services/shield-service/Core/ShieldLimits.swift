/// Every limit of this service. Going over one is an error that names it, never silence.
enum ShieldLimits {
    /// Bytes of one store as JSON, so that its event stays a legal message: 512 KiB.
    static let storeBytesMax = 512 * 1024
    /// Stores one client may have for one member.
    static let storesPerClientMax = 1_000
    /// Bytes of everything that is shielded for all members, so that `shield.list` can answer: 768 KiB.
    static let shieldBytesMax = 768 * 1024
    /// Processes one freeze may name.
    static let processesPerFreezeMax = 4_096
}
