import Contract
import JSON
import Loop
import Rules
import ServiceKit
internal import Store
import Units

/// The state of this service and its rows. Every change goes through `commit`, which writes and publishes it.
@LoopActor final class ShieldRepository {
    private(set) var state: ShieldState
    private(set) var freezes: [FreezeKey: Freeze] = [:]
    /// Called when stores of a client changed.
    var onChange: @LoopActor (_ client: String) -> Void = { _ in }
    /// Returns the category of an app.
    var category: @LoopActor (_ app: String) -> String? = { _ in nil }
    private let service: Service
    /// Bytes of the stores, in total and by client.
    private var storeBytes = StoreBytes()

    init(_ service: Service) throws {
        self.service = service
        state = try ShieldState()
        try load()
    }

    private func load() throws {
        let stores = try service.database.query("SELECT body FROM store") { $0.bytes(0) }
        let shields = try service.database.query("SELECT body FROM shield") { $0.bytes(0) }
        let exceptions = try service.database.query("SELECT body FROM exception") { $0.bytes(0) }
        state = try ShieldState(
            stores: stores.map { try StoredStore.stored($0, in: "store") },
            shields: shields.map { try EffectiveShield.stored($0, in: "shield") },
            exceptions: exceptions.map { try StoredException.stored($0, in: "exception") })
        for store in state.stores.values { storeBytes.put(store.weight, store.key) }
        for body in try service.database.query("SELECT body FROM freeze", row: { $0.bytes(0) }) {
            let freeze = try Freeze.stored(body, in: "freeze")
            freezes[freeze.key] = freeze
        }
    }

    /// The part of the state that a client may see; nil sees all.
    func seen(by client: String?) -> ShieldState { state.seen(by: client, category: category) }

    /// These exceptions open nothing any more, although their end is not stored yet.
    func lapse(_ ids: Set<String>) { state.lapsed = ids }

    // MARK: stores

    /// Applies the changes in `changed` (nil deletes a store) and recomputes the shields of the members
    /// concerned.
    /// - Parameters:
    ///   - now: the instant of the change, for the stores and everything that follows.
    ///   - isRefusable: false for changes from auth-service and for removed restrictions, which must not fail
    ///     because other shields need more room.
    /// - Throws: `limitExceeded` if there is no room for the shields.
    func commit(
        _ changed: [StoreKey: StoredStore?], now: Instant, isRefusable: Bool = true,
        _ transaction: Transaction
    ) throws {
        guard !changed.isEmpty else { return }
        var next = state
        for (key, store) in changed {
            if let store { try next.set(store) } else { next.remove(key) }
        }
        let members = Set(changed.keys.map(\.member)).sorted()
        let consequences = members.flatMap { next.settle($0, now: now, category: category) }
        let clients = Set(changed.keys.map(\.client))
        if isRefusable { try checkRoom(for: next, writtenBy: clients, now: now) }
        for (key, store) in changed.sorted(by: { $0.key < $1.key }) { try write(key, store, transaction) }
        for change in consequences { try write(change, transaction) }
        for member in members { try noteAllowed(member, next, transaction) }
        var bytes = storeBytes
        for (key, store) in changed { bytes.put(store?.weight ?? 0, key) }
        become(next, bytes, transaction)
        transaction.afterCommit { [weak self] in clients.forEach { self?.onChange($0) } }
    }

    /// What is always allowed changes judgements of apps and hosts also where the list of shields stays.
    private func noteAllowed(_ member: String, _ next: ShieldState, _ transaction: Transaction) throws {
        let (before, after) = (state.allowed(for: member), next.allowed(for: member))
        guard before != after else { return }
        for kind in [SubjectKind.app, .domain] {
            try transaction.emit(ShieldCoverageChanged(member: member, kind: kind))
        }
    }

    /// Making a client's stores smaller is always allowed, because an older version had larger limits.
    /// - Throws: `limitExceeded`
    func checkRoom(for store: StoredStore) throws(ServiceError) {
        let grown = store.weight - storeBytes.of(store.key)
        guard grown > 0 else { return }
        let own = storeBytes.of(client: store.key.client) + grown
        if own > ShieldLimits.storeBytesPerClientMax {
            throw Self.noRoom(
                "the client's stores", "storeBytesPerClientMax", ShieldLimits.storeBytesPerClientMax)
        }
        let all = storeBytes.all + grown
        if all > ShieldLimits.allStoreBytesMax {
            throw Self.noRoom("all stores", "allStoreBytesMax", ShieldLimits.allStoreBytesMax)
        }
    }

