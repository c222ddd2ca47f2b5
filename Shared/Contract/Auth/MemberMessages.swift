package import JSON

/// Who a member is in the household.
package enum MemberRole: String, NameEnum {
    case guardian
    case individual
    case child
}

/// A person of the household.
package struct Member: Record {
    package var id = ""
    package var name = ""
    package var role: MemberRole = .individual
    package var uid: Int64?
    package var zone: String?
    package var dayStartMinutes: Int64 = 0

    package init() {}
    package init(
        id: String = "", name: String = "", role: MemberRole = .individual, uid: Int64? = nil,
        zone: String? = nil, dayStartMinutes: Int64 = 0
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.uid = uid
        self.zone = zone
        self.dayStartMinutes = dayStartMinutes
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("id", &id, "uid-N for the person of a kernel uid, else member-NAME.", .publicText)
        try visitor.field("name", &name, "Unique, as the household calls them.", .personal)
        try visitor.field("role", &role, "Their role.")
        try visitor.field("uid", &uid, "Kernel uid, for a member who has an account here.")
        try visitor.field(
            "zone", &zone, "IANA time zone of their schedules and days; absent: the machine's.", .publicText)
        try visitor.field(
            "day_start_minutes", &dayStartMinutes,
            "When their day begins in reports, in minutes after midnight, 0 to 1439.")
    }
}

/// The members of the household.
package enum MemberList: Method {
    package static let name = "member.list"
    package static let owner = ServiceName.auth
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "The members of the household; for a client, those for whom it asked to act."
    package typealias Params = Nothing

    package struct Result: Record {
        package static var title: String { "member.list.result" }
        package var members: [Member] = []

        package init() {}
        package init(
            members: [Member] = []
        ) {
            self.members = members
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("members", &members, "Sorted by name.")
        }
    }
}

/// Adds a member.
package enum MemberAdd: Method {
    package static let name = "member.add"
    package static let owner = ServiceName.auth
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary = "Adds a member."

    package struct Params: Record {
        package static var title: String { "member.add.params" }
        package var name = ""
        package var role: MemberRole?

        package init() {}
        package init(
            name: String = "", role: MemberRole? = nil
        ) {
            self.name = name
            self.role = role
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("name", &name, "1 to 64 characters, unique.")
            try visitor.field("role", &role, "Default individual.")
        }
    }

    package struct Result: Record {
        package static var title: String { "member.add.result" }
        package var member = Member()
        package var sequence: Int64 = 0

        package init() {}
        package init(
            member: Member = Member(), sequence: Int64 = 0
        ) {
            self.member = member
            self.sequence = sequence
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "The new member.")
            try visitor.field("sequence", &sequence, "Head of the log after it.")
        }
    }
}

/// Sets when and where a member's days are.
package enum MemberSet: Method {
    package static let name = "member.set"
    package static let owner = ServiceName.auth
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary = "Sets when and where a member's days are."

    package struct Params: Record {
        package static var title: String { "member.set.params" }
        package var name = ""
        package var zone: String?
        package var dayStartMinutes: Int64?

        package init() {}
        package init(
            name: String = "", zone: String? = nil, dayStartMinutes: Int64? = nil
        ) {
            self.name = name
            self.zone = zone
            self.dayStartMinutes = dayStartMinutes
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("name", &name, "The member's name or id.")
            try visitor.field(
                "zone", &zone, "IANA time zone; system: the machine's again; absent: stays as it is.")
            try visitor.field(
                "day_start_minutes", &dayStartMinutes,
                "Minutes after midnight, 0 to 1439; absent: stays as it is.")
        }
    }

    package struct Result: Record {
        package static var title: String { "member.set.result" }
        package var member = Member()
        package var sequence: Int64 = 0

        package init() {}
        package init(
            member: Member = Member(), sequence: Int64 = 0
        ) {
            self.member = member
            self.sequence = sequence
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("member", &member, "The member as they are now.")
            try visitor.field("sequence", &sequence, "Head of the log after it.")
        }
    }
}

/// Removes a member; their use stays in the log until it is forgotten.
package enum MemberRemove: Method {
    package static let name = "member.remove"
    package static let owner = ServiceName.auth
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary = "Removes a member; their use stays in the log until it is forgotten."

    package struct Params: Record {
        package static var title: String { "member.remove.params" }
        package var name = ""

        package init() {}
        package init(
            name: String = ""
        ) {
            self.name = name
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("name", &name, "The member's name.")
        }
    }
    package typealias Result = Written
}

/// A member was added, changed or removed.
package struct MemberChanged: EventData {
    package static let type = "member.changed"
    package static let owner = ServiceName.auth
    package static let summary = "A member was added, changed or removed."
    package var member = Member()
    package var removed = false

    package init() {}
    package init(
        member: Member = Member(), removed: Bool = false
    ) {
        self.member = member
        self.removed = removed
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("member", &member, "The member.")
        try visitor.field("removed", &removed, "True when they are gone.")
    }
}
