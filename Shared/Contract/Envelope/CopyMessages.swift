package import JSON

/// Builds what a service keeps of others' state again, from their present state; every service answers it.
/// What the service owns itself is not touched.
package enum CopyRebuild: Method {
    package static let name = "copy.rebuild"
    package static let owner = ServiceName.auth
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary =
        "Builds what a service keeps of others' state again, from their present state; every service answers it."
    package typealias Params = Nothing

    package struct Result: Record {
        package static var title: String { "copy.rebuild.result" }
        package var sources: [ServiceName] = []

        package init() {}
        package init(sources: [ServiceName]) { self.sources = sources }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field(
                "sources", &sources,
                "Owners whose copies are built again now; until each is whole, health.check says not_acting and, of what it follows, rebuilding.")
        }
    }
}