    private static func noRoom(_ what: String, _ limit: String, _ most: Int) -> ServiceError {
        ServiceError(
            .limitExceeded, "\(what) would take more than \(most) bytes (\(limit))",
            remedy: "Delete stores that are not used, or name categories instead of single apps.")
    }

    /// Recomputes all shields from the stored state, in case the rules are newer than the stored shields.
    func settleAll(_ transaction: Transaction) throws {
        var next = state
        let changes = next.members.sorted().flatMap {
            next.settle($0, now: service.clock.now, category: category)
        }
        for change in changes { try write(change, transaction) }
        become(next, storeBytes, transaction)
    }

    // MARK: exceptions

    /// Stores the exceptions in `changed` (nil deletes one) and recomputes the shields of their members. It
    /// is never refused: whoever writes a store has room for the shields without exceptions.
    /// - Parameter now: the instant from which shields apply again.
    func commit(
        exceptions changed: [String: StoredException?], now: Instant, _ transaction: Transaction
    ) throws {
        var next = state
        var members: Set<String> = []
        for (id, stored) in changed.sorted(by: { $0.key < $1.key }) {
            if let member = (stored ?? state.exceptions[id])?.exception.member { members.insert(member) }
            if let stored { next.set(stored) } else { next.removeException(id) }
            try write(id, stored, transaction)
        }
        try settle(members, of: next, now: now, transaction)
    }

    /// Recomputes the shields of one member, because categories of apps changed.
    func settle(_ member: String, _ transaction: Transaction) throws {
        try settle([member], of: state, now: service.clock.now, transaction)
    }

    private func settle(
        _ members: Set<String>, of state: ShieldState, now: Instant, _ transaction: Transaction
    ) throws {
        var next = state
        for member in members.sorted() {
            let changes = next.settle(member, now: now, category: category)
            for change in changes { try write(change, transaction) }
        }
        become(next, storeBytes, transaction)
    }

    private func write(_ id: String, _ stored: StoredException?, _ transaction: Transaction) throws {
        if let stored {
            try transaction.database.run(
                "INSERT OR REPLACE INTO exception (id, body) VALUES (?1, ?2)", id, stored.encoded())
        } else {
            try transaction.database.run("DELETE FROM exception WHERE id = ?1", id)
        }
    }

    private func become(_ next: ShieldState, _ bytes: StoreBytes, _ transaction: Transaction) {
        let before = (state, storeBytes)
        (state, storeBytes) = (next, bytes)
        transaction.onUndo { [weak self] in
            guard let self else { return }
            (state, storeBytes) = before
        }
    }

    /// Includes the shields of clients whose restrictions are off, because switching them on again cannot be
    /// refused. A client without an approval is not counted: it must be approved again first.
    private func checkRoom(
        for next: ShieldState, writtenBy clients: Set<String>, now: Instant
    ) throws(ServiceError) {
        func all(_ state: ShieldState) -> ShieldState? {
            state.withAllRestricting(now: now) { [service] in
                service.household.authorization(client: $0.client, member: $0.member)?.access == true
            }
        }
        let isForPerson = clients == [BuiltInClient.limits]
        func check(
            _ after: ShieldState, _ before: () -> ShieldState, _ which: String
        ) throws(ServiceError) {
            for part in clients.sorted().flatMap(ShieldShare.parts) {
                let bytes = part.bytes(in: after)
                // An older version had larger limits.
                guard bytes > part.bytesMax, bytes > part.bytes(in: before()) else { continue }
                throw part.refusal(after, which: which, isForPerson: isForPerson)
            }
        }
        func before() -> ShieldState { state.withoutExceptions(now: now) }
        let after = next.withoutExceptions(now: now)
        try check(after, before, "")
        guard let others = all(after) else { return }
        try check(others, { all(before()) ?? before() }, ", with those that are switched off,")
    }

