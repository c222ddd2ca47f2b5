package import JSON
package import Units

/// Apps, categories and domains that a person chose for a client under a name: what Apple's
/// FamilyActivityPicker gives.
@Record
package struct Selection: Record {
    /// Unique for the client and member.
    @Field(.publicText) package var name: String = ""
    /// Bundle id of the app it was chosen for.
    @Field(.publicText) package var client: String = ""
    /// Member id.
    @Field(.publicText) package var member: String = ""
    /// App ids, sorted.
    @Field(.subject(.app)) package var applications: [String] = []
    /// Categories, sorted.
    @Field(.subject(.category)) package var categories: [String] = []
    /// Domains, sorted.
    @Field(.subject(.domain)) package var webDomains: [String] = []
    /// True: the apps and domains of a chosen category were chosen with it.
    package var includeEntireCategory: Bool = false
    /// When it was last set, UTC milliseconds.
    package var changed: Instant = 0
}

/// Which selection of whom.
@Record("selection.key")
package struct SelectionKey: Record, MemberScoped {
    /// Of the selection.
    @Field(.publicText) package var name: String = ""
    /// Bundle id; a client leaves it out: its own.
    @Field(.publicText) package var client: String?
    /// Member id; default the person of the uid.
    @Field(.publicText) package var member: String?
}

/// Saves a selection of apps, categories and domains; one of the same name is replaced.
@Method("selection.set", of: .auth, .write, for: .authorizedClient)
package enum SelectionSet: Method {
    @Record("selection.set.params")
    package struct Params: Record, MemberScoped {
        /// 1 to 512 bytes.
        @Field(.publicText) package var name: String = ""
        /// Bundle id; a client leaves it out: its own.
        @Field(.publicText) package var client: String?
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// App ids.
        @Field(.subject(.app)) package var applications: [String] = []
        /// Categories of the catalogue.
        @Field(.subject(.category)) package var categories: [String] = []
        /// Domains.
        @Field(.subject(.domain)) package var webDomains: [String] = []
        /// True: the apps and domains of the categories are listed, too.
        package var includeEntireCategory: Bool?
    }

    @Record("selection.set.result")
    package struct Result: Record {
        /// As saved.
        package var selection: Selection = Selection()
        /// Head of the log.
        package var sequence: Int64 = 0
    }
}

/// One saved selection.
@Method("selection.read", of: .auth, .read, for: .authorizedClient)
package enum SelectionRead: Method {
    package typealias Params = SelectionKey

    @Record("selection.read.result")
    package struct Result: Record {
        /// As saved.
        package var selection: Selection = Selection()
    }
}

/// The saved selections; for a client, its own.
@Method("selection.list", of: .auth, .read, for: .authorizedClient)
package enum SelectionList: Method {
    @Record("selection.list.params")
    package struct Params: Record, MemberScoped {
        /// Only of this client.
        @Field(.publicText) package var client: String?
        /// Only of this member; a client's default is the person.
        @Field(.publicText) package var member: String?
    }

    @Record("selection.list.result")
    package struct Result: Record {
        /// Sorted by client, member and name.
        package var selections: [Selection] = []
    }
}

/// Forgets a saved selection.
@Method("selection.remove", of: .auth, .write, for: .authorizedClient)
package enum SelectionRemove: Method {
    package typealias Params = SelectionKey
    package typealias Result = Written
}

/// A selection was saved or forgotten.
@Event("selection.changed", of: .auth)
package struct SelectionChanged: EventData {
    /// As of now, or as it was.
    package var selection: Selection = Selection()
    /// True: it was forgotten.
    package var removed: Bool = false
}
