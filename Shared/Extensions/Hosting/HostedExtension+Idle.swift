import Loop

/// How the process of an extension ends when nothing is wrong with it.
extension HostedExtension {
    /// Its process answered, or failed to: it waits for the next request.
    func rest(_ run: ProgramRun) {
        let timer = loop.after(host.service.configuration.extensionIdle) { [weak self] in
            self?.idleTooLong(run)
        }
        state = .idle(run, timer)
    }

    private func idleTooLong(_ run: ProgramRun) {
        guard case .idle(let present, _) = state, present === run else { return }
        release(run)
    }

    /// Ends its process as soon as no request is running; the next request starts the program again.
    package func renew() {
        restart = nil
        switch state {
        case .idle(let run, let timer):
            loop.cancel(timer)
            release(run)
        case .busy(let run, _): run.isStale = true
        case .stopped, .verifying, .clearing, .retired: break
        }
    }

    /// Ends its process normally, and waits until it has exited: ``output`` is then complete. A request that
    /// is still running fails.
    package func finish() async {
        let run: ProgramRun
        switch state {
        case .idle(let idle, let timer):
            loop.cancel(timer)
            run = idle
        case .busy(let busy, let call):
            call.end(.failure(Self.failure(.ended, "it was ended")))
            run = busy
        case .stopped, .verifying, .clearing, .retired: return
        }
        release(run)
        await run.end()
    }

    /// Kills its process; its request fails with the reason.
    package func end(_ reason: String) { run?.process?.destroy(reason) }

    /// Lets its process exit.
    func release(_ run: ProgramRun) {
        state = .stopped
        leaving.append(run)
        listen([], run)
        run.process?.finish()
        host.onChange(record)
        next()
    }

    /// Kills its process and does nothing more.
    package func retire(_ reason: String) {
        let open = [call].compactMap { $0 } + queue
        queue = []
        if case .idle(_, let timer) = state { loop.cancel(timer) }
        let run = run
        state = .retired(run)
        if let run {
            listen([], run)
            run.process?.destroy(reason)
        }
        for call in open { call.end(.failure(Self.failure(.ended, reason))) }
    }
}
