package import Contract
package import Loop
package import ServiceKit
package import Store
import ZoneWatch

/// The service activity-center: records use, and delivers callbacks of monitored activities.
@LoopActor package final class ActivityCenter: ServiceProgram {
    package nonisolated static let name = ServiceName.activity
    package static let migrations = Schema.migrations
    package let service: Service
    let usage: UsageLog
    private let monitor: Monitor
    let catalog: CatalogHandler
    private let clockGuard: ClockGuard
    private var zoneWatch: ZoneWatch?
    private let forgetting: ActivityForgetting

    package init(_ service: Service) throws {
        self.service = service
        clockGuard = try ClockGuard(service)
        usage = try UsageLog(service, clockGuard)
        catalog = CatalogHandler(usage)
        monitor = Monitor(service, usage)
        forgetting = ActivityForgetting(service, usage, monitor)
        usage.onChange = { [unowned self] in try monitor.apply($0, $1) }
        catalog.onChange = { [unowned self] in try monitor.recount($0) }
        try usage.life.restart()
    }

    package func follow() throws {
        try service.transact(trace: nil) { transaction in
            try SpellingMigration(log: usage).run(transaction)
            try usage.life.endSilent(transaction)
        }
        try service.followHousehold(
            changed: { [unowned self] in try monitor.apply($0, $1) },
            member: { [unowned self] in try monitor.apply($0, $1) },
            removed: { [unowned self] in try monitor.forget(member: $0.id, $1) },
            rebuilt: { [unowned self] in try monitor.endUnauthorized($0, $1) })
    }

    package func ready() {
        monitor.poll()
        catalog.sweep()
        zoneWatch = service.watchZone { [unowned self] members, transaction in
            for member in members { try monitor.apply(member, transaction) }
        }
    }

    package func snapshot(_ page: String?) throws -> SnapshotPage { try usage.snapshot(page) }

    package var forgetPlan: ForgetPlan { forgetting.plan }

    package func stop() { zoneWatch?.stop() }

    package func registerMethods() {
        service.write(UsageObserve.self) { [unowned self] params, context, transaction in
            var result = try usage.observe(params, transaction)
            if context.client == nil { result.untilNextCallback = try monitor.untilNextCallback }
            return result
        }
        service.read(UsageRead.self) { [unowned self] params, _ in try usage.read(params) }
        service.read(UsageExport.self) { [unowned self] params, _ in try usage.export(params) }
        service.read(TimeStatus.self) { [unowned self] _, _ in clockGuard.status() }
        service.write(TimeConfirm.self) { [unowned self] _, _, transaction in
            try clockGuard.confirm(transaction)
        }
        service.write(
            MonitoringStart.self,
            check: { [unowned self] params throws(ServiceError) in try monitor.check(params) }
        ) { [unowned self] in try monitor.start($0, $1, $2) }
        service.write(MonitoringStop.self) { [unowned self] in try monitor.stop($0, $1, $2) }
        service.read(MonitoringList.self) { [unowned self] in try monitor.list($0, $1) }
        service.read(MonitoringPending.self) { [unowned self] in try monitor.pending($0, $1) }
        service.read(MonitoringRecount.self) { [unowned self] params, _ in try monitor.recount(params) }
        answerCatalog()
    }

    private func answerCatalog() {
        service.write(CatalogObserve.self) { [unowned self] params, _, transaction in
            usage.willChange(transaction)
            return try catalog.observe(params, transaction)
        }
        service.write(CatalogSet.self) { [unowned self] params, _, transaction in
            usage.willChange(transaction)
            return try catalog.set(params, transaction)
        }
        service.write(CatalogImport.self) { [unowned self] params, _, transaction in
            usage.willChange(transaction)
            return try catalog.importEntries(params, transaction)
        }
        service.write(CatalogRemove.self) { [unowned self] params, _, transaction in
            usage.willChange(transaction)
            return try catalog.remove(params, transaction)
        }
        service.read(CatalogResolve.self) { [unowned self] params, _ in try catalog.resolve(params) }
        service.read(CatalogList.self) { [unowned self] params, _ in try catalog.list(params) }
        service.read(CatalogLists.self) { [unowned self] _, _ in catalog.lists() }
        service.read(CatalogRead.self) { [unowned self] params, _ in try catalog.read(params) }
    }
}
