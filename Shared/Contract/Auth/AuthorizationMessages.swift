package import JSON
package import Units

/// Apple's AuthorizationStatus.
package enum AuthorizationStatus: String, NameEnum {
    case notDetermined
    case denied
    case approved
}

/// Apple's FamilyControlsMember: the kind of member a client acts for.
package enum AuthorizationFor: String, NameEnum {
    case child
    case individual
}

/// The person's decision.
package enum Decision: String, NameEnum {
    case approve
    case deny
}

/// What one client may do for one member, and the two switches by which the person limits it.
@Record
package struct Authorization: Record {
    /// Id to pass to authorization.decide.
    @Field(.publicText) package var id: String = ""
    /// Bundle id of the app.
    @Field(.publicText) package var client: String = ""
    /// Name of the app, as it gives it itself.
    @Field(.publicText) package var clientName: String?
    /// Member id.
    @Field(.publicText) package var member: String = ""
    /// Kind of member.
    @Field(name: "for") package var forWhom: AuthorizationFor = .individual
    /// Its present status.
    package var status: AuthorizationStatus = .notDetermined
    /// True while the person is being asked.
    package var pending: Bool = false
    /// False: revoked.
    package var access: Bool = false
    /// False: its stores are kept, but inactive.
    package var restrictions: Bool = false
    /// When the app last asked, UTC milliseconds.
    package var requested: Instant = 0
    /// When the person last decided, UTC milliseconds.
    package var decided: Instant?
    /// True: it may see the names of installed apps and visited sites.
    package var dataAccess: Bool?
    /// True while the person is also asked for data_access.
    package var asksDataAccess: Bool?
}

/// Asks the person to authorize a client; answered when they decide, or with authorizationCanceled at the
/// deadline. For an approved client the person is not asked again.
@Method("authorization.request", of: .auth, .write, for: .anyone)
package enum AuthorizationRequest: Method {
    /// Who asks, for which member.
    @Record("authorization.request.params")
    package struct Params: Record, MemberScoped {
        /// Bundle id of the app that asks.
        @Field(.publicText) package var client: String = ""
        /// Name of the app, as it gives it itself.
        @Field(.publicText) package var clientName: String?
        /// Kind of member it asks to act for.
        @Field(name: "for") package var forWhom: AuthorizationFor = .individual
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// True: also asks to see the names of installed apps and visited sites.
        package var dataAccess: Bool?
    }

    /// The authorization after the decision.
    @Record("authorization.request.result")
    package struct Result: Record {
        /// As decided.
        package var authorization: Authorization = Authorization()
        /// Head of the log.
        package var sequence: Int64 = 0
    }
}

/// Lists all authorizations; for a client, only its own.
@Method("authorization.list", of: .auth, .read, for: .anyone)
package enum AuthorizationList: Method {
    /// Filter by client.
    @Record("authorization.list.params")
    package struct Params: Record {
        /// Only this client.
        @Field(.publicText) package var client: String?
    }

    /// The authorizations.
    @Record("authorization.list.result")
    package struct Result: Record {
        /// Sorted by client, then member.
        package var authorizations: [Authorization] = []
    }
}

/// Approves or denies an authorization; a client cannot decide about itself.
@Method("authorization.decide", of: .auth, .write, for: .person)
package enum AuthorizationDecide: Method {
    /// The authorization and the decision.
    @Record("authorization.decide.params")
    package struct Params: Record {
        /// The authorization's id.
        package var id: String = ""
        /// The person's decision.
        package var decision: Decision = .deny
    }

    /// The authorization after the decision.
    @Record("authorization.decide.result")
    package struct Result: Record {
        /// As decided.
        package var authorization: Authorization = Authorization()
        /// Head of the log.
        package var sequence: Int64 = 0
    }
}

/// Revokes a client's authorization: its stores are cleared, its activities stop without a callback, its
/// tokens become invalid.
@Method("authorization.revoke", of: .auth, .write, for: .authorizedClient)
package enum AuthorizationRevoke: Method {
    /// Whose authorization to revoke.
    @Record("authorization.revoke.params")
    package struct Params: Record, MemberScoped {
        /// Bundle id.
        @Field(.publicText) package var client: String = ""
        /// Member id; default all members.
        @Field(.publicText) package var member: String?
    }
    /// Only the head of the log after this write.
    package typealias Result = Written
}

/// Sets the two switches of a client.
@Method("authorization.switch", of: .auth, .write, for: .person)
package enum AuthorizationSwitch: Method {
    /// The new positions of the switches; an absent one is unchanged.
    @Record("authorization.switch.params")
    package struct Params: Record, MemberScoped {
        /// Bundle id.
        package var client: String = ""
        /// Member id; default all members.
        package var member: String?
        /// False revokes, true approves again.
        package var access: Bool?
        /// False makes its stores inactive without deleting them.
        package var restrictions: Bool?
    }
    /// Only the head of the log after this write.
    package typealias Result = Written
}

/// An authorization was requested, decided, switched or revoked; the event has its complete present state.
@Event("authorization.changed", of: .auth)
package struct AuthorizationChanged: EventData {
    /// As of now.
    package var authorization: Authorization = Authorization()
    /// True when this change revoked an approval.
    package var revoked: Bool = false
}
