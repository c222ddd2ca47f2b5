/// Every limit of the store, with its unit and its reason.
package enum StoreLimits {
    /// Milliseconds that a statement waits for another process. Short, because the service's thread blocks.
    package static let busy_ms: Int32 = 250
    /// Stores up to this many bytes are compared with their sidecar when opened. Larger ones would delay the
    /// start, and are checked daily.
    package static let openingCheckBytesMax: Int64 = 64 << 20
    /// Frames in the write-ahead log that trigger a checkpoint; SQLite's default.
    package static let checkpointFrames = 1000
    /// Size in bytes to which the write-ahead log is truncated after a checkpoint.
    package static let logBytesMax: Int64 = 16 << 20
    /// Number of cached prepared statements; others are prepared on each use.
    package static let statementsMax = 256
}
