import Units

/// Limits of the process. Exceeding one is refused by name. Those of connections are ``HTTPLimits``, those of
/// sessions ``Sessions/Bounds`` and ``Allowance``.
enum ConsoleLimits {
    /// Connections that wait to be accepted.
    static let backlog: Int32 = 128
    /// Pages that receive live events at a time. A browser opens 6 connections to one address at most.
    static let streamsMax = 32
    /// Events that a page may have missed and still gets one by one; else it reads everything again.
    static let missedMax: Int64 = 1_000
    /// Events that are kept for a page while it gets those that it has missed.
    static let heldMax = 2_000
    /// How often a page that is connected hears something, so that both sides notice that the other is gone.
    static let heartbeat: Milliseconds = 20_000
    /// What a page waits before it connects again.
    static let reconnect: Milliseconds = 1_000
    /// Pause after a service did not tell the end of its log.
    static let pause: Milliseconds = 2_000
    /// Deadline of a request of a page. Reports of ten years take a second.
    static let request: Milliseconds = 20_000
    /// The same while who is asked does not listen: it may be just starting again.
    static let grace: Milliseconds = 1_500
    /// Deadline of a check whether limits act, which takes a minute at most.
    static let check: Milliseconds = 70_000
    /// Commands of apps at a time, how long one may take (some wait for the person's decision), their words,
    /// and bytes of what they print.
    static let runsMax = 16, run: Milliseconds = 120_000, argumentsMax = 64, outputBytesMax = 4 << 20
    /// Deadline of a report extension's scene.
    static let scene: Milliseconds = 30_000
    /// Bytes of one file of the pages, and of all that are kept in memory.
    static let fileBytesMax = 2 << 20, filesBytesMax = 16 << 20
    /// Style sheets that are joined; all have at most ``fileBytesMax`` bytes together.
    static let importsMax = 32
    /// Bytes of a log that are shown: about 1,000 lines.
    static let logBytesMax = 256 << 10
    /// Bytes of an app's icon.
    static let iconBytesMax = 512 << 10
    /// Bytes of a path component, and components of a path.
    static let nameBytesMax = 128, depthMax = 6
}
