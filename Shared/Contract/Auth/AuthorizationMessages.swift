package import JSON

/// Apple's AuthorizationStatus.
package enum AuthorizationStatus: String, NameEnum {
    case notDetermined
    case denied
    case approved
}

/// Apple's FamilyControlsMember: for whom a client wants to act.
package enum AuthorizationFor: String, NameEnum {
    case child
    case individual
}

/// What the person said.
package enum Decision: String, NameEnum {
    case approve
    case deny
}

/// What one client may do for one member, and the two switches the person has for it.
package struct Authorization: Record {
    package var id = ""
    package var client = ""
    package var clientName: String?
    package var member = ""
    package var forWhom: AuthorizationFor = .individual
    package var status: AuthorizationStatus = .notDetermined
    package var pending = false
    package var access = false
    package var restrictions = false
    package var requestedMs: Int64 = 0
    package var decidedMs: Int64?
    package var dataAccess: Bool?
    package var asksDataAccess: Bool?

    package init() {}
    package init(
        id: String = "", client: String = "", clientName: String? = nil, member: String = "",
        forWhom: AuthorizationFor = .individual, status: AuthorizationStatus = .notDetermined,
        pending: Bool = false, access: Bool = false, restrictions: Bool = false, requestedMs: Int64 = 0,
        decidedMs: Int64? = nil, dataAccess: Bool? = nil, asksDataAccess: Bool? = nil
    ) {
        self.id = id
        self.client = client
        self.clientName = clientName
        self.member = member
        self.forWhom = forWhom
        self.status = status
        self.pending = pending
        self.access = access
        self.restrictions = restrictions
        self.requestedMs = requestedMs
        self.decidedMs = decidedMs
        self.dataAccess = dataAccess
        self.asksDataAccess = asksDataAccess
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("id", &id, "Names this authorization in approve and deny.", .publicText)
        try visitor.field("client", &client, "Bundle id of the app.", .publicText)
        try visitor.field("client_name", &clientName, "As the app calls itself.", .publicText)
        try visitor.field("member", &member, "Member id.", .publicText)
        try visitor.field("for", &forWhom, "For whom.")
        try visitor.field("status", &status, "As of now.")
        try visitor.field("pending", &pending, "True while the person is being asked.")
        try visitor.field("access", &access, "Off: revoked.")
        try visitor.field("restrictions", &restrictions, "Off: its stores are kept, but inactive.")
        try visitor.field("requested_ms", &requestedMs, "When it last asked, UTC milliseconds.")
        try visitor.field("decided_ms", &decidedMs, "When the person last decided.")
        try visitor.field(
            "data_access", &dataAccess,
            "True: it may see by name which apps are installed and which sites visited.")
        try visitor.field(
            "asks_data_access", &asksDataAccess, "True while the person is asked for data_access, too.")
    }
}

/// Asks the person to let a client act; answered when they decide, or authorizationCanceled at the deadline.
/// Once approved it is not asked again.
package enum AuthorizationRequest: Method {
    package static let name = "authorization.request"
    package static let owner = ServiceName.auth
    package static let effect = Effect.write
    package static let access = Access.anyone
    package static let summary = "Asks the person to let a client act; answered when they decide, or authorizationCanceled at the deadline. Once approved it is not asked again."

    package struct Params: Record, MemberScoped {
        package static var title: String { "authorization.request.params" }
        package var client = ""
        package var clientName: String?
        package var forWhom: AuthorizationFor = .individual
        package var member: String?
        package var dataAccess: Bool?

        package init() {}
        package init(
            client: String = "", clientName: String? = nil, forWhom: AuthorizationFor = .individual,
            member: String? = nil, dataAccess: Bool? = nil
        ) {
            self.dataAccess = dataAccess
            self.client = client
            self.clientName = clientName
            self.forWhom = forWhom
            self.member = member
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("client", &client, "Bundle id of the app that asks.", .publicText)
            try visitor.field("client_name", &clientName, "As the app calls itself.", .publicText)
            try visitor.field("for", &forWhom, "For whom it wants to act.")
            try visitor.field("member", &member, "Member id; default the person of the uid.", .publicText)
            try visitor.field(
                "data_access", &dataAccess,
                "True: asks also to see by name which apps are installed and which sites visited.")
        }
    }

    package struct Result: Record {
        package static var title: String { "authorization.request.result" }
        package var authorization = Authorization()
        package var sequence: Int64 = 0

        package init() {}
        package init(
            authorization: Authorization = Authorization(), sequence: Int64 = 0
        ) {
            self.authorization = authorization
            self.sequence = sequence
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("authorization", &authorization, "As decided.")
            try visitor.field("sequence", &sequence, "Head of the log.")
        }
    }
}

