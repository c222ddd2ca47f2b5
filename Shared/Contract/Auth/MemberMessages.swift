package import JSON
package import Units

/// Role of a member in the household.
package enum MemberRole: String, NameEnum {
    case guardian
    case individual
    case child
}

/// A member of the household.
@Record
package struct Member: Record {
    /// uid-N for the user of a kernel uid, else member-NAME.
    @Field(.publicText) package var id: String = ""
    /// Unique name that the household uses.
    @Field(.personal) package var name: String = ""
    /// Their role.
    package var role: MemberRole = .individual
    /// Kernel uid; absent for a member without an account on this machine.
    package var uid: Int64?
    /// IANA time zone for schedules and days; absent: the machine's zone.
    @Field(.publicText) package var zone: String?
    /// Start of the day in reports, minutes after midnight, 0 to 1439.
    package var dayStartMinutes: Int64 = 0
    /// Minutes after which a member without a guardian may approve their own request for more time, 0 to
    /// 1440; absent: 5.
    package var selfApprovalMinutes: Int64?
    /// A shorter delay that the member chose, in effect from `next_self_approval_at`; absent: none.
    package var nextSelfApprovalMinutes: Int64?
    /// When the shorter delay takes effect, UTC milliseconds: the old one after it was chosen.
    package var nextSelfApprovalAt: Instant?
    /// False: there is no one more minute; absent: once for each shielded app, domain or category and day.
    package var oneMoreMinute: Bool?

    /// The delay of a member who has chosen none.
    package static let selfApprovalMinutesDefault: Int64 = 5
}

/// Lists the members of the household; for a client, those it asked to act for.
@Method("member.list", of: .auth, .read, for: .authorizedClient)
package enum MemberList: Method {
    /// No parameters.
    package typealias Params = Nothing

    /// The members.
    @Record("member.list.result")
    package struct Result: Record {
        /// Sorted by name.
        package var members: [Member] = []
    }
}

/// Adds a member.
@Method("member.add", of: .auth, .write, for: .person)
package enum MemberAdd: Method {
    /// Name and role of the new member.
    @Record("member.add.params")
    package struct Params: Record {
        /// 1 to 64 characters, unique.
        package var name: String = ""
        /// Default individual.
        package var role: MemberRole?
    }

    /// The new member.
    @Record("member.add.result")
    package struct Result: Record {
        /// The new member.
        package var member: Member = Member()
        /// Head of the log after it.
        package var sequence: Int64 = 0
    }
}

/// Sets the time zone, the start of the day, and the rules for more time of a member.
@Method("member.set", of: .auth, .write, for: .person)
package enum MemberSet: Method {
    /// The member and what to change.
    @Record("member.set.params")
    package struct Params: Record {
        /// The member's name or id.
        package var name: String = ""
        /// IANA time zone; system: the machine's zone; absent: unchanged.
        package var zone: String?
        /// Minutes after midnight, 0 to 1439; absent: unchanged.
        package var dayStartMinutes: Int64?
        /// Minutes, 0 to 1440; absent: unchanged. A shorter delay takes effect after the old one.
        package var selfApprovalMinutes: Int64?
        /// Whether there is one more minute; absent: unchanged.
        package var oneMoreMinute: Bool?
    }

    /// The changed member.
    @Record("member.set.result")
    package struct Result: Record {
        /// The member after the change.
        package var member: Member = Member()
        /// Head of the log after it.
        package var sequence: Int64 = 0
    }
}

/// Removes a member; their recorded use stays until it is deleted with privacy.forget.
@Method("member.remove", of: .auth, .write, for: .person)
package enum MemberRemove: Method {
    /// The member to remove.
    @Record("member.remove.params")
    package struct Params: Record {
        /// The member's name.
        package var name: String = ""
    }
    /// Only the head of the log after this write.
    package typealias Result = Written
}

/// A member was added, changed or removed.
@Event("member.changed", of: .auth)
package struct MemberChanged: EventData {
    /// The member.
    package var member: Member = Member()
    /// True when the member was removed.
    package var removed: Bool = false
}
