package import JSON
package import Units

/// Apps, categories and domains that a person chose for a client under a name: the result of Apple's
/// FamilyActivityPicker.
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
    /// True: choosing a category also chose its apps and domains.
    package var includeEntireCategory: Bool = false
    /// When it was last set, UTC milliseconds.
    package var changed: Instant = 0
}

/// Identifies a selection.
@Record("selection.key")
package struct SelectionKey: Record, MemberScoped {
    /// Name of the selection.
    @Field(.publicText) package var name: String = ""
    /// Bundle id. A client omits it: the default is its own.
    @Field(.publicText) package var client: String?
    /// Member id; default the person of the uid.
    @Field(.publicText) package var member: String?
}

/// Saves a selection of apps, categories and domains; one of the same name is replaced.
@Method("selection.set", of: .auth, .write, for: .authorizedClient)
package enum SelectionSet: Method {
    /// The complete selection; it replaces one of the same name.
    @Record("selection.set.params")
    package struct Params: Record, MemberScoped {
        /// 1 to 512 bytes.
        @Field(.publicText) package var name: String = ""
        /// Bundle id. A client omits it: the default is its own.
        @Field(.publicText) package var client: String?
        /// Member id; default the person of the uid.
        @Field(.publicText) package var member: String?
        /// App ids.
        @Field(.subject(.app)) package var applications: [String] = []
        /// Categories of the catalogue.
        @Field(.subject(.category)) package var categories: [String] = []
        /// Domains.
        @Field(.subject(.domain)) package var webDomains: [String] = []
        /// True: the lists also contain the apps and domains of the categories.
        package var includeEntireCategory: Bool?
    }

    /// The stored selection.
    @Record("selection.set.result")
    package struct Result: Record {
        /// As saved.
        package var selection: Selection = Selection()
        /// Head of the log.
        package var sequence: Int64 = 0
    }
}

/// Reads one saved selection.
@Method("selection.read", of: .auth, .read, for: .authorizedClient)
package enum SelectionRead: Method {
    /// The selection.
    package typealias Params = SelectionKey

    /// The selection; notFound if there is none of this name.
    @Record("selection.read.result")
    package struct Result: Record {
        /// As saved.
        package var selection: Selection = Selection()
    }
}

/// Lists the saved selections; for a client, its own.
@Method("selection.list", of: .auth, .read, for: .authorizedClient)
package enum SelectionList: Method {
    /// Filters.
    @Record("selection.list.params")
    package struct Params: Record, MemberScoped {
        /// Only of this client.
        @Field(.publicText) package var client: String?
        /// Only of this member; a client's default is the person.
        @Field(.publicText) package var member: String?
    }

    /// The selections.
    @Record("selection.list.result")
    package struct Result: Record {
        /// Sorted by client, member and name.
        package var selections: [Selection] = []
    }
}

/// Removes a saved selection.
@Method("selection.remove", of: .auth, .write, for: .authorizedClient)
package enum SelectionRemove: Method {
    /// The selection.
    package typealias Params = SelectionKey
    /// Only the head of the log after this write.
    package typealias Result = Written
}

/// A selection was saved or removed.
@Event("selection.changed", of: .auth)
package struct SelectionChanged: EventData {
    /// The saved selection, or the one that was removed.
    package var selection: Selection = Selection()
    /// True: it was removed.
    package var removed: Bool = false
}
