package import JSON

/// Who may call a method. Rights are judged from the kernel's word on who is connected (uid) and, within
/// one uid, from the client the caller says it speaks for: attribution, not security.
package enum Access: String, Sendable {
    /// Anyone of this uid, also a client that is not authorized.
    case anyone
    /// The person of this uid, and clients that the person authorized.
    case authorizedClient
    /// The person of this uid (command line, console, our own services), never a client.
    case person
}

/// Whether a method changes its owner's state. A write carries an idempotency key and is answered after
/// the commit; both may wait for a sequence (`not_before`).
package enum Effect: String, Sendable { case read, write }

/// One method of the contract: its name, its owner, who may call it, and the shapes that travel.
package protocol Method: Sendable {
    associatedtype Params: Record
    associatedtype Result: Record
    static var name: String { get }
    static var owner: ServiceName { get }
    static var effect: Effect { get }
    static var access: Access { get }
    /// One sentence for the contract document.
    static var summary: String { get }
    /// What a client without authorization is told.
    static var refusal: ErrorName { get }
}

extension Method {
    package static var refusal: ErrorName { .notAuthorized }
    /// Whether the answers name apps and sites to a client: the person lets it have the names then.
    package static var showsNames: Bool { ["usage.", "report.", "catalog."].contains { name.hasPrefix($0) } }
}

/// The data of one type of event. `type` is the CloudEvents type and the topic of the first frame.
package protocol EventData: Record {
    static var type: String { get }
    static var owner: ServiceName { get }
    /// One sentence for the contract document.
    static var summary: String { get }
}

/// Params or result without members.
@Record
package struct Nothing: Record {
}

/// The answer to a write: the sequence of the owner's last event that belongs to it.
@Record
package struct Written: Record {
    /// Head of the owner's log after this write; pass it as not_before.
    package var sequence: Int64 = 0
}

/// Parameters about one member; nil: the person of the uid.
package protocol MemberScoped {
    var member: String? { get }
    /// Everybody the request is about; where that is nobody, its handler judges whom a client may ask for.
    var judgedMembers: [String?] { get }
}

extension MemberScoped {
    package var judgedMembers: [String?] { [member] }
}
