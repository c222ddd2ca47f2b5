package import JSON

/// Who may call a method. The kernel reports the uid of the connected process. Within one uid, the client is
/// what the caller claims to speak for: attribution, not security.
package enum Access: String, Sendable {
    /// Any process of this uid, also for a client that is not authorized.
    case anyone
    /// The person of this uid, and clients that the person authorized.
    case authorizedClient
    /// The person of this uid (command line, console, our own services), never a client.
    case person
}

/// Whether a method changes its owner's state. A write has an idempotency key and is answered after the
/// commit. Both may wait for a sequence (`not_before`).
package enum Effect: String, Sendable { case read, write }

/// One method of the contract: its name, who may call it, and its parameters and result. ``Method`` and
/// ``AgentMethod`` say who implements it.
package protocol Call: Sendable {
    /// Parameters; ``Nothing`` if it has none.
    associatedtype Params: Record
    /// Result; ``Written`` if a write returns nothing else.
    associatedtype Result: Record
    /// The JSON-RPC method, `OBJECT.VERB`: `report.query`.
    static var name: String { get }
    /// Whether it is a read or a write.
    static var effect: Effect { get }
    /// Who may call it.
    static var access: Access { get }
    /// One sentence for the contract document.
    static var summary: String { get }
    /// The error for a client without authorization. Default `notAuthorized`.
    static var refusal: ErrorName { get }
}

/// A method of a service, about the state that the service owns.
package protocol Method: Call {
    /// The service that implements it. For methods that all services implement, the first one.
    static var owner: ServiceName { get }
}

/// A method of an agent, which owns no state: it acts in the desktop session. It is a read, because nothing
/// is stored, and a repeated request changes nothing.
package protocol AgentMethod: Call {
    /// The agent that implements it, see ``AgentName``.
    static var agent: String { get }
}

extension Call {
    /// The default of most methods.
    package static var refusal: ErrorName { .notAuthorized }
    /// Whether answers contain names of apps and sites even for a client: the client has the person's
    /// permission to see them (`data_access`).
    package static var showsNames: Bool { ["usage.", "report.", "catalog."].contains { name.hasPrefix($0) } }
}

/// The data of one type of event.
package protocol EventData: Record {
    /// The CloudEvents type, which is also the topic in the first frame.
    static var type: String { get }
    /// The service that publishes it.
    static var owner: ServiceName { get }
    /// One sentence for the contract document.
    static var summary: String { get }
}

/// Parameters or result without members.
@Record
package struct Nothing: Record {
}

/// The result of a write that returns nothing else.
@Record
package struct Written: Record {
    /// Head of the owner's log after this write; pass it as not_before to read your own write.
    package var sequence: Int64 = 0
}

/// Parameters about one member.
package protocol MemberScoped {
    /// Member id; nil for the person of the uid.
    var member: String? { get }
    /// All members the request is about. If it is empty, the handler checks by itself for which members the
    /// client is authorized.
    var judgedMembers: [String?] { get }
}

extension MemberScoped {
    /// The one member.
    package var judgedMembers: [String?] { [member] }
}
