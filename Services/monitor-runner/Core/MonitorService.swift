package import Bus
package import Contract
package import ServiceKit
internal import Store

/// The owner of monitor extensions and of the state of every callback on its way to them.
@BusActor package final class MonitorService {
    let service: Service
    let table: DeliveryTable
    let files: ExtensionFiles
    /// One for each installed extension, by its id.
    var couriers: [String: Courier] = [:]

    /// Opens the store; see `start`.
    package init(_ configuration: Configuration, clock: (any WallClock)? = nil) throws(ServiceError) {
        service = try Service(
            .monitor, configuration: configuration, migrations: Schema.migrations, clock: clock)
        table = DeliveryTable(database: service.database)
        files = try ExtensionFiles(configuration)
        do { try loadExtensions() } catch { throw ServiceError(anything: error) }
    }

    /// Makes the couriers fit the stored extensions.
    private func loadExtensions() throws {
        var gone = Set(couriers.keys)
        for body in try service.database.query("SELECT body FROM extension", row: { $0.bytes(0) }) {
            let program = try ExtensionRecord.decode(body)
            gone.remove(program.id)
            let courier = couriers[program.id] ?? Courier(program, service, files)
            courier.program = program
            couriers[program.id] = courier
        }
        for id in gone { couriers.removeValue(forKey: id)?.retire("its installation was not kept") }
    }

    /// Answers and follows until the process is asked to stop. The handlers keep this object alive.
    package func start() throws(ServiceError) {
        service.onRollback.append { [self] in
            try loadExtensions()
            couriers.values.forEach { $0.rolledBack() }
        }
        service.onStop.append { [self] in couriers.values.forEach { $0.retire("monitor-runner stops") } }
        service.unfinished.append { [self] in couriers.values.compactMap(\.unfinished).sorted() }
        service.snapshot = { [self] in try snapshot($0) }
        service.forgetPlan = forgetPlan
        try service.start(
            answering: { _ in
                answerExtensions()
                answerDeliveries()
            },
            following: { service in
                installLimits()
                try service.follow(.activity) { following in
                    take(IntervalDidStart.self, following)
                    take(IntervalDidEnd.self, following)
                    take(EventDidReachThreshold.self, following)
                    take(IntervalWillStartWarning.self, following)
                    take(IntervalWillEndWarning.self, following)
                    take(EventWillReachThresholdWarning.self, following)
                }
                couriers.values.forEach { $0.recover() }
            })
    }

    // MARK: what activity-center tells

    private func take<E: ActivityEvent>(_ type: E.Type, _ following: Following) {
        following.on(type) { [self] event, transaction in
            try take(event.data.about, E.callback, event.head, transaction)
        }
    }

    private func take(
        _ about: ActivityCallback, _ callback: CallbackName, _ head: EventHead, _ transaction: Transaction
    ) throws {
        let receivers = couriers.values.filter { $0.program.client == about.client }
            .sorted { $0.program.id < $1.program.id }
        var stored = StoredDelivery(
            delivery: Delivery(
                callback: callback.rawValue, about: about, state: .waiting, receivedMs: service.clock.nowMs),
            traceparent: transaction.trace.traceparent)
        for courier in receivers {
            stored.delivery.program = courier.program.id
            let isNew = try table.insert(stored, source: head.source, sequence: head.sequence.value) != nil
            if isNew { transaction.afterCommit { courier.pump() } }
        }
        if receivers.isEmpty { try failForWantOfExtension(stored, head, transaction) }
    }

    private func failForWantOfExtension(
        _ waiting: StoredDelivery, _ head: EventHead, _ transaction: Transaction
    ) throws {
        var stored = waiting
        stored.delivery.state = .failed
        stored.delivery.error = "no extension installed"
        stored.delivery.finishedMs = stored.delivery.receivedMs
        let inserted = try table.insert(stored, source: head.source, sequence: head.sequence.value)
        guard let delivery = inserted?.delivery else { return }
        try transaction.emit(CallbackFailed(delivery: delivery))
        service.log.warnOnce(
            "no-extension.\(delivery.about.client)", "a client has activities but no monitor extension",
            [("client", .text(delivery.about.client))])
    }

    // MARK: deliveries

    private func answerDeliveries() {
        service.read(DeliveryList.self) { [self] params, _ in
            let limit = min(max(1, params.limit ?? 100), 1_000)
            return DeliveryList.Result(deliveries: try table.newest(activity: params.activity, limit: limit))
        }
    }

    /// Callbacks are history: the snapshot is what is kept of it. A page's token is the last id.
    private func snapshot(_ page: String?) throws -> SnapshotPage {
        let limit: Int64 = 100
        let deliveries = try table.finished(after: page.flatMap { Int64($0) } ?? 0, limit: limit)
        let events = deliveries.map { delivery in
            delivery.state == .delivered
                ? service.snapshotEvent(CallbackDelivered(delivery: delivery))
                : service.snapshotEvent(CallbackFailed(delivery: delivery))
        }
        let last = Int64(deliveries.count) == limit ? deliveries.last.map { String($0.id) } : nil
        return SnapshotPage(events: events, nextPage: last)
    }
}