    /// The key may be spelled otherwise than the stored one, which stays (``Swift/Dictionary/stored(_:)``).
    private func write(_ key: StoreKey, _ store: StoredStore?, _ transaction: Transaction) throws {
        let key = state.stores.stored(key)
        if let store {
            try transaction.database.run(
                "INSERT OR REPLACE INTO store (client, member, name, body) VALUES (?1, ?2, ?3, ?4)",
                key.client, key.member, key.name, store.encoded())
            try transaction.emit(SettingsChanged(store: store.store), subject: key.name)
        } else if var gone = state.stores[key]?.store {
            try transaction.database.run(
                "DELETE FROM store WHERE client = ?1 AND member = ?2 AND name = ?3",
                key.client, key.member, key.name)
            gone.settings = []
            try transaction.emit(SettingsChanged(store: gone), subject: key.name)
        }
    }

    private func write(_ change: ShieldChange, _ transaction: Transaction) throws {
        switch change {
        case .applied(let shield):
            try transaction.database.run(
                "INSERT OR REPLACE INTO shield (member, kind, subject, body) VALUES (?1, ?2, ?3, ?4)",
                shield.member, shield.kind.rawValue, shield.subject, shield.encoded())
            try transaction.emit(ShieldApplied(shield: shield), subject: shield.kind.rawValue)
        case .lifted(let key):
            try transaction.database.run(
                "DELETE FROM shield WHERE member = ?1 AND kind = ?2 AND subject = ?3",
                key.member, key.kind.rawValue, key.subject)
            try transaction.emit(
                ShieldLifted(member: key.member, kind: key.kind, subject: key.subject),
                subject: key.kind.rawValue)
        }
    }

    // MARK: freezes

    func record(_ freeze: Freeze, _ transaction: Transaction) throws {
        var freeze = freeze
        let key = freezes.stored(freeze.key)
        (freeze.agent, freeze.app) = (key.agent, key.app)
        try checkRoom(for: freeze)
        if freeze.processes.isEmpty {
            try transaction.database.run(
                "DELETE FROM freeze WHERE agent = ?1 AND app = ?2", freeze.agent, freeze.app)
        } else {
            try transaction.database.run(
                "INSERT OR REPLACE INTO freeze (agent, app, body) VALUES (?1, ?2, ?3)",
                freeze.agent, freeze.app, freeze.encoded())
        }
        try transaction.emit(ShieldFrozeProcesses(freeze: freeze))
        let before = freezes[key]
        transaction.onUndo { [weak self] in self?.freezes[key] = before }
        freezes[key] = freeze.processes.isEmpty ? nil : freeze
    }

    private func checkRoom(for freeze: Freeze) throws(ServiceError) {
        var others = freezes
        let before = others.removeValue(forKey: freeze.key)?.encoded().count ?? 0
        let own = freeze.encoded().count
        guard own > before else { return }
        let bytes = others.values.reduce(own) { $0 + $1.encoded().count + 1 }
        guard bytes > ShieldLimits.freezeBytesMax else { return }
        throw ServiceError(
            .limitExceeded,
            "all freezes would take \(bytes) bytes; freezeBytesMax is \(ShieldLimits.freezeBytesMax)",
            remedy: "Thaw some apps first.")
    }
}

/// Bytes of the stores; names of subjects count by ``Record/weight``.
private struct StoreBytes {
    private var stores: [StoreKey: Int] = [:]
    private var clients: [String: Int] = [:]
    private(set) var all = 0

    func of(_ key: StoreKey) -> Int { stores[key] ?? 0 }
    func of(client: String) -> Int { clients[client] ?? 0 }

    /// - Parameter bytes: 0 if the store no longer exists.
    mutating func put(_ bytes: Int, _ key: StoreKey) {
        let grown = bytes - of(key)
        stores[key] = bytes == 0 ? nil : bytes
        let own = of(client: key.client) + grown
        clients[key.client] = own == 0 ? nil : own
        all += grown
    }
}

/// Identifies a freeze.
struct FreezeKey: Hashable, Comparable {
    var agent: String
    var app: String

    static func < (left: FreezeKey, right: FreezeKey) -> Bool {
        (left.agent, left.app) < (right.agent, right.app)
    }
}

extension Freeze {
    var key: FreezeKey { FreezeKey(agent: agent, app: app) }
}
