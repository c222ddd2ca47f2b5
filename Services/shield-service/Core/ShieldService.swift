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
        service.snapshot = { [self] in try snapshot($0) }
        service.forgetPlan = { [self] in forgetPlan }
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
                    removed: { [self] in try forget(member: $0.id, $1) },
                    rebuilt: { [self] in try silenceUnknown($0) })
                try screens.follow()
            })
    }

    // MARK: what auth-service tells

    /// Restrictions off: the client's stores stay, inactive. An approval taken away: they are cleared. No
    /// approval that was taken away but none there, as in an auth-service restored from an older copy: they
    /// stay, inactive, since nobody decided that they go.
    private func take(_ authorization: Authorization, revoked: Bool, _ transaction: Transaction) throws {
        transaction.afterCommit { [screens] in screens.forget(authorization) }
        let own = book.state.stores.filter {
            $0.key.client == authorization.client && $0.key.member == authorization.member
        }
        guard !revoked else { return try clear(own, transaction) }
        let mayRestrict = authorization.access && authorization.restrictions
        try activate(own, mayRestrict, transaction)
    }

    /// Clients that a restored auth-service does not know restrict nothing until they are approved again.
    private func silenceUnknown(_ transaction: Transaction) throws {
        let unknown = book.state.stores.filter { key, _ in
            key.client != BuiltInClient.limits
                && service.household.authorization(client: key.client, member: key.member) == nil
        }
        try activate(unknown, false, transaction)
    }

    private func activate(
        _ stores: [StoreKey: StoredStore], _ mayRestrict: Bool, _ transaction: Transaction
    ) throws {
        var changed: [StoreKey: StoredStore?] = [:]
        for (key, stored) in stores {
            let active = mayRestrict && stored.store.inactive != true
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
