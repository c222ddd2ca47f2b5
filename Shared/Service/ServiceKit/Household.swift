import Bus
package import Contract
internal import JSON
package import Loop
internal import Store
import Time
package import Units

/// A copy of the members and authorizations, built from auth-service's events. It answers quickly who may do
/// what; before a refusal, auth-service is asked.
@LoopActor package final class Household {
    private let database: Database
    private var authorizations: [String: Authorization] = [:]
    private var members: [String: Member] = [:]
    /// Members that auth-service confirmed before their event arrived.
    private var confirmed: Set<String> = []
    /// Whether events change this copy. Else it stays empty: what was put into it would never end.
    fileprivate(set) var isFollowed = false
    /// Incremented with each change: answers requested before it may be outdated.
    private(set) var revision = 0

    /// Member id of the person with a kernel uid; that member exists from the first start.
    package static func memberID(uid: UInt32) -> String { "uid-\(uid)" }
    /// The member of this process's uid.
    package static var defaultMember: String { memberID(uid: Peer.own.uid) }

    init(_ database: Database) throws(StoreError) {
        self.database = database
        try database.run(
            "CREATE TABLE IF NOT EXISTS household_copy (kind TEXT, id TEXT, body BLOB, PRIMARY KEY (kind, id))"
        )
        try load()
    }

    /// What a copied row is, by its kind.
    static let table = RecordTable(
        "household_copy", key: ["kind", "id"], columns: "kind, body", copyOf: .auth
    ) { row throws(StoreError) in
        if row.text(0) == "member" {
            _ = try Member.stored(row.bytes(1), in: "household_copy")
        } else {
            _ = try Authorization.stored(row.bytes(1), in: "household_copy")
        }
    }

    private func load() throws(StoreError) {
        let rows = try database.query("SELECT kind, id, body FROM household_copy") {
            ($0.text(0), $0.text(1), $0.bytes(2))
        }
        for (kind, id, body) in rows {
            if kind == "member" {
                members[id] = try Member.stored(body, in: "household_copy")
            } else {
                let authorization = try Authorization.stored(body, in: "household_copy")
                authorizations[Self.key(authorization.client, authorization.member)] = authorization
            }
        }
    }

    private static func key(_ client: String, _ member: String) -> String { "\(member)\u{0}\(client)" }

    /// Whether the member is known.
    package func isMember(_ id: String) -> Bool {
        id == Self.defaultMember || members[id] != nil || confirmed.contains(id)
    }

    /// All members, sorted by id. The member of this uid is included even before any event arrived.
    package var everyone: [Member] {
        var everyone = members
        if everyone[Self.defaultMember] == nil {
            everyone[Self.defaultMember] = Member(id: Self.defaultMember, name: Self.defaultMember)
        }
        return everyone.values.sorted { $0.id < $1.id }
    }

    /// The member as last reported. Nil if nothing was reported; then defaults apply.
    package func member(_ id: String) -> Member? { members[id] }

    /// Whether a client is approved for any member.
    package func isApproved(_ client: String) -> Bool {
        authorizations.values.contains { $0.client == client && $0.access }
    }

    /// Whether what a client made for a member ended with the approval or the member, although no event said
    /// so, because the log no longer had it. What ended and began again meanwhile is not recognised.
    /// - Parameters:
    ///   - client: nil or the built-in client for the person.
    ///   - made: when it was made, UTC milliseconds.
    package func ended(client: String?, member: String, made: Instant, by rebuild: Rebuild) -> Bool {
        guard rebuild.isOfMissedEvents, UTCTime.text(made) < rebuild.described else { return false }
        guard members[member] != nil else { return true }
        guard let client, client != BuiltInClient.limits else { return false }
        return authorization(client: client, member: member)?.access != true
    }

    /// Nil if the client never requested one.
    package func authorization(client: String, member: String) -> Authorization? {
        authorizations[Self.key(client, member)]
    }

    /// Applies an authorization as part of a write. One without a decision or open request equals none and is
    /// not stored, since their number is unlimited.
    package func note(_ authorization: Authorization, _ transaction: Transaction) throws {
        let key = Self.key(authorization.client, authorization.member)
        undoing(\.authorizations[key], transaction)
        let isWorthStoring = authorization.status != .notDetermined || authorization.decided != nil
        guard authorization.pending || isWorthStoring else {
            revision += 1
            authorizations[key] = nil
            return try transaction.database.run(
                "DELETE FROM household_copy WHERE kind = 'authorization' AND id = ?1", authorization.id)
        }
        note(authorization)
        try transaction.database.run(
            "INSERT OR REPLACE INTO household_copy (kind, id, body) VALUES ('authorization', ?1, ?2)",
            authorization.id, authorization.encoded())
    }

    /// Applies a change of a member as part of a write.
    package func note(_ change: MemberChanged, _ transaction: Transaction) throws {
        let id = change.member.id
        undoing(\.members[id], transaction)
        revision += 1
        if change.removed {
            undoing(\.confirmed, transaction)
            members[id] = nil
            confirmed.remove(id)
            try transaction.database.run(
                "DELETE FROM household_copy WHERE kind = 'member' AND id = ?1", id)
            // Another member may get the same id later.
            undoing(\.authorizations, transaction)
            for (key, authorization) in authorizations where authorization.member == id {
                authorizations[key] = nil
                try transaction.database.run(
                    "DELETE FROM household_copy WHERE kind = 'authorization' AND id = ?1", authorization.id)
            }
        } else {
            members[id] = change.member
            try transaction.database.run(
                "INSERT OR REPLACE INTO household_copy (kind, id, body) VALUES ('member', ?1, ?2)",
                id, change.member.encoded())
        }
    }

    /// Applies an answer of auth-service without a write; its event will follow.
    fileprivate func note(_ authorization: Authorization) {
        revision += 1
        authorizations[Self.key(authorization.client, authorization.member)] = authorization
    }

    fileprivate func confirm(member id: String) { confirmed.insert(id) }

    func forget(_ transaction: Transaction) throws {
        undoing(\.authorizations, transaction)
        undoing(\.members, transaction)
        undoing(\.confirmed, transaction)
        revision += 1
        try transaction.database.run("DELETE FROM household_copy")
        authorizations = [:]
        members = [:]
        confirmed = []
    }

    /// Restores a property's present value if the write is undone.
    private func undoing<Value>(
        _ part: ReferenceWritableKeyPath<Household, Value>, _ transaction: Transaction
    ) {
        let before = self[keyPath: part]
        transaction.onUndo { [self] in
            revision += 1
            self[keyPath: part] = before
        }
    }
}

