package import JSON

/// Tells every program that a name was posted: the Darwin notifications of Apple's platforms, which carry
/// nothing but their name.
package enum DarwinPost: Method {
    package static let name = "darwin.post"
    package static let owner = ServiceName.notifier
    package static let effect = Effect.write
    package static let access = Access.authorizedClient
    package static let summary = "Tells every program that a name was posted: a Darwin notification, which carries nothing but its name."

    package struct Params: Record {
        package static var title: String { "darwin.post.params" }
        package var name = ""

        package init() {}
        package init(name: String = "") { self.name = name }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("name", &name, "1 to 512 bytes; a reverse domain name by custom.", .publicText)
        }
    }
    package typealias Result = Written
}

/// A Darwin notification was posted; one event for each post, in their order.
package struct DarwinPosted: EventData {
    package static let type = "darwin.posted"
    package static let owner = ServiceName.notifier
    package static let summary = "A Darwin notification was posted; one event for each post, in their order."
    package var name = ""
    package var client: String?

    package init() {}
    package init(name: String = "", client: String? = nil) {
        self.name = name
        self.client = client
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("name", &name, "As posted.", .publicText)
        try visitor.field(
            "client", &client, "Bundle id of who posted it; absent: the person or a service.", .personal)
    }
}
