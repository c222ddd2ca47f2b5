/// Every limit of the store, with its unit and its reason.
package enum Limits {
    /// How long a statement waits for a foreign reader, in milliseconds. Short: the service's own thread
    /// waits.
    package static let busy_ms: Int32 = 250
    /// Files up to this many bytes are checked whole (PRAGMA quick_check) when they are opened; larger
    /// ones would delay the start of the service, and are named damaged when a broken page is met.
    package static let quickCheckBytesMax: Int64 = 64 << 20
    /// The write-ahead log is cut back to this many bytes after a checkpoint.
    package static let logBytesMax: Int64 = 16 << 20
    /// SQL texts kept prepared; further ones are prepared on each use.
    package static let statementsMax = 256
}
