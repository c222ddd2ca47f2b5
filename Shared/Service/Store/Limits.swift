/// Every limit of the store, with its unit and its reason.
package enum Limits {
    /// How long a statement waits for a foreign reader, in milliseconds. Short: the service's own thread
    /// waits.
    package static let busy_ms: Int32 = 250
    /// Files up to this many bytes are compared with their sidecar when they are opened; larger ones would
    /// delay the start of the service, and wait for the daily check.
    package static let openingCheckBytesMax: Int64 = 64 << 20
    /// Frames in the write-ahead log that begin a checkpoint; SQLite's own default.
    package static let checkpointFrames = 1000
    /// The write-ahead log is cut back to this many bytes after a checkpoint.
    package static let logBytesMax: Int64 = 16 << 20
    /// SQL texts kept prepared; further ones are prepared on each use.
    package static let statementsMax = 256
}
