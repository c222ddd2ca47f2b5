package import Bus
package import Contract
package import ServiceKit

/// The service activity-center: what is used, and who wants to hear of it.
@BusActor package final class ActivityCenter {
    private let service: Service
    private let usage: UsageLog

    /// Opens the store; nothing is reachable yet.
    package init(_ configuration: Configuration) throws(ServiceError) {
        service = try Service(.activity, configuration: configuration, migrations: Schema.migrations)
        do {
            usage = try UsageLog(service)
        } catch { throw ServiceError(anything: error) }
    }

    /// Opens the doors and says READY.
    package func start() throws(ServiceError) {
        service.onRollback.append { [self] in try reload() }
        service.snapshot = { [self] page in try usage.snapshot(page) }
        do { try usage.life.restart() } catch { throw ServiceError(anything: error) }
        try service.start(
            answering: { service in
                service.write(UsageObserve.self) { [self] params, _, transaction in
                    try usage.observe(params, transaction)
                }
                service.read(UsageRead.self) { [self] params, _ in try usage.read(params) }
            },
            following: { service in try service.followHousehold() })
    }

    private func reload() throws {
        try usage.reload()
        try usage.life.restart()
    }
}
