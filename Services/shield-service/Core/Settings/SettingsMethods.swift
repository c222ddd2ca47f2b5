import Bus
import Contract
import Loop
import Rules
import ServiceKit

extension ShieldService {
    func answerSettings() {
        service.write(SettingsWrite.self) { [self] params, context, transaction in
            do {
                return try write(params, context, transaction)
            } catch let refusal as ServiceError where refusal.isOfTheRequest {
                reject(params, context, refusal)
                throw refusal
            }
        }
        service.read(SettingsRead.self) { [self] params, context in
            let key = key(params.store, params.member, context)
            return SettingsRead.Result(store: repository.state.stores[key]?.store ?? fresh(key))
        }
        service.read(SettingsList.self) { [self] params, context in
            let stores = repository.state.stores.filter { key, _ in
                (context.client == nil || context.client == key.client)
                    && (params.member == nil || params.member == key.member)
            }
            return SettingsList.Result(stores: stores.sorted { $0.key < $1.key }.map(\.value.store))
        }
        service.write(SettingsDelete.self) { [self] params, context, transaction in
            try delete(params, context, transaction)
        }
        service.read(SettingsEffective.self) { [self] params, context in
            let member = service.member(params.member)
            let stores = repository.state.stores.filter { $0.key.member == member }.sorted { $0.key < $1.key }
            return SettingsEffective.Result(
                settings: EffectiveSettings.merge(stores.map(\.value.store), for: context.client))
        }
    }

    private func key(_ store: String, _ member: String?, _ context: RequestContext) -> StoreKey {
        StoreKey(client: context.client ?? BuiltInClient.limits, member: service.member(member), name: store)
    }

    /// The empty store, before its first write.
    private func fresh(_ key: StoreKey) -> SettingsStore {
        SettingsStore(
            client: key.client, member: key.member, store: key.name, created: 0,
            active: service.restrictions(key.client, key.member), settings: [])
    }

    private func write(
        _ params: SettingsWrite.Params, _ context: RequestContext, _ transaction: Transaction
    ) throws -> Written {
        try check(params)
        let key = key(params.store, params.member, context)
        let now = service.clock.now
        var before = repository.state.stores[key] ?? StoredStore(fresh(key))
        try before.store.check(expected: params.expected ?? [])
        if before.store.created == 0 { before.store.created = now }
        var after = try before.changed(
            params.settings.map(\.normalised), clearAll: params.clearAll ?? false, now: now)
        if let active = params.active {
            after.store.inactive = active ? nil : true
            after.store.active = active && service.restrictions(key.client, key.member)
        }
        if after == before { return try transaction.written() }
        if repository.state.stores[key] == nil { try checkCount(key) }
        let bytes = after.store.weight
        // Making it smaller is always allowed, because an older version had larger limits.
        guard bytes <= ShieldLimits.storeBytesMax || bytes < before.store.weight else {
            throw ServiceError(
                .limitExceeded,
                "the store would take more than \(ShieldLimits.storeBytesMax) bytes (storeBytesMax)",
                remedy: "Use several stores, or categories instead of single names.")
        }
        try repository.checkRoom(for: after)
        let isNothingAdded = params.active != true && params.settings.allSatisfy { $0.value == .null }
        let takesAway = params.active == false || isNothingAdded
        let isRefusable = !takesAway || key == AlwaysAllowed.store(of: key.member)
        try repository.commit([key: after], now: now, isRefusable: isRefusable, transaction)
        return try transaction.written()
    }

    private func delete(
        _ params: SettingsDelete.Params, _ context: RequestContext, _ transaction: Transaction
    ) throws -> SettingsDelete.Result {
        let keys = Set(params.stores.map { key($0, params.member, context) })
        var gone: [StoreKey: StoredStore?] = [:]
        for key in keys where repository.state.stores[key] != nil { gone.updateValue(nil, forKey: key) }
        let isRefusable = gone.keys.contains { $0 == AlwaysAllowed.store(of: $0.member) }
        try repository.commit(gone, now: service.clock.now, isRefusable: isRefusable, transaction)
        return SettingsDelete.Result(
            deleted: gone.keys.map(\.name).sorted(), sequence: try transaction.head())
    }

    private func check(_ params: SettingsWrite.Params) throws {
        try VisibleText.checkName(params.store, "the store's name")
        var seen: Set<String> = []
        for setting in params.settings {
            try setting.check()
            if let most = service.configuration.appleLimits.tokensMax {
                try setting.checkCount(most: most)
            }
            guard seen.insert(setting.key).inserted else {
                throw ServiceError(
                    .invalidParams, "the setting '\(setting.key)' is given twice",
                    remedy: "Write each setting once.")
            }
        }
    }

    private func checkCount(_ key: StoreKey) throws {
        let count = repository.state.stores.keys.count { $0.client == key.client && $0.member == key.member }
        let apples = service.configuration.appleLimits.storesMax
        let most = apples ?? Int64(ShieldLimits.storesPerClientMax)
        guard count < most else {
            let limit = apples == nil ? "storesPerClientMax" : "storesMax"
            throw ServiceError(
                .limitExceeded, "the client has \(count) stores; \(limit) is \(most)",
                remedy: "Use existing stores.")
        }
    }

    /// Publishes a refusal in a separate turn, because the refused request's writes and events are undone.
    private func reject(_ params: SettingsWrite.Params, _ context: RequestContext, _ refusal: ServiceError) {
        let client = context.client ?? BuiltInClient.limits
        service.log.warning(
            "refused a write to a store",
            [
                ("client", .text(client)), ("error", .text(refusal.name.rawValue)),
                ("reason", .text(refusal.message)),
            ])
        let store = VisibleText.shortened(VisibleText.escaped(params.store), bytesMax: Limits.nameBytesMax)
        let event = SettingsRejected(
            client: client, store: store, error: refusal.name.rawValue,
            reason: VisibleText.shortened(refusal.message))
        Task { @LoopActor in
            do throws(ServiceError) {
                try service.transact(trace: context.trace) { _ = try $0.emit(event) }
            } catch {
                service.log.error(
                    "publishing a refused write failed", [("error", .name(of: error))])
            }
        }
    }
}

extension Service {
    /// Whether the client may restrict; true as long as the person has not decided.
    func restrictions(_ client: String, _ member: String) -> Bool {
        guard client != BuiltInClient.limits else { return true }
        return household.authorization(client: client, member: member)?.restrictions ?? true
    }
}

extension ServiceError {
    /// Whether the request itself is wrong, and not the disk full or another writer faster.
    fileprivate var isOfTheRequest: Bool { name != .storageFull && name != .conflict }
}

extension SettingsStore {
    /// - Throws: `conflict` if a setting differs from what the writer has read.
    fileprivate func check(expected: [Setting]) throws(ServiceError) {
        for one in expected.map(\.normalised) {
            let present = settings.first { $0.key == one.key }?.normalised.value ?? .null
            guard present != one.value else { continue }
            throw ServiceError(
                .conflict, "the setting '\(one.key)' was changed by another writer meanwhile",
                remedy: "Read the store again and repeat the change.")
        }
    }
}
