package import Bus
package import Contract
internal import ExtensionLink
package import ServiceKit

/// What all extension programs of one service share: their files, what confines them, and the way to the bus.
@BusActor package final class ExtensionHosting {
    package let service: Service
    package let files: HostFiles
    /// nil: `extension-launcher` is not installed, and nothing can be started; the reason is in `trouble`.
    package private(set) var confinement: Confinement?
    package private(set) var trouble: ServiceError?
    let relay: Relay
    /// Between tokens and subjects.
    package let translator: TokenTranslator
    let describer: TokenDescriber
    let events: ProgramEvents
    /// A program was ended because of its budget. The owner publishes it; other services tell the owner.
    package var onOverBudget: @BusActor (ExtensionOverBudget, ExtensionRecord) -> Void = { _, _ in }
    /// How a program does has changed: it began, ended, or was measured.
    package var onChange: @BusActor (ExtensionRecord) -> Void = { _ in }

    /// Finds out what confinement works here; a fraction of a second.
    package init(_ service: Service) throws(ServiceError) {
        self.service = service
        files = try HostFiles(service.configuration, host: service.name)
        let way: @BusActor (ServiceName) throws(ServiceError) -> RequestClient = {
            [service] (name) throws(ServiceError) in try service.client(name)
        }
        relay = Relay(tracer: service.tracer, client: way)
        let translator = TokenTranslator(client: way)
        let events = ProgramEvents(
            in: service.configuration.runtime, client: way,
            authorizationChanged: { translator.drop($0.authorization) })
        translator.willAsk = { events.followGrants() }
        self.translator = translator
        self.events = events
        describer = TokenDescriber(translator, client: way)
        do throws(ServiceError) {
            confinement = try Confinement.probe(service.configuration.bubblewrap)
        } catch {
            trouble = error
        }
        if service.name != .monitor {
            onOverBudget = { [weak self] in self?.tell($1, $0) }
            onChange = { [weak self] in self?.tell($0, nil) }
        }
        sayConfinement()
    }

    /// Whether a program may be started with what confines it on this machine.
    /// - Throws: `unavailable` or `accessDenied`, with what to do.
    package func check(_ program: ExtensionRecord) throws(ServiceError) {
        if let trouble { throw trouble }
        if !service.configuration.testPrograms { try confinement?.check(program) }
    }

    private func sayConfinement() {
        if let trouble {
            service.log.error("extensions cannot be started", [("reason", .text(trouble.message))])
            service.setDegraded("extensions", "\(trouble.message). \(trouble.remedy)")
        }
        for missing in confinement?.missing ?? [] {
            service.log.warning(
                "extensions are less confined than they could be", [("missing", .text(missing))])
        }
    }

    /// Tells monitor-runner; figures that do not arrive are told with the next ones.
    private func tell(_ state: ExtensionRecord, _ overBudget: ExtensionOverBudget?) {
        do throws(ServiceError) {
            try service.client(.monitor).sendRaw(
                method: ExtensionNote.name,
                params: ExtensionNote.Params(state: state, overBudget: overBudget).encoded(), isWrite: true,
                traceparent: TraceContext.root().traceparent, options: CallOptions()
            ) { [log = service.log] result in
                guard case .failure(let error) = result else { return }
                log.warnOnce(
                    "note.\(error.name.rawValue)", "how an extension does could not be told",
                    [("error", .text(error.name.rawValue))])
            }
        } catch {
            service.log.warnOnce("note", "how an extension does could not be told")
        }
    }
}
