package import JSON

/// Rebuilds a service's copies of other services' state from their present state; every service implements
/// it.
///
/// State that the service owns is unchanged.
@Method("copy.rebuild", of: .auth, .write, for: .person)
package enum CopyRebuild: Method {
    /// Whether to let go of what could not be read.
    @Record("copy.rebuild.params")
    package struct Params: Record {
        /// True: records that could not be read, and which the service has set aside, are deleted.
        package var discardUnreadable: Bool?
    }

    /// The copies that are being rebuilt.
    @Record("copy.rebuild.result")
    package struct Result: Record {
        /// Owners whose copies are being rebuilt. Until a copy is complete, health.check reports it in
        /// not_acting and as rebuilding in follows.
        package var sources: [ServiceName] = []
    }
}
