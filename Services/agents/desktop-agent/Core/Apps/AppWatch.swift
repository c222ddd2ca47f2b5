import Loop

/// Reads and reports the installed apps, again after each change.
@LoopActor final class AppWatch {
    private let resolver: AppResolver
    private let reporter: AppReporter
    private let onChange: @LoopActor () -> Void
    private var monitor: AppMonitor?
    private var tokens: [Reactor.Token] = []

    init(_ resolver: AppResolver, _ reporter: AppReporter, onChange: @escaping @LoopActor () -> Void) {
        self.resolver = resolver
        self.reporter = reporter
        self.onChange = onChange
    }

    /// Starts watching before reading, so that no change is missed.
    func start() {
        let monitor = AppMonitor()
        self.monitor = monitor
        tokens = monitor.fileDescriptors.map { descriptor in
            Reactor.shared.watch(descriptor: descriptor) { [weak self] in self?.drain() }
        }
        resolver.reload()
        reporter.set(resolver.entries)
    }

    func close() {
        tokens.forEach(Reactor.shared.forget)
        tokens = []
        reporter.close()
    }

    private func drain() {
        guard let monitor, monitor.drain() else { return }
        resolver.reload()
        reporter.set(resolver.entries)
        onChange()
    }
}
