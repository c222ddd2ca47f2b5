/// What the main thread of an extension does.
package enum MainThread {
    /// Serves the main run loop, and with it the main queue, on the main thread itself: timers of the program
    /// fire, and `Thread.isMainThread` is true where Apple's is.
    package static func serve() -> Never {
        // A loop without any source returns at once.
        RunLoop.main.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .default)
        while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }
}
