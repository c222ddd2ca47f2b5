package import Bus
package import Contract
package import ServiceKit

/// The service report-service: who used what for how long.
@BusActor package final class ReportService {
    private let service: Service
    private let copy: UsageCopy
    private let reporter: Reporter
    private let notice: ChangeNotice

    /// Opens the store; nothing is reachable yet.
    package init(_ configuration: Configuration, clock: (any WallClock)? = nil) throws(ServiceError) {
        service = try Service(
            .report, configuration: configuration, migrations: Schema.migrations, clock: clock)
        copy = UsageCopy(service.database)
        reporter = Reporter(copy)
        notice = ChangeNotice(service)
    }

    /// Opens the doors and says READY. The handlers keep this object alive.
    package func start() throws(ServiceError) {
        // `report.changed` says that something changed, and whoever begins anew reads all of it
        // anyway: there is no present state to tell, and the log may be trimmed.
        service.snapshot = { _ in SnapshotPage(events: [], nextPage: nil) }
        try service.start(
            answering: { service in
                service.read(ReportQuery.self) { [self] params, _ in
                    try reporter.answer(
                        params, member: service.member(params.member), now_ms: service.clock.nowMs)
                }
            },
            following: { service in
                try service.followHousehold()
                try service.follow(.activity) { following in
                    following.on(UsageRecorded.self) { [self] in try take($0.data, $1) }
                    following.on(CatalogChanged.self) { [self] in try take($0.data, $1) }
                    following.reset = { [self] in try forget($0) }
                }
            })
    }

    private func take(_ event: UsageRecorded, _ transaction: Transaction) throws {
        notice.note(event.member, from: try copy.take(event), transaction.trace)
    }

    /// Reports show the present categories, of any time.
    private func take(_ event: CatalogChanged, _ transaction: Transaction) throws {
        guard try copy.take(event) else { return }
        for member in try copy.members() { notice.note(member, from: 0, transaction.trace) }
    }

    /// What activity-center still has comes again.
    private func forget(_ transaction: Transaction) throws {
        let members = try copy.members()
        try copy.clear()
        for member in members { notice.note(member, from: 0, transaction.trace) }
    }
}
