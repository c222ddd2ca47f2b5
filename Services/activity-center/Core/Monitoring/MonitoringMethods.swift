import Bus
import Contract
import ServiceKit

/// `monitoring.start`, `monitoring.stop`, `monitoring.list`, and what the end of an authorization does.
extension Monitor {
    func start(
        _ params: MonitoringStart.Params, _ context: RequestContext, _ transaction: Transaction
    ) throws -> MonitoringStart.Result {
        try ActivityCheck(zone: zone, now_ms: service.clock.nowMs).check(params.activities)
        return try reloadingOnError {
            let started = try params.activities.map {
                try register($0, as: name($0.name, params.member, context), transaction)
            }
            try settle(started, transaction)
            return MonitoringStart.Result(
                activities: started.map(\.monitored), sequence: try transaction.head())
        }
    }

    func stop(
        _ params: MonitoringStop.Params, _ context: RequestContext, _ transaction: Transaction
    ) throws -> MonitoringStop.Result {
        let names = params.names ?? []
        let own = name("", params.member, context)
        return try reloadingOnError {
            let stopped = try activities().values.filter {
                $0.name.client == own.client && $0.name.member == own.member
                    && (names.isEmpty || names.contains($0.name.name))
            }.sorted { $0.name < $1.name }
            for activity in stopped { try remove(activity, silently: false, transaction) }
            try rearm()
            return MonitoringStop.Result(stopped: stopped.map(\.name.name), sequence: try transaction.head())
        }
    }

    func list(_ params: MonitoringList.Params, _ context: RequestContext) throws -> MonitoringList.Result {
        let found = try activities().values.filter {
            (context.client == nil || $0.name.client == context.client)
                && (params.member == nil || $0.name.member == params.member)
        }
        return MonitoringList.Result(activities: found.sorted { $0.name < $1.name }.map(\.monitored))
    }

    /// An authorization that does not hold any more stops its client's activities, silently (design 5).
    func take(_ authorization: Authorization, _ transaction: Transaction) throws {
        guard authorization.status != .approved || !authorization.access else { return }
        try removeSilently(transaction) {
            $0.client == authorization.client && $0.member == authorization.member
        }
    }

    func forget(member: String, _ transaction: Transaction) throws {
        try removeSilently(transaction) { $0.member == member }
    }

    private func removeSilently(
        _ transaction: Transaction, _ isMeant: (Activity.Name) -> Bool
    ) throws {
        try reloadingOnError {
            for activity in try activities().values where isMeant(activity.name) {
                try remove(activity, silently: true, transaction)
            }
            try rearm()
        }
    }

    /// When `body` throws, the write is undone, and memory must not know more than the store.
    private func reloadingOnError<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch {
            reload()
            throw error
        }
    }

    private func name(_ name: String, _ member: String?, _ context: RequestContext) -> Activity.Name {
        Activity.Name(
            client: context.client ?? Self.personsClient, member: service.member(member), name: name)
    }
}
