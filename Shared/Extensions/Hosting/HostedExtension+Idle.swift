import Loop

/// How the process of an extension ends when nothing is wrong with it.
extension HostedExtension {
    func restWhenIdle() {
        guard process != nil, current == nil, idleTimer == nil, !retired else { return }
        idleTimer = host.service.loop.after(host.service.configuration.extensionIdle) {
            [weak self] in
            guard let self, current == nil, queue.isEmpty else { return }
            releaseProgram()
        }
    }

    /// Ends its process as soon as no request is running; the next request starts the program again.
    package func renew() {
        restart = nil
        guard current == nil else {
            isStale = true
            return
        }
        isStale = false
        releaseProgram()
    }

    /// Ends its process normally, and waits until it has exited: ``output`` is then complete.
    package func finish() async {
        guard process != nil else { return }
        await withCheckedContinuation { continuation in
            ends.append { continuation.resume() }
            releaseProgram()
        }
    }

    /// Kills its process; its request fails with the reason.
    package func end(_ reason: String) { process?.destroy(reason) }

    func releaseProgram() {
        if let idleTimer { host.service.loop.cancel(idleTimer) }
        idleTimer = nil
        guard let process else { return }
        leaving = process
        self.process = nil
        process.finish()
        host.onChange(record)
    }

    /// Kills its process and does nothing more.
    package func retire(_ reason: String) {
        retired = true
        cancelTimers()
        if let idleTimer { host.service.loop.cancel(idleTimer) }
        let open = [current].compactMap { $0 } + queue
        current = nil
        queue = []
        process?.destroy(reason)
        listen([])
        for work in open { work.completion?(.failure(Self.failure(.ended, reason))) }
    }

    func cancelTimers() {
        for timer in current?.timers ?? [] { host.service.loop.cancel(timer) }
    }
}
