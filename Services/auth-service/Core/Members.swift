import Bus
import Contract
import Glibc
import ServiceKit
import Store

extension AuthService {
    /// The member of the kernel uid exists from the first start, as guardian of their own household.
    func ensurePerson(_ transaction: Transaction) throws {
        let uid = Peer.own.uid
        guard try members.find(id: Household.memberID(uid: uid)) == nil else { return }
        var name = "uid-\(uid)"
        if let entry = getpwuid(uid) { name = String(cString: entry.pointee.pw_name) }
        let person = Member(
            id: Household.memberID(uid: uid), name: name, role: .guardian, uid: Int64(uid))
        try members.insert(person)
        try publish(person, transaction)
    }

    /// auth-service judges by the copy of the household that every service has. Its rows that could not be
    /// read are missing in it.
    func completeOwnCopy(_ transaction: Transaction) throws {
        let household = service.household
        do {
            for member in try members.all() where household.member(member.id) == nil {
                try household.note(MemberChanged(member: member), transaction)
            }
            for one in try authorizations.all()
            where household.authorization(client: one.client, member: one.member) == nil {
                try household.note(one, transaction)
            }
        } catch let error as StoreError where error.kind == .damaged {
            // The others are judged, and `status` reports it.
            service.noteDamage(error)
        }
    }

    func addMember(_ params: MemberAdd.Params, _ transaction: Transaction) throws -> MemberAdd.Result {
        try Validation.memberName(params.name)
        let present = try members.all()
        guard present.count < AuthLimits.membersMax else {
            throw ServiceError(
                .limitExceeded,
                "the household has \(present.count) members, \(AuthLimits.membersMax) are allowed",
                remedy: "Remove one first.")
        }
        guard !present.contains(where: { $0.name.lowercased() == params.name.lowercased() }) else {
            throw ServiceError(
                .alreadyExists, "there is already a member with this name",
                remedy: "Choose another name; see `screentime member list`.")
        }
        let member = Member(id: "member-" + params.name, name: params.name, role: params.role ?? .individual)
        try members.insert(member)
        try publish(member, transaction)
        return MemberAdd.Result(member: member, sequence: try transaction.head())
    }

    func setMember(_ params: MemberSet.Params, _ transaction: Transaction) throws -> MemberSet.Result {
        var member = try member(named: params.name)
        if let zone = params.zone {
            if zone == Self.systemZone {
                member.zone = nil
            } else {
                try Validation.zone(zone)
                member.zone = zone
            }
        }
        if let minutes = params.dayStartMinutes {
            try Validation.dayStart(minutes)
            member.dayStartMinutes = minutes
        }
        let now = time.now
        if time.isJudged { member = member.settled(at: now) }
        if let minutes = params.selfApprovalMinutes {
            try Validation.selfApproval(minutes)
            guard time.isJudged else { throw RequestRefusal.unjudgedClock }
            member = member.choosing(selfApprovalMinutes: minutes, at: now)
        }
        if let oneMoreMinute = params.oneMoreMinute { member.oneMoreMinute = oneMoreMinute ? nil : false }
        try members.update(member)
        try publish(member, transaction)
        transaction.afterCommit { [unowned self] in requestTimer.arm() }
        return MemberSet.Result(member: member, sequence: try transaction.head())
    }

    /// Name of the machine's own zone in `member.set`.
    private static let systemZone = "system"

    private func member(named name: String) throws -> Member {
        guard let member = try members.all().first(where: { $0.name == name || $0.id == name }) else {
            throw ServiceError(
                .notFound, "there is no member with this name", remedy: "See `screentime member list`.")
        }
        return member
    }

    func publish(_ member: Member, _ transaction: Transaction) throws {
        let change = MemberChanged(member: member)
        try transaction.emit(change)
        try service.household.note(change, transaction)
    }

    /// Also revokes the authorizations of clients for the member, and withdraws the member's requests.
    func removeMember(_ params: MemberRemove.Params, _ transaction: Transaction) throws -> Written {
        let member = try member(named: params.name)
        guard member.uid == nil else {
            throw ServiceError(
                .invalidArgument, "the person of an account of this machine cannot be removed",
                remedy: "Remove only members that were added.")
        }
        for authorization in try authorizations.all(member: member.id) {
            try withdraw(authorization, status: .notDetermined, transaction)
            try authorizations.delete(id: authorization.id)
        }
        for selection in try selections.all(member: member.id) { try forget(selection, transaction) }
        try removeRequests(of: member.id, transaction)
        try members.delete(id: member.id)
        let change = MemberChanged(member: member, removed: true)
        try transaction.emit(change)
        try service.household.note(change, transaction)
        return try transaction.written()
    }
}
