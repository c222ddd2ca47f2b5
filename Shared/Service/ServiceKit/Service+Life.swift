internal import Bus
internal import Contract
internal import Loop

/// A service's start and stop.
extension Service {
    /// Opens the sockets and starts the followers. Returns when all is set up.
    func start(
        answering methods: @LoopActor (Service) -> Void, following follow: @LoopActor (Service) throws -> Void
    ) throws(ServiceError) {
        do {
            let publisher = try EventPublisher(name, in: transport) { [weak self] in
                self?.syncHead ?? SyncHead()
            }
            let server = try RequestServer(name, in: transport, tracer: tracer)
            self.publisher = publisher
            self.server = server
            server.onRefusal = { [weak self] reason, detail in self?.refused(reason, detail) }
            publisher.onRefusal = { [weak self] reason, detail in self?.refused(reason, detail) }
            publisher.onTraceListening = { [weak self] listens in self?.streamSpans(listens) }
            answerCommonMethods()
            reportSidecar()
            reportUnreadable()
            methods(self)
            turnHook = loop.atEndOfTurn { [weak self] in self?.endTurn() }
            openClockEndpoint(server)
            try follow(self)
            try rememberFirstStart()
            try commitStart()
        } catch {
            throw ServiceError(anything: error)
        }
        health.becameReady()
        keepForDays()
        checkStoreDaily()
        log.info("ready", [("head", .number(head)), ("epoch", .text(eventLog.epoch))])
    }

    /// The writes of a start must be committed, or the service does not start: nothing would repeat them.
    private func commitStart() throws(ServiceError) {
        var failure: ServiceError?
        hold { failure = $0 }
        endTurn()
        if let failure { throw failure }
    }

    private func openClockEndpoint(_ server: RequestServer) {
        let directory = configuration.stateDirectory
        let endpoint = ClockEndpoint(
            clock as? SystemClock, on: loop, stateDirectory: directory
        ) { [weak self] in
            self?.clockState() ?? ClockState()
        }
        endpoint.open(server)
        clockEndpoint = endpoint
    }

    private func streamSpans(_ listens: Bool) {
        guard listens else {
            tracer.listener = nil
            return
        }
        tracer.listener = { [weak self] span in
            // A lost span only leaves a gap in a live trace; trace.read has it.
            try? self?.publisher?.publish(topic: Topic.trace, span.encoded())
        }
    }

    /// Stops: commits and publishes what was received, closes the sockets, and makes the loop return.
    package func stop() {
        guard !stopping else { return }
        close()
        loop.stop()
    }

    /// As ``stop()``, for a process that continues.
    package func close() {
        guard !stopping else { return }
        stopping = true
        log.info("stopping")
        onStop.forEach { $0() }
        dropSnapshot()
        followers.values.forEach { $0.storeCursor() }
        endTurn()
        followers.values.forEach { $0.close() }
        clients.values.forEach { $0.close() }
        server?.close()
        publisher?.close()
        closeStore()
        platform.end()
        log.info("stopped", [("head", .number(head))])
        releaseReferences()
    }

    /// Releases everything that holds a reference to the service or to its files.
    private func releaseReferences() {
        if let turnHook { loop.forget(turnHook) }
        turnHook = nil
        followers = [:]
        clients = [:]
        server = nil
        publisher = nil
        clockEndpoint = nil
        waiting.close()
        program = nil
        snapshot = nil
        forgetPlan = nil
        (beforeCommit, onRollback, onStop, unfinished) = ([], [], [], [])
        // What the closed store could not undo any more; these steps hold the program, and it holds this.
        undos.removeAll()
        failedUndos = []
    }
}
