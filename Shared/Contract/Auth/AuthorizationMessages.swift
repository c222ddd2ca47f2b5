package import JSON
package import Units

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
@Record
package struct Authorization: Record {
    /// Names this authorization in approve and deny.
    @Field(.publicText) package var id: String = ""
    /// Bundle id of the app.
    @Field(.publicText) package var client: String = ""
    /// As the app calls itself.
    @Field(.publicText) package var clientName: String?
    /// Member id.
    @Field(.publicText) package var member: String = ""
    /// For whom.
    @Field(name: "for") package var forWhom: AuthorizationFor = .individual
    /// As of now.
    package var status: AuthorizationStatus = .notDetermined
    /// True while the person is being asked.
    package var pending: Bool = false
    /// Off: revoked.
    package var access: Bool = false
    /// Off: its stores are kept, but inactive.
    package var restrictions: Bool = false
    /// When it last asked, UTC milliseconds.
    package var requested: Instant = 0
    /// When the person last decided.
    package var decided: Instant?
    /// True: it may see by name which apps are installed and which sites visited.
    package var dataAccess: Bool?
    /// True while the person is asked for data_access, too.
    package var asksDataAccess: Bool?
}

/// Asks the person to let a client act; answered when they decide, or authorizationCanceled at the deadline.
/// Once approved it is not asked again.
@Method("authorization.request", of: .auth, .write, for: .anyone)
package enum AuthorizationRequest: Method {
    @Record("authorization.request.params")
    package struct Params: Record, MemberScoped {
        /// Bundle id of the app that asks.
        @Field(.publicText) package var client: String = ""
        /// As the app calls itself.
        @Field(.publicText) package var clientName: String?
        /// For whom it wants to act.
        @Field(name: "for") package var forWhom: AuthorizationFor = .individual
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// True: asks also to see by name which apps are installed and which sites visited.
        package var dataAccess: Bool?
    }

    @Record("authorization.request.result")
    package struct Result: Record {
        /// As decided.
        package var authorization: Authorization = Authorization()
        /// Head of the log.
        package var sequence: Int64 = 0
    }
}

/// All authorizations; for a client, only its own.
@Method("authorization.list", of: .auth, .read, for: .anyone)
package enum AuthorizationList: Method {
    @Record("authorization.list.params")
    package struct Params: Record {
        /// Only this client.
        @Field(.publicText) package var client: String?
    }

    @Record("authorization.list.result")
    package struct Result: Record {
        /// Sorted by client, then member.
        package var authorizations: [Authorization] = []
    }
}

/// Approves or denies; nothing approves itself.
@Method("authorization.decide", of: .auth, .write, for: .person)
package enum AuthorizationDecide: Method {
    @Record("authorization.decide.params")
    package struct Params: Record {
        /// The authorization's id.
        package var id: String = ""
        /// The person's word.
        package var decision: Decision = .deny
    }

    @Record("authorization.decide.result")
    package struct Result: Record {
        /// As decided.
        package var authorization: Authorization = Authorization()
        /// Head of the log.
        package var sequence: Int64 = 0
    }
}

/// Takes a client's authorization away: its stores are cleared, its activities stop silently, its tokens are
/// void.
@Method("authorization.revoke", of: .auth, .write, for: .authorizedClient)
package enum AuthorizationRevoke: Method {
    @Record("authorization.revoke.params")
    package struct Params: Record, MemberScoped {
        /// Bundle id.
        @Field(.publicText) package var client: String = ""
        /// Member id; default all members.
        @Field(.publicText) package var member: String?
    }
    package typealias Result = Written
}

/// The two switches of a client.
@Method("authorization.switch", of: .auth, .write, for: .person)
package enum AuthorizationSwitch: Method {
    @Record("authorization.switch.params")
    package struct Params: Record, MemberScoped {
        /// Bundle id.
        package var client: String = ""
        /// Member id; default all members.
        package var member: String?
        /// False revokes, true approves again.
        package var access: Bool?
        /// False keeps the stores, inactive.
        package var restrictions: Bool?
    }
    package typealias Result = Written
}

/// An authorization was asked for, decided, switched or revoked; carries the whole present state.
@Event("authorization.changed", of: .auth)
package struct AuthorizationChanged: EventData {
    /// As of now.
    package var authorization: Authorization = Authorization()
    /// True when this change took an approval away.
    package var revoked: Bool = false
}