/// All authorizations; for a client, only its own.
package enum AuthorizationList: Method {
    package static let name = "authorization.list"
    package static let owner = ServiceName.auth
    package static let effect = Effect.read
    package static let access = Access.anyone
    package static let summary = "All authorizations; for a client, only its own."

    package struct Params: Record {
        package static var title: String { "authorization.list.params" }
        package var client: String?

        package init() {}
        package init(
            client: String? = nil
        ) {
            self.client = client
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("client", &client, "Only this client.", .publicText)
        }
    }

    package struct Result: Record {
        package static var title: String { "authorization.list.result" }
        package var authorizations: [Authorization] = []

        package init() {}
        package init(
            authorizations: [Authorization] = []
        ) {
            self.authorizations = authorizations
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("authorizations", &authorizations, "Sorted by client, then member.")
        }
    }
}

/// Approves or denies; nothing approves itself.
package enum AuthorizationDecide: Method {
    package static let name = "authorization.decide"
    package static let owner = ServiceName.auth
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary = "Approves or denies; nothing approves itself."

    package struct Params: Record {
        package static var title: String { "authorization.decide.params" }
        package var id = ""
        package var decision: Decision = .deny

        package init() {}
        package init(
            id: String = "", decision: Decision = .deny
        ) {
            self.id = id
            self.decision = decision
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("id", &id, "The authorization's id.")
            try visitor.field("decision", &decision, "The person's word.")
        }
    }

    package struct Result: Record {
        package static var title: String { "authorization.decide.result" }
        package var authorization = Authorization()
        package var sequence: Int64 = 0

        package init() {}
        package init(
            authorization: Authorization = Authorization(), sequence: Int64 = 0
        ) {
            self.authorization = authorization
            self.sequence = sequence
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("authorization", &authorization, "As decided.")
            try visitor.field("sequence", &sequence, "Head of the log.")
        }
    }
}

/// Takes a client's authorization away: its stores are cleared, its activities stop silently, its tokens are
/// void.
package enum AuthorizationRevoke: Method {
    package static let name = "authorization.revoke"
    package static let owner = ServiceName.auth
    package static let effect = Effect.write
    package static let access = Access.authorizedClient
    package static let summary = "Takes a client's authorization away: its stores are cleared, its activities stop silently, its tokens are void."

    package struct Params: Record, MemberScoped {
        package static var title: String { "authorization.revoke.params" }
        package var client = ""
        package var member: String?

        package init() {}
        package init(
            client: String = "", member: String? = nil
        ) {
            self.client = client
            self.member = member
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("client", &client, "Bundle id.", .publicText)
            try visitor.field("member", &member, "Member id; default all members.", .publicText)
        }
    }
    package typealias Result = Written
}

/// The two switches of a client.
package enum AuthorizationSwitch: Method {
    package static let name = "authorization.switch"
    package static let owner = ServiceName.auth
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary = "The two switches of a client."

    package struct Params: Record, MemberScoped {
        package static var title: String { "authorization.switch.params" }
        package var client = ""
        package var member: String?
        package var access: Bool?
        package var restrictions: Bool?

        package init() {}
        package init(
            client: String = "", member: String? = nil, access: Bool? = nil, restrictions: Bool? = nil
        ) {
            self.client = client
            self.member = member
            self.access = access
            self.restrictions = restrictions
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("client", &client, "Bundle id.")
            try visitor.field("member", &member, "Member id; default all members.")
            try visitor.field("access", &access, "False revokes, true approves again.")
            try visitor.field("restrictions", &restrictions, "False keeps the stores, inactive.")
        }
    }
    package typealias Result = Written
}

/// An authorization was asked for, decided, switched or revoked; carries the whole present state.
package struct AuthorizationChanged: EventData {
    package static let type = "authorization.changed"
    package static let owner = ServiceName.auth
    package static let summary = "An authorization was asked for, decided, switched or revoked; carries the whole present state."
    package var authorization = Authorization()
    package var revoked = false

    package init() {}
    package init(
        authorization: Authorization = Authorization(), revoked: Bool = false
    ) {
        self.authorization = authorization
        self.revoked = revoked
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("authorization", &authorization, "As of now.")
        try visitor.field("revoked", &revoked, "True when this change took an approval away.")
    }
}
