package import JSON

/// Builds what a service keeps of others' state again, from their present state; every service answers it.
///
/// What the service owns itself is not touched.
@Method("copy.rebuild", of: .auth, .write, for: .person)
package enum CopyRebuild: Method {
    package typealias Params = Nothing

    @Record("copy.rebuild.result")
    package struct Result: Record {
        /// Owners whose copies are built again now; until each is whole, health.check says not_acting and, of
        /// what it follows, rebuilding.
        package var sources: [ServiceName] = []
    }
}
