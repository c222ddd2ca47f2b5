package import Contract
package import Loop
package import ServiceKit

/// The service activity-center: records use, and delivers callbacks of monitored activities.
@LoopActor package final class ActivityCenter {
    let service: Service
    private let usage: UsageLog
    private let monitor: Monitor
    let catalog: CatalogHandler
    private let clockGuard: ClockGuard
    private var zoneWatch: ZoneWatch?
    private let forgetting: ActivityForgetting

    /// Opens the store; opens no sockets.
    package init(_ configuration: Configuration) throws(ServiceError) {
        service = try Service(.activity, configuration: configuration, migrations: Schema.migrations)
        do {
            clockGuard = try ClockGuard(service)
            usage = try UsageLog(service, clockGuard)
            catalog = CatalogHandler(usage)
            monitor = Monitor(service, usage)
            forgetting = ActivityForgetting(service, usage, monitor)
        } catch { throw ServiceError(anything: error) }
    }

    /// Opens the sockets and prints READY.
    package func start() throws(ServiceError) {
        service.forgetPlan = { [forgetting] in forgetting.plan }
        service.snapshot = { [self] page in try usage.snapshot(page) }
        usage.onChange = { [weak self] in try self?.monitor.apply($0, $1) }
        catalog.onChange = { [weak self] in try self?.monitor.recount($0) }
        do { try usage.life.restart() } catch { throw ServiceError(anything: error) }
        try service.start(
            answering: { [self] in answer($0) },
            following: { [self] service in
                try service.transact(trace: nil) { transaction in
                    try SpellingMigration(log: usage).run(transaction)
                    try usage.life.endSilent(transaction)
                }
                try service.followHousehold(
                    changed: { [self] in try monitor.apply($0, $1) },
                    member: { [self] in try monitor.apply($0, $1) },
                    removed: { [self] in try monitor.forget(member: $0.id, $1) })
            })
        monitor.poll()
        catalog.sweep()
        watchZone()
    }

    private func watchZone() {
        let watch = ZoneWatch { [weak self] in self?.moveMachine() }
        zoneWatch = watch
        service.onStop.append { watch.stop() }
        do throws(ServiceError) { try watch.start() } catch {
            service.setDegraded("zone", "\(error.message) (\(error.remedy))")
        }
    }

    /// The machine moved to another time zone, and so did all members without their own.
    private func moveMachine() {
        service.log.info("the machine's time zone changed")
        do {
            try service.transact(trace: nil) { transaction in
                for member in service.household.everyone where member.zone == nil {
                    try monitor.apply(member, transaction)
                }
            }
        } catch {
            service.log.error(
                "applying the new time zone failed; a restart applies it", [("error", .text("\(error)"))])
        }
    }

    private func answer(_ service: Service) {
        service.write(UsageObserve.self) { [self] params, _, transaction in
            try usage.observe(params, transaction)
        }
        service.read(UsageRead.self) { [self] params, _ in try usage.read(params) }
        service.read(UsageExport.self) { [self] params, _ in try usage.export(params) }
        service.read(TimeStatus.self) { [self] _, _ in clockGuard.status() }
        service.write(TimeConfirm.self) { [self] _, _, transaction in try clockGuard.confirm(transaction) }
        service.write(
            MonitoringStart.self, check: { [self] params throws(ServiceError) in try monitor.check(params) }
        ) { [self] in try monitor.start($0, $1, $2) }
        service.write(MonitoringStop.self) { [self] in try monitor.stop($0, $1, $2) }
        service.read(MonitoringList.self) { [self] in try monitor.list($0, $1) }
        service.read(MonitoringPending.self) { [self] in try monitor.pending($0, $1) }
        service.read(MonitoringRecount.self) { [self] params, _ in try monitor.recount(params) }
        answerCatalog(service)
    }

    private func answerCatalog(_ service: Service) {
        service.write(CatalogObserve.self) { [self] params, _, transaction in
            usage.willChange(transaction)
            return try catalog.observe(params, transaction)
        }
        service.write(CatalogSet.self) { [self] params, _, transaction in
            usage.willChange(transaction)
            return try catalog.set(params, transaction)
        }
        service.write(CatalogImport.self) { [self] params, _, transaction in
            usage.willChange(transaction)
            return try catalog.importEntries(params, transaction)
        }
        service.write(CatalogRemove.self) { [self] params, _, transaction in
            usage.willChange(transaction)
            return try catalog.remove(params, transaction)
        }
        service.read(CatalogResolve.self) { [self] params, _ in try catalog.resolve(params) }
        service.read(CatalogList.self) { [self] params, _ in try catalog.list(params) }
        service.read(CatalogLists.self) { [self] _, _ in catalog.lists() }
        service.read(CatalogRead.self) { [self] params, _ in try catalog.read(params) }
    }
}
