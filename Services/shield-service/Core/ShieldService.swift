package import Contract
package import Hosting
package import Loop
package import ServiceKit
package import Store

/// The owner of managed-settings stores, of what is shielded, and of what agents froze.
@LoopActor package final class ShieldService: ServiceProgram {
    package nonisolated static let name = ServiceName.shield
    package static let migrations = Schema.migrations
    package static let records = HostedPrograms.records
    package static let copyTables = ["app_category"]
    package let service: Service
    let repository: ShieldRepository
    let catalogue: CatalogueCopy
    let screens: ShieldScreens
    let exceptions: Exceptions

    package convenience init(_ service: Service) throws { try self.init(service, runner: nil) }

    /// - Parameter runner: nil for processes of this machine.
    package init(_ service: Service, runner: (any ProgramRunner)?) throws {
        self.service = service
        repository = try ShieldRepository(service)
        catalogue = try CatalogueCopy(service)
        screens = try ShieldScreens(service, repository, catalogue, runner)
        exceptions = try Exceptions(service, repository)
        repository.category = { [unowned catalogue] in catalogue.apps.category(of: $0) }
        catalogue.onChange = { [unowned self] in try noteCoverage($0, $1) }
    }

    package func registerMethods() {
        answerSettings()
        answerShields()
        answerJudge()
        answerPredictions()
        answerFreezes()
        answerScreens()
        answerExceptions()
        answerEnforcement()
    }

    package func follow() throws {
        try service.transact(trace: nil) {
            // In an older version a request for authorization could make these inactive.
            let limits = repository.state.stores.filter { $0.key.client == BuiltInClient.limits }
            try activate(limits, true, $0)
            try repository.settleAll($0)
        }
        exceptions.start()
        try service.followHousehold(
            changed: { [unowned self] in try apply($0.authorization, revoked: $0.revoked, $1) },
            removed: { [unowned self] in try forget(member: $0.id, $1) },
            rebuilt: { [unowned self] in try endUnauthorized($0, $1) },
            also: { [exceptions] following in
                following.on(RequestDecided.self) { try exceptions.apply($0.data.request, $1) }
            })
        try catalogue.follow(
            also: { [clock = exceptions.clock] in clock.follow($0) },
            reset: { [clock = exceptions.clock] in try clock.reset($0) })
        try screens.follow()
    }

    package var unfinished: [String] { screens.unfinished }

    /// What the undone turn ended is in effect again.
    package func turnWasUndone() { exceptions.retry() }

    package func stop() {
        screens.stop()
        exceptions.close()
    }

    // MARK: authorizations

    /// If restrictions are switched off, the client's stores become inactive. If the approval is revoked,
    /// they are deleted.
    ///
    /// An app whose request is open or denied has no approval: what it wrote before that is inactive. What it
    /// wrote since then is based on an approval that auth-service confirmed and whose event has not arrived.
    private func apply(_ authorization: Authorization, revoked: Bool, _ transaction: Transaction) throws {
        transaction.afterCommit { [screens] in screens.forget(authorization) }
        let own = repository.state.stores.filter {
            $0.key.client == authorization.client && $0.key.member == authorization.member
        }
        // The person's own limits need no approval.
        guard authorization.client != BuiltInClient.limits else { return }
        guard !revoked else { return try clear(own, transaction) }
        guard authorization.access else {
            let at = max(authorization.requested, authorization.decided ?? 0)
            return try activate(own.filter { $0.value.store.created < at }, false, transaction)
        }
        try activate(own, authorization.restrictions, transaction)
    }

    /// Deletes stores whose approval or member ended unread, and makes those inactive that have no approval
    /// in a restored auth-service. The latter stay, because the person did not revoke the approval.
    private func endUnauthorized(_ rebuild: Rebuild, _ transaction: Transaction) throws {
        let ended = repository.state.stores.filter { key, stored in
            service.household.ended(
                client: key.client, member: key.member, made: stored.store.created, by: rebuild)
        }
        try clear(ended, transaction)
        for member in Set(exceptions.inEffect.map(\.member)).sorted()
        where service.household.ended(client: nil, member: member, made: 0, by: rebuild) {
            try exceptions.end(member: member, transaction)
        }
        let silent = repository.state.stores.filter { key, _ in
            let known = service.household.authorization(client: key.client, member: key.member)
            return key.client != BuiltInClient.limits && known?.access != true
        }
        try activate(silent, false, transaction)
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
        try repository.commit(changed, now: service.clock.now, isRefusable: false, transaction)
    }

    func forget(member: String, _ transaction: Transaction) throws {
        let own = repository.state.stores.filter { $0.key.member == member }
        try clear(own, transaction)
        try exceptions.end(member: member, transaction)
    }

    private func clear(_ stores: [StoreKey: StoredStore], _ transaction: Transaction) throws {
        try repository.commit(
            stores.mapValues { _ in nil }, now: service.clock.now, isRefusable: false, transaction)
    }
}
