import Bus
package import Contract
internal import ExtensionLink
package import Loop
package import ServiceKit

/// State shared by all extension programs of one service: their files, their confinement, and their
/// connection to the bus.
@LoopActor package final class ExtensionHosting {
    /// The service that hosts the programs.
    package let service: Service
    /// Their files.
    package let files: HostFiles
    /// The copies of installed bundles.
    package let bundles: BundleStore
    /// Runs them.
    package let runner: any ProgramRunner
    let relay: Relay
    /// Translates between tokens and subjects.
    package let translator: TokenTranslator
    let describer: TokenDescriber
    let events: ProgramEvents
    private var isSweeping = false
    private var sweepsAgain = false
    private var isSweepingBundles = false
    /// Called when a program was killed because of its budget. monitor-runner publishes it; other services
    /// report it to monitor-runner.
    package var onOverBudget: @LoopActor (ExtensionOverBudget, ExtensionRecord) -> Void = { _, _ in }
    /// Called when the state of a program changed: it started, ended, or was measured.
    package var onChange: @LoopActor (ExtensionRecord) -> Void = { _ in }

    /// - Parameter runner: nil for processes of this machine.
    package init(_ service: Service, _ runner: (any ProgramRunner)? = nil) throws(ServiceError) {
        self.service = service
        files = try HostFiles(service.configuration, host: service.name)
        bundles = try BundleStore(service.configuration)
        self.runner = runner ?? ProcessRunner(service, files, bundles)
        let way: @LoopActor (ServiceName) throws(ServiceError) -> RequestClient = {
            [service] (name) throws(ServiceError) in try service.client(name)
        }
        relay = Relay(tracer: service.tracer, client: way)
        let translator = TokenTranslator(client: way)
        let events = ProgramEvents(
            in: service.transport, client: way,
            authorizationChanged: { translator.drop($0.authorization) },
            grantsUnknown: { translator.dropAll() })
        translator.willAsk = { [weak events] in events?.followGrants() }
        self.translator = translator
        self.events = events
        describer = TokenDescriber(translator, client: way)
        if service.name != .monitor {
            onOverBudget = { [weak self] in self?.tell($1, $0) }
            onChange = { [weak self] in self?.tell($0, nil) }
        }
        sayConfinement()
        try clearLeftovers()
    }

    private func sayConfinement() {
        if let trouble = runner.trouble {
            service.log.error("extensions cannot be started", [("reason", .text(trouble.message))])
            service.setNotActing(
                "extensions", "no extension can be started: \(trouble.message) (\(trouble.remedy))")
        }
        for missing in runner.confinement?.missing ?? [] {
            service.log.warning(
                "extensions are less confined than they could be", [("missing", .text(missing))])
        }
    }

    // MARK: files of programs

    /// Deletes copies of bundles, repeatedly while processes run from some of them.
    /// - Parameter kept: the paths of those to keep; nil while something is being installed, which calls this
    ///   again.
    package func sweepBundles(keeping kept: @escaping @LoopActor () throws(ServiceError) -> Set<String>?) {
        warning("a copy of a bundle could not be deleted") { [self, bundles] () throws(ServiceError) in
            guard let paths = try kept() else { return }
            let isDone = try bundles.setAside(allBut: paths)
            try await service.loop.inBackground { () throws(ServiceError) in try bundles.empty() }
            guard !isDone, !isSweepingBundles else { return }
            isSweepingBundles = true
            service.loop.after(HostingLimits.sweep) { [weak self] in
                self?.isSweepingBundles = false
                self?.sweepBundles(keeping: kept)
            }
        }
    }

    /// Removes what a previous run of this service left; its programs died with it.
    private func clearLeftovers() throws(ServiceError) {
        let names = try files.leftoverTemporaries()
        if !names.isEmpty {
            warning("temporary files could not be removed") { [self] () throws(ServiceError) in
                try await service.loop.inBackground { [files] () throws(ServiceError) in
                    try files.remove(temporaries: names)
                }
            }
        }
        if service.name == .monitor { sweep() }
    }

    /// What cannot be removed stays, and is logged; the next start tries again.
    private func warning(
        _ message: StaticString, _ body: @escaping @LoopActor () async throws(ServiceError) -> Void
    ) {
        Task { [log = service.log] in
            do throws(ServiceError) { try await body() } catch {
                log.warning(message, [("reason", .text(error.message))])
            }
        }
    }

    /// Removes the files of a removed extension, as soon as no process uses them.
    package func remove(_ id: String) throws(ServiceError) {
        try files.remove(id)
        sweep()
    }

    /// Deletes removed containers, repeatedly while processes use some of them.
    private func sweep() {
        guard !isSweeping else {
            sweepsAgain = true
            return
        }
        isSweeping = true
        warning("a removed container could not be deleted") { [self, files] () throws(ServiceError) in
            defer { isSweeping = false }
            let isDone = try await service.loop.inBackground { () throws(ServiceError) in try files.sweep() }
            guard !isDone || sweepsAgain else { return }
            sweepsAgain = false
            service.loop.after(HostingLimits.sweep) { [weak self] in self?.sweep() }
        }
    }

    /// Reports to monitor-runner; figures that do not arrive are sent with the next report.
    private func tell(_ state: ExtensionRecord, _ overBudget: ExtensionOverBudget?) {
        do throws(ServiceError) {
            try service.client(.monitor).sendRaw(
                method: ExtensionNote.name,
                params: ExtensionNote.Params(state: state, overBudget: overBudget).encoded(), isWrite: true,
                traceparent: TraceContext.root().traceparent, options: CallOptions()
            ) { [log = service.log] result in
                guard case .failure(let error) = result else { return }
                log.warnOnce(
                    "note.\(error.name.rawValue)", "reporting an extension's state failed",
                    [("error", .name(of: error))])
            }
        } catch {
            service.log.warnOnce("note", "reporting an extension's state failed")
        }
    }
}
