import Bus
import Contract
import Engine
import ServiceKit

extension ShieldService {
    func answerSettings() {
        service.write(SettingsWrite.self) { [self] params, context, transaction in
            do {
                return try write(params, context, transaction)
            } catch let refusal as ServiceError where refusal.name != .storageFull {
                reject(params, context, refusal)
                throw refusal
            }
        }
        service.read(SettingsRead.self) { [self] params, context in
            let key = key(params.store, params.member, context)
            return SettingsRead.Result(store: book.state.stores[key]?.store ?? fresh(key))
        }
        service.read(SettingsList.self) { [self] params, context in
            let stores = book.state.stores.filter { key, _ in
                (context.client == nil || context.client == key.client)
                    && (params.member == nil || params.member == key.member)
            }
            return SettingsList.Result(stores: stores.sorted { $0.key < $1.key }.map(\.value.store))
        }
    }

    private func key(_ store: String, _ member: String?, _ context: RequestContext) -> StoreKey {
        StoreKey(client: context.client ?? BuiltInClient.limits, member: service.member(member), name: store)
    }

    /// The store as it is before its first write.
    private func fresh(_ key: StoreKey) -> SettingsStore {
        let authorization = service.household.authorization(client: key.client, member: key.member)
        return SettingsStore(
            client: key.client, member: key.member, store: key.name, createdMs: 0,
            active: authorization?.restrictions ?? true, settings: [])
    }

    private func write(
        _ params: SettingsWrite.Params, _ context: RequestContext, _ transaction: Transaction
    ) throws -> Written {
        try check(params)
        let key = key(params.store, params.member, context)
        let nowMs = service.clock.nowMs
        var before = book.state.stores[key]
        if before == nil {
            try checkCount(key)
            var store = fresh(key)
            store.createdMs = nowMs
            before = StoredStore(store)
        }
        let clearAll = params.clearAll ?? false
        // `check` above let no setting pass that the rules cannot read; the error is turned for the type's
        // sake.
        guard let after = try before?.changed(params.settings, clearAll: clearAll, nowMs: nowMs) else {
            return try transaction.written()
        }
        let bytes = after.store.encoded().count
        guard bytes <= ShieldLimits.storeBytesMax else {
            throw ServiceError(
                .limitExceeded,
                "the store would take \(bytes) bytes; storeBytesMax is \(ShieldLimits.storeBytesMax)",
                remedy: "Use several stores, or categories instead of single names.")
        }
        if after != book.state.stores[key] { try book.commit([key: after], nowMs: nowMs, transaction) }
        return try transaction.written()
    }

    private func check(_ params: SettingsWrite.Params) throws {
        guard !params.store.isEmpty, params.store.utf8.count <= Limits.nameBytesMax else {
            throw ServiceError(
                .invalidParams, "the store's name has \(params.store.utf8.count) bytes",
                remedy: "Use 1 to \(Limits.nameBytesMax) bytes; 'default' is the unnamed store.")
        }
        var seen: Set<String> = []
        for setting in params.settings {
            try setting.check()
            guard seen.insert(setting.key).inserted else {
                throw ServiceError(
                    .invalidParams, "the setting '\(setting.key)' comes twice",
                    remedy: "Write each setting once.")
            }
        }
    }

    private func checkCount(_ key: StoreKey) throws {
        let count = book.state.stores.keys.count { $0.client == key.client && $0.member == key.member }
        guard count < ShieldLimits.storesPerClientMax else {
            throw ServiceError(
                .limitExceeded,
                "the client has \(count) stores; storesPerClientMax is \(ShieldLimits.storesPerClientMax)",
                remedy: "Use the stores that are there.")
        }
    }

    /// Tells of a refusal in a turn of its own: what the refused request wrote is undone, with its events.
    private func reject(_ params: SettingsWrite.Params, _ context: RequestContext, _ refusal: ServiceError) {
        let client = context.client ?? BuiltInClient.limits
        service.log.warning(
            "refused a write to a store",
            [
                ("client", .text(client)), ("error", .text(refusal.name.rawValue)),
                ("reason", .text(refusal.message)),
            ])
        let store = String(params.store.prefix(Limits.nameBytesMax))
        let event = SettingsRejected(client: client, store: store, reason: refusal.message)
        Task { @BusActor in
            do throws(ServiceError) {
                try service.transact(trace: context.trace) { _ = try $0.emit(event) }
            } catch {
                service.log.error(
                    "telling of a refused write failed", [("error", .text(error.name.rawValue))])
            }
        }
    }
}
