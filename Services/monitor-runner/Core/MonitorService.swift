package import Contract
package import Hosting
package import Loop
package import ServiceKit
package import Store

/// Owns the installed extensions and the state of every callback delivery, and hosts monitor extensions.
@LoopActor package final class MonitorService: ServiceProgram {
    package nonisolated static let name = ServiceName.monitor
    package static let migrations = Schema.migrations
    package static let records = Schema.records
    package let service: Service
    let table: DeliveryTable
    let host: ExtensionHosting
    /// One dispatcher per installed monitor extension, by id.
    var dispatchers: [String: CallbackDispatcher] = [:]
    /// Extensions of other extension points, by id, with the state that their hosts report.
    var hostedElsewhere: [String: ExtensionRecord] = [:]
    /// Recently replaced copies, by number.
    var replaced: [Int: String] = [:]
    var replacements = 0
    /// Number of running installations: their copies belong to no extension yet.
    var installs = 0
    /// Ids of the extensions that were reported without a program to run.
    var lostCopies: Set<String> = []

    package convenience init(_ service: Service) throws { try self.init(service, runner: nil) }

    /// - Parameter runner: nil for processes of this machine.
    package init(_ service: Service, runner: (any ProgramRunner)?) throws {
        self.service = service
        table = DeliveryTable(database: service.database)
        host = try ExtensionHosting(service, runner)
        try loadExtensions()
    }

    /// The extensions in the store, including uncommitted writes.
    func storedExtensions() throws -> [ExtensionRecord] {
        let bodies = try service.database.query("SELECT body FROM extension", row: { $0.bytes(0) })
        return try bodies.map { try ExtensionRecord.stored($0, in: "extension") }
    }

    private func loadExtensions() throws {
        for program in try storedExtensions() { place(program) }
    }

    func place(_ program: ExtensionRecord) {
        if program.point == .monitor {
            hostedElsewhere[program.id] = nil
            let dispatcher =
                dispatchers[program.id]
                ?? CallbackDispatcher(program, host) { [weak self] in self?.reportMissing() }
            dispatcher.program = program
            dispatchers[program.id] = dispatcher
        } else {
            dispatchers[program.id] = nil
            hostedElsewhere[program.id] = program
        }
    }

    /// Adds an installed extension; an existing one with the same id continues with the new program.
    func place(_ program: ExtensionRecord, _ transaction: Transaction) {
        let id = program.id
        let (dispatcher, former, other) = (dispatchers[id], dispatchers[id]?.program, hostedElsewhere[id])
        transaction.onUndo { [self] in
            if let new = dispatchers[id], new !== dispatcher {
                new.retire("its installation was not committed")
            }
            dispatchers[id] = dispatcher
            if let former { dispatcher?.program = former }
            hostedElsewhere[id] = other
        }
        place(program)
        guard let dispatcher, dispatchers[id] == nil else { return }
        transaction.afterCommit { [self] in
            dispatcher.retire("it is no longer a monitor extension")
            reportMissing()
        }
    }

    package func registerMethods() {
        answerExtensions()
        answerDeliveries()
    }

    package func follow() throws {
        host.onOverBudget = { [weak self] event, _ in self?.publish(event) }
        try service.transact(trace: nil) { _ in try table.recordOlderKeys() }
        finishRemovals()
        installBuiltIn()
        // It acts on approvals and keeps no copy of them: who may act for whom it asks auth-service.
        try service.follow(.auth) { following in
            following.on(AuthorizationChanged.self) { [unowned self] event, transaction in
                try apply(event.data, transaction)
            }
        }
        try service.follow(
            .activity, consequence: "callbacks for schedules and thresholds are not delivered"
        ) { apply(callbacks: $0) }
        dispatchers.values.forEach { $0.recover() }
        reportLostCopies()
        reportUnfinishedRestore()
        adoptBundles()
        sweepBundles()
    }

    package func recordsWereSetAside() {
        for dispatcher in dispatchers.values {
            dispatcher.readMissing()
            dispatcher.pump()
        }
    }

    package func turnWasUndone() { dispatchers.values.forEach { $0.rolledBack() } }

    package var unfinished: [String] { dispatchers.values.compactMap(\.unfinished).sorted() }

    package func stop() { dispatchers.values.forEach { $0.retire("monitor-runner stops") } }

    // MARK: events of activity-center

    private func apply(callbacks following: Following) {
        func deliver<E: ActivityEvent>(_ type: E.Type) {
            following.on(type) { [unowned self] event, transaction in
                try apply(event.data.about, E.callback, transaction)
            }
        }
        for type in Self.callbackEvents { deliver(type) }
    }

    /// The events that become callbacks.
    private static let callbackEvents: [any ActivityEvent.Type] = [
        IntervalDidStart.self, IntervalDidEnd.self, EventDidReachThreshold.self,
        IntervalWillStartWarning.self, IntervalWillEndWarning.self, EventWillReachThresholdWarning.self,
    ]

    func apply(_ about: ActivityCallback, _ callback: CallbackName, _ transaction: Transaction) throws {
        let receivers = dispatchers.values.filter { $0.program.client == about.client }
            .sorted { $0.program.id < $1.program.id }
        var stored = StoredDelivery(
            delivery: Delivery(
                callback: callback.rawValue, about: about, state: .waiting, received: service.clock.now),
            traceparent: transaction.trace.traceparent)
        for dispatcher in receivers {
            stored.delivery.program = dispatcher.program.id
            let isNew = try table.insert(stored) != nil
            if isNew { transaction.afterCommit { dispatcher.pump() } }
        }
        if receivers.isEmpty { try failForWantOfExtension(stored, transaction) }
    }

    /// Nothing is expected of an app whose approval was revoked. What it registers later counts again: by the
    /// time of registration and, because clocks can be set back, in any case after a new approval.
    func apply(_ change: AuthorizationChanged, _ transaction: Transaction) throws {
        guard change.revoked else {
            if change.authorization.status == .approved { try table.allow(change.authorization) }
            return
        }
        try table.revoke(change.authorization)
        for dispatcher in dispatchers.values where dispatcher.program.client == change.authorization.client {
            for missing in try table.missing(of: dispatcher.program.id)
            where try table.isRevoked(missing) { try table.forgetMissing(missing.id) }
            transaction.afterCommit {
                dispatcher.readMissing()
                dispatcher.pump()
            }
        }
    }

    private func failForWantOfExtension(
        _ waiting: StoredDelivery, _ transaction: Transaction
    ) throws {
        var stored = waiting
        stored.delivery.state = .failed
        stored.delivery.error = "no extension installed"
        stored.delivery.finished = stored.delivery.received
        guard let delivery = try table.insert(stored)?.delivery else { return }
        try transaction.emit(CallbackFailed(delivery: delivery))
        service.log.warnOnce(
            "no-extension.\(delivery.about.client)", "a client has activities but no monitor extension",
            [("client", .text(delivery.about.client))])
    }

    /// Reports callbacks that were not delivered, up to a limit.
    func reportMissing() {
        let all = dispatchers.sorted { $0.key < $1.key }.flatMap(\.value.missing)
        let max = MonitorLimits.missingListedMax
        var said = Array(all.prefix(max))
        if all.count > max {
            said.append("\(all.count - max) more were not delivered: see `screentime delivery list`")
        }
        for index in 0...max {
            let number = String(100 + index).dropFirst()
            service.setNotActing("callback.\(number)", index < said.count ? said[index] : nil)
        }
    }

    // MARK: deliveries

    private func answerDeliveries() {
        service.read(DeliveryList.self) { [self] params, _ in
            let limit = min(max(1, params.limit ?? 100), 1_000)
            let (page, isMore) = try table.newest(
                activity: params.activity, before: params.before, limit: limit)
            return DeliveryList.Result(deliveries: page, previous: isMore ? page.first?.id : nil)
        }
        service.write(DeliverySkip.self) { [self] params, _, transaction in
            guard let dispatcher = dispatchers[params.program] else {
                guard let other = hostedElsewhere[params.program] else { throw unknown(params.program) }
                throw ServiceError(
                    .invalidArgument, "'\(other.id)' is not a monitor extension: it has no callbacks to skip",
                    remedy: "Its requests time out by themselves.")
            }
            let skipped = dispatcher.skippable
            if let skipped { transaction.afterCommit { dispatcher.skip(skipped.id) } }
            return DeliverySkip.Result(delivery: skipped, sequence: try transaction.head())
        }
    }

    private func publish(_ event: ExtensionOverBudget) {
        service.log.warning(
            "an extension exceeded its budget",
            [
                ("extension", .text(event.id)), ("what", .text(event.what.rawValue)),
                ("limit", .number(event.limit)), ("measured", .number(event.measured)),
                ("callback", .text(event.callback)),
            ])
        do throws(ServiceError) {
            try service.transact(trace: nil) { _ = try $0.emit(event) }
        } catch {
            service.log.error("publishing it failed", [("error", .name(of: error))])
        }
    }

    /// A page of installed extensions, then of stored deliveries, as many as fit into an answer. A page token
    /// is the last extension's id, which contains a dot, or the last delivery's id.
    package func snapshot(_ page: String?) throws -> SnapshotPage {
        var result = SnapshotPage()
        let after = page.flatMap { Int64($0) }
        for program in after == nil ? records : [] where page.map({ program.id > $0 }) ?? true {
            let event = service.snapshotEvent(ExtensionInstalled(program: program))
            guard result.add([event]) else { return result }
            result.nextPage = program.id
        }
        let limit: Int64 = 100
        let deliveries = try table.finished(after: after ?? 0, limit: limit)
        for delivery in deliveries {
            let event =
                delivery.state == .delivered
                ? service.snapshotEvent(CallbackDelivered(delivery: delivery))
                : service.snapshotEvent(CallbackFailed(delivery: delivery))
            guard result.add([event]) else { return result }
            result.nextPage = String(delivery.id)
        }
        if deliveries.count < limit { result.nextPage = nil }
        return result
    }
}
