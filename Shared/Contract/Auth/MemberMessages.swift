package import JSON

/// Who a member is in the household.
package enum MemberRole: String, NameEnum {
    case guardian
    case individual
    case child
}

/// A person of the household.
@Record
package struct Member: Record {
    /// uid-N for the person of a kernel uid, else member-NAME.
    @Field(.publicText) package var id: String = ""
    /// Unique, as the household calls them.
    @Field(.personal) package var name: String = ""
    /// Their role.
    package var role: MemberRole = .individual
    /// Kernel uid, for a member who has an account here.
    package var uid: Int64?
    /// IANA time zone of their schedules and days; absent: the machine's.
    @Field(.publicText) package var zone: String?
    /// When their day begins in reports, in minutes after midnight, 0 to 1439.
    package var dayStartMinutes: Int64 = 0
}

/// The members of the household; for a client, those for whom it asked to act.
@Method("member.list", of: .auth, .read, for: .authorizedClient)
package enum MemberList: Method {
    package typealias Params = Nothing

    @Record("member.list.result")
    package struct Result: Record {
        /// Sorted by name.
        package var members: [Member] = []
    }
}

/// Adds a member.
@Method("member.add", of: .auth, .write, for: .person)
package enum MemberAdd: Method {
    @Record("member.add.params")
    package struct Params: Record {
        /// 1 to 64 characters, unique.
        package var name: String = ""
        /// Default individual.
        package var role: MemberRole?
    }

    @Record("member.add.result")
    package struct Result: Record {
        /// The new member.
        package var member: Member = Member()
        /// Head of the log after it.
        package var sequence: Int64 = 0
    }
}

/// Sets when and where a member's days are.
@Method("member.set", of: .auth, .write, for: .person)
package enum MemberSet: Method {
    @Record("member.set.params")
    package struct Params: Record {
        /// The member's name or id.
        package var name: String = ""
        /// IANA time zone; system: the machine's again; absent: stays as it is.
        package var zone: String?
        /// Minutes after midnight, 0 to 1439; absent: stays as it is.
        package var dayStartMinutes: Int64?
    }

    @Record("member.set.result")
    package struct Result: Record {
        /// The member as they are now.
        package var member: Member = Member()
        /// Head of the log after it.
        package var sequence: Int64 = 0
    }
}

/// Removes a member; their use stays in the log until it is forgotten.
@Method("member.remove", of: .auth, .write, for: .person)
package enum MemberRemove: Method {
    @Record("member.remove.params")
    package struct Params: Record {
        /// The member's name.
        package var name: String = ""
    }
    package typealias Result = Written
}

/// A member was added, changed or removed.
@Event("member.changed", of: .auth)
package struct MemberChanged: EventData {
    /// The member.
    package var member: Member = Member()
    /// True when they are gone.
    package var removed: Bool = false
}
