package import Bus
package import Contract
package import ServiceKit
internal import Store

/// The owner of managed-settings stores, of what is shielded, and of what agents froze.
@BusActor package final class ShieldService {
    let service: Service
    let book: ShieldBook
    let screens: ShieldScreens

    /// Opens the store; see `start`.
    package init(_ configuration: Configuration, clock: (any WallClock)? = nil) throws(ServiceError) {
        service = try Service(
            .shield, configuration: configuration, migrations: Schema.migrations, clock: clock)
        do {
            book = try ShieldBook(service)
            screens = try ShieldScreens(service, book)
        } catch { throw ServiceError(anything: error) }
    }

    /// Answers and follows until the process is asked to stop. The handlers keep this object alive.
    package func start() throws(ServiceError) {
        service.onRollback.append { [book] in try book.load() }
        service.snapshot = { [self] in try snapshot($0) }
        service.forgetPlan = forgetPlan
        try service.start(
            answering: { _ in
                answerSettings()
                answerShields()
                answerFreezes()
                answerScreens()
            },
            following: { service in
                try service.transact(trace: nil) { try book.settleAll($0) }
                try service.followHousehold(
                    changed: { [self] in try take($0.authorization, revoked: $0.revoked, $1) },
                    removed: { [self] in try forget(member: $0.id, $1) })
                try screens.follow()
            })
    }

    // MARK: what auth-service tells

    /// Restrictions off: the client's stores stay, inactive. Authorization gone: they are cleared.
    private func take(_ authorization: Authorization, revoked: Bool, _ transaction: Transaction) throws {
        transaction.afterCommit { [screens] in screens.forget(authorization) }
        let own = book.state.stores.filter {
            $0.key.client == authorization.client && $0.key.member == authorization.member
        }
        guard authorization.access else {
            // While the person is being asked for the first time there is nothing to take away.
            if revoked || !authorization.pending { try clear(own, transaction) }
            return
        }
        var changed: [StoreKey: StoredStore?] = [:]
        for (key, stored) in own {
            let active = authorization.restrictions && stored.store.inactive != true
            guard stored.store.active != active else { continue }
            var next = stored
            next.store.active = active
            changed[key] = next
        }
        try book.commit(changed, nowMs: service.clock.nowMs, transaction)
    }

    func forget(member: String, _ transaction: Transaction) throws {
        let own = book.state.stores.filter { $0.key.member == member }
        try clear(own, transaction)
    }

    private func clear(_ stores: [StoreKey: StoredStore], _ transaction: Transaction) throws {
        try book.commit(stores.mapValues { _ in nil }, nowMs: service.clock.nowMs, transaction)
    }
}
