import Bus
package import Contract
internal import JSON
package import Loop
internal import Store
import Time

/// What other services know of the household: a copy of the members and authorizations, rebuilt from
/// auth-service's events. It decides quickly who may; before it refuses, the owner is asked.
@LoopActor package final class Household {
    private let database: Database
    private var authorizations: [String: Authorization] = [:]
    private var members: [String: Member] = [:]
    /// Members whose record has not come yet, but that the owner confirmed.
    private var confirmed: Set<String> = []
    /// Grows with each change: what was asked before it may be older than what is known now.
    private(set) var revision = 0

    /// Id of the person of a kernel uid; they exist from the first start.
    package static func memberID(uid: UInt32) -> String { "uid-\(uid)" }
    package static var defaultMember: String { memberID(uid: Peer.own.uid) }

    init(_ database: Database) throws(StoreError) {
        self.database = database
        try database.run(
            "CREATE TABLE IF NOT EXISTS household_copy (kind TEXT, id TEXT, body BLOB, PRIMARY KEY (kind, id))"
        )
        try load()
    }

    private func load() throws(StoreError) {
        let rows = try database.query("SELECT kind, id, body FROM household_copy") {
            ($0.text(0), $0.text(1), $0.bytes(2))
        }
        for (kind, id, body) in rows {
            if kind == "member" {
                // Written by ourselves below; a damaged one still names a member.
                members[id] = (try? Member.decode(body)) ?? Member(id: id)
            } else if let authorization = try? Authorization.decode(body) {
                // Written by ourselves below; a copy of an older shape is asked for again when it is needed.
                authorizations[Self.key(authorization.client, authorization.member)] = authorization
            }
        }
    }

    private static func key(_ client: String, _ member: String) -> String { "\(member)\u{0}\(client)" }

    package func isMember(_ id: String) -> Bool {
        id == Self.defaultMember || members[id] != nil || confirmed.contains(id)
    }

    /// All members, and the person of this uid also before anything was told; by id.
    package var everyone: [Member] {
        var everyone = members
        if everyone[Self.defaultMember] == nil {
            everyone[Self.defaultMember] = Member(id: Self.defaultMember, name: Self.defaultMember)
        }
        return everyone.values.sorted { $0.id < $1.id }
    }

    /// The member as last told; nil: nothing was told of them yet, and defaults hold.
    package func member(_ id: String) -> Member? { members[id] }

    /// Nil: never asked.
    package func authorization(client: String, member: String) -> Authorization? {
        authorizations[Self.key(client, member)]
    }

    /// Takes an authorization in, as a part of a write. One that was never decided and is not asked any more
    /// says what none says, and is not kept: there is no end to those.
    package func note(_ authorization: Authorization, _ transaction: Transaction) throws {
        let key = Self.key(authorization.client, authorization.member)
        undoing(\.authorizations[key], transaction)
        let saysSomething = authorization.status != .notDetermined || authorization.decided != nil
        guard authorization.pending || saysSomething else {
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
        } else {
            members[id] = change.member
            try transaction.database.run(
                "INSERT OR REPLACE INTO household_copy (kind, id, body) VALUES ('member', ?1, ?2)",
                id, change.member.encoded())
        }
    }

    /// What the owner answered, without a write: its event is on the way.
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

    /// Gives a part back the value that it has now, when the write is undone.
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
    ///   - changed: after the copy took an authorization in.
    ///   - member: after a member was added or changed.
    ///   - removed: after a member was removed.
    ///   - rebuilt: after the copy was made again from auth-service's present state.
    package func followHousehold(
        changed: (@LoopActor (AuthorizationChanged, Transaction) throws -> Void)? = nil,
        member: (@LoopActor (Member, Transaction) throws -> Void)? = nil,
        removed: (@LoopActor (Member, Transaction) throws -> Void)? = nil,
        rebuilt: (@LoopActor (Transaction) throws -> Void)? = nil
    ) throws(ServiceError) {
        try follow(.auth) { following in
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

    /// The member a request is about.
    package func member(_ id: String?) -> String { id ?? Household.defaultMember }

    /// Calls `verdict` with nil when the caller may act for all of the members, else with why not.
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

    /// Members the caller may act for, by id, as far as is known here; for the person, everybody.
    package func membersAllowed(_ client: String?) -> [Member] {
        household.everyone.filter { member in client.map { allows($0, member.id) } ?? true }
    }

    /// Calls `verdict` with nil when the caller may act for the member, else with why not. Says no only after
    /// asking auth-service: the copy may lag behind an approval or a new member.
    func judge(
        _ context: RequestContext, member id: String?, _ verdict: @escaping @LoopActor (ServiceError?) -> Void
    ) {
        let member = member(id)
        let client = context.client
        if household.isMember(member), client.map({ allows($0, member) }) ?? true { return verdict(nil) }
        guard name != .auth else { return verdict(refusal(client, member, household.isMember(member))) }
        let revision = household.revision
        let deadline = max(1, context.deadline - MonotonicClock.now)
        let options = CallOptions(deadline: deadline, trace: context.trace)
        let verdict = Once(verdict)
        context.open?.waits { verdict.tell($0) }
        Task { @LoopActor in
            do {
                let members = try await self.call(MemberList.self, Nothing(), options: options).members
                let found = try await self.call(
                    AuthorizationList.self, AuthorizationList.Params(client: client), options: options)
                context.open?.goesOn()
                // What was told meanwhile, such as the end of an approval, may be newer than the answer.
                guard self.household.revision == revision else {
                    return self.judge(context, member: id) { verdict.tell($0) }
                }
                members.forEach { self.household.confirm(member: $0.id) }
                found.authorizations.forEach { self.household.note($0) }
                let known = self.household.isMember(member)
                let allowed = known && (client.map { self.allows($0, member) } ?? true)
                verdict.tell(allowed ? nil : self.refusal(client, member, known))
            } catch {
                context.open?.goesOn()
                verdict.tell(ServiceError(anything: error))
            }
        }
    }

    private func allows(_ client: String, _ member: String) -> Bool {
        // The person's own client is spoken for by leaving the client out; a program that claims it is none
        // of ours.
        guard client != BuiltInClient.limits else { return false }
        return household.authorization(client: client, member: member).map {
            $0.status == .approved && $0.access
        } ?? false
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
