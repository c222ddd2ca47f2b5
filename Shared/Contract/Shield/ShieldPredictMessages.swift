package import JSON

/// An app, a domain or a category.
@Record
package struct ShieldTarget: Record, Hashable {
    /// App, domain, category (of apps) or domain_category.
    package var kind: SubjectKind = .app
    /// App id, domain or category; all: every category.
    package var subject: String = ""
}

/// A subject of another category than the catalogue's.
@Record
package struct MovedSubject: Record {
    /// App or domain.
    package var kind: SubjectKind = .app
    /// App id or domain.
    package var subject: String = ""
    /// Its category then.
    package var category: String = ""
}

/// Predicts what a change would shield at once that is not shielded now. Nothing is changed.
///
/// The parts of the change are taken together. A user interface asks before it does something that would take
/// an app away from the person in the middle of using it.
@Method("shield.predict", of: .shield, .read, for: .person)
package enum ShieldPredict: Method {
    /// The change, up to 500 subjects and exceptions together.
    @Record("shield.predict.params")
    package struct Params: Record, MemberScoped {
        /// Member id; default the person of the uid.
        package var member: String?
        /// Bundle id of the app whose stores would shield `shield`; default the person's own limits. While
        /// its restrictions are switched off, its stores shield nothing.
        package var client: String?
        /// What stores of that app would shield in addition.
        package var shield: [ShieldTarget]?
        /// What would no longer be always allowed.
        package var disallow: [ShieldTarget]?
        /// Ids of the requests whose exceptions would end.
        package var endedExceptions: [String]?
        /// What would have another category.
        package var moved: [MovedSubject]?
    }

    /// What would be shielded.
    @Record("shield.predict.result")
    package struct Result: Record {
        /// Sorted by kind and subject; up to 100. A category stands for what is in it, and a domain for its
        /// subdomains, but for what is open by itself: they are listed beside it only if the change names
        /// them. `all` stands for all categories of its kind, or, if the change names it, for those that are
        /// neither shielded already nor always allowed.
        package var covered: [ShieldTarget] = []
        /// How many there are beyond those.
        package var leftOut: Int64?
    }
}