extension Service {
    /// Follows auth-service for the household copy.
    /// - Parameters:
    ///   - changed: called after an authorization was applied.
    ///   - member: called after a member was added or changed.
    ///   - removed: called after a member was removed.
    ///   - rebuilt: called after the copy was rebuilt from a snapshot.
    ///   - also: adds handlers of other events of auth-service.
    package func followHousehold(
        changed: (@LoopActor (AuthorizationChanged, Transaction) throws -> Void)? = nil,
        member: (@LoopActor (Member, Transaction) throws -> Void)? = nil,
        removed: (@LoopActor (Member, Transaction) throws -> Void)? = nil,
        rebuilt: (@LoopActor (Rebuild, Transaction) throws -> Void)? = nil,
        also: (@LoopActor (Following) -> Void)? = nil
    ) throws(ServiceError) {
        household.isFollowed = true
        try follow(.auth) { following in
            also?(following)
            following.on(MemberChanged.self) { [unowned self] event, transaction in
                try household.note(event.data, transaction)
                try (event.data.removed ? removed : member)?(event.data.member, transaction)
            }
            following.on(AuthorizationChanged.self) { [unowned self] event, transaction in
                try household.note(event.data.authorization, transaction)
                try changed?(event.data, transaction)
            }
            following.reset = { [unowned self] in try household.forget($0) }
            following.rebuilt = rebuilt
        }
    }

    /// The member that a request concerns; nil is the member of this uid.
    package func member(_ id: String?) -> String { id ?? Household.defaultMember }

    /// Calls `verdict` with nil if the caller may act for all of the members, else with the reason.
    func judge(
        _ context: RequestContext, members: Set<String>,
        _ verdict: @escaping @LoopActor (ServiceError?) -> Void
    ) {
        var rest = members
        guard let first = rest.popFirst() else { return verdict(nil) }
        judge(context, member: first) { [self, rest] error in
            if let error { return verdict(error) }
            judge(context, members: rest, verdict)
        }
    }

    /// Members, sorted by id, that the caller may act for according to this copy; for the person, all.
    package func membersAllowed(_ client: String?) -> [Member] {
        household.everyone.filter { member in client.map { allows($0, member.id) } ?? true }
    }

    /// Calls `verdict` with nil if the caller may act for the member, else with the reason. Asks auth-service
    /// before a refusal, because the copy may lag behind an approval or a new member, and each time where
    /// there is no copy.
    func judge(
        _ context: RequestContext, member id: String?, _ verdict: @escaping @LoopActor (ServiceError?) -> Void
    ) {
        let member = member(id)
        let client = context.client
        if household.isMember(member), client.map({ allows($0, member) }) ?? true { return verdict(nil) }
        guard name != .auth else { return verdict(refusal(client, member, household.isMember(member))) }
        let revision = household.revision
        let deadline = max(1, context.deadline - loop.now)
        let options = CallOptions(deadline: deadline, trace: context.trace)
        let verdict = Once(verdict)
        context.open?.suspend { verdict.call($0) }
        Task { @LoopActor in
            do {
                let members = try await self.call(MemberList.self, Nothing(), options: options).members
                let found = try await self.call(
                    AuthorizationList.self, AuthorizationList.Params(client: client), options: options)
                context.open?.resume()
                // An event that arrived meanwhile, such as a revocation, may be newer than the answer.
                guard self.household.revision == revision else {
                    return self.judge(context, member: id) { verdict.call($0) }
                }
                if self.household.isFollowed {
                    members.forEach { self.household.confirm(member: $0.id) }
                    found.authorizations.forEach { self.household.note($0) }
                }
                let known = self.household.isMember(member) || members.contains { $0.id == member }
                let right = found.authorizations.first { $0.client == client && $0.member == member }
                let allowed = known && (client.map { self.allows($0, right) } ?? true)
                verdict.call(allowed ? nil : self.refusal(client, member, known))
            } catch {
                context.open?.resume()
                verdict.call(ServiceError(anything: error))
            }
        }
    }

    private func allows(_ client: String, _ member: String) -> Bool {
        allows(client, household.authorization(client: client, member: member))
    }

    private func allows(_ client: String, _ right: Authorization?) -> Bool {
        // The built-in client must not be named; requests without a client speak for the person. A program
        // that names it is not ours.
        guard client != BuiltInClient.limits, let right else { return false }
        return right.status == .approved && right.access
    }

    private func refusal(_ client: String?, _ member: String, _ isMember: Bool) -> ServiceError {
        isMember
            ? ServiceError(
                .notAuthorized, "\(client ?? "the client") is not authorized for this member",
                remedy: "Call authorization.request and let the person approve it.")
            : ServiceError(
                .notFound, "there is no member '\(member)'",
                remedy: "Add one with `screentime member add NAME`; see `screentime member list`.")
    }
}
