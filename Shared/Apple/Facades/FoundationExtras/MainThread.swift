/// Runs the main thread of an extension.
package enum MainThread {
    /// Runs the main run loop, and with it the main queue, on the main thread: timers of the program fire and
    /// `Thread.isMainThread` is true where Apple's is.
    package static func serve() -> Never {
        // A run loop without a source returns immediately.
        RunLoop.main.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .default)
        while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }
}
