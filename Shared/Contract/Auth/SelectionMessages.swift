package import JSON

/// Apps, categories and domains that a person chose for a client under a name: what Apple's
/// FamilyActivityPicker gives.
package struct Selection: Record {
    package var name = ""
    package var client = ""
    package var member = ""
    package var applications: [String] = []
    package var categories: [String] = []
    package var webDomains: [String] = []
    package var includeEntireCategory = false
    package var changedMs: Int64 = 0

    package init() {}
    package init(
        name: String = "", client: String = "", member: String = "", applications: [String] = [],
        categories: [String] = [], webDomains: [String] = [], includeEntireCategory: Bool = false,
        changedMs: Int64 = 0
    ) {
        self.name = name
        self.client = client
        self.member = member
        self.applications = applications
        self.categories = categories
        self.webDomains = webDomains
        self.includeEntireCategory = includeEntireCategory
        self.changedMs = changedMs
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("name", &name, "Unique for the client and member.", .publicText)
        try visitor.field("client", &client, "Bundle id of the app it was chosen for.", .publicText)
        try visitor.field("member", &member, "Member id.", .publicText)
        try visitor.field("applications", &applications, "App ids, sorted.", .subject(.app))
        try visitor.field("categories", &categories, "Categories, sorted.", .subject(.category))
        try visitor.field("web_domains", &webDomains, "Domains, sorted.", .subject(.domain))
        try visitor.field(
            "include_entire_category", &includeEntireCategory,
            "True: the apps and domains of a chosen category were chosen with it.")
        try visitor.field("changed_ms", &changedMs, "When it was last set, UTC milliseconds.")
    }
}

/// Which selection of whom.
package struct SelectionKey: Record, MemberScoped {
    package static var title: String { "selection.key" }
    package var name = ""
    package var client: String?
    package var member: String?

    package init() {}
    package init(name: String = "", client: String? = nil, member: String? = nil) {
        self.name = name
        self.client = client
        self.member = member
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("name", &name, "Of the selection.", .publicText)
        try visitor.field("client", &client, "Bundle id; a client leaves it out: its own.", .publicText)
        try visitor.field("member", &member, "Member id; default the person of the uid.", .publicText)
    }
}

/// Saves a selection; one of the same name is replaced.
package enum SelectionSet: Method {
    package static let name = "selection.set"
    package static let owner = ServiceName.auth
    package static let effect = Effect.write
    package static let access = Access.authorizedClient
    package static let summary = "Saves a selection of apps, categories and domains; one of the same name is replaced."

    package struct Params: Record, MemberScoped {
        package static var title: String { "selection.set.params" }
        package var name = ""
        package var client: String?
        package var member: String?
        package var applications: [String] = []
        package var categories: [String] = []
        package var webDomains: [String] = []
        package var includeEntireCategory: Bool?

        package init() {}
        package init(
            name: String = "", client: String? = nil, member: String? = nil, applications: [String] = [],
            categories: [String] = [], webDomains: [String] = [], includeEntireCategory: Bool? = nil
        ) {
            self.name = name
            self.client = client
            self.member = member
            self.applications = applications
            self.categories = categories
            self.webDomains = webDomains
            self.includeEntireCategory = includeEntireCategory
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("name", &name, "1 to 512 bytes.", .publicText)
            try visitor.field("client", &client, "Bundle id; a client leaves it out: its own.", .publicText)
            try visitor.field("member", &member, "Member id; default the person of the uid.", .publicText)
            try visitor.field("applications", &applications, "App ids.", .subject(.app))
            try visitor.field("categories", &categories, "Categories of the catalogue.", .subject(.category))
            try visitor.field("web_domains", &webDomains, "Domains.", .subject(.domain))
            try visitor.field(
                "include_entire_category", &includeEntireCategory,
                "True: the apps and domains of the categories are listed, too.")
        }
    }

    package struct Result: Record {
        package static var title: String { "selection.set.result" }
        package var selection = Selection()
        package var sequence: Int64 = 0

        package init() {}
        package init(selection: Selection, sequence: Int64) {
            self.selection = selection
            self.sequence = sequence
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("selection", &selection, "As saved.")
            try visitor.field("sequence", &sequence, "Head of the log.")
        }
    }
}

/// One saved selection.
package enum SelectionRead: Method {
    package static let name = "selection.read"
    package static let owner = ServiceName.auth
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "One saved selection."
    package typealias Params = SelectionKey

    package struct Result: Record {
        package static var title: String { "selection.read.result" }
        package var selection = Selection()

        package init() {}
        package init(selection: Selection) { self.selection = selection }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("selection", &selection, "As saved.")
        }
    }
}

/// The saved selections; for a client, its own.
package enum SelectionList: Method {
    package static let name = "selection.list"
    package static let owner = ServiceName.auth
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "The saved selections; for a client, its own."

    package struct Params: Record, MemberScoped {
        package static var title: String { "selection.list.params" }
        package var client: String?
        package var member: String?

        package init() {}
        package init(client: String? = nil, member: String? = nil) {
            self.client = client
            self.member = member
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("client", &client, "Only of this client.", .publicText)
            try visitor.field(
                "member", &member, "Only of this member; a client's default is the person.", .publicText)
        }
    }

    package struct Result: Record {
        package static var title: String { "selection.list.result" }
        package var selections: [Selection] = []

        package init() {}
        package init(selections: [Selection]) { self.selections = selections }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("selections", &selections, "Sorted by client, member and name.")
        }
    }
}

/// Forgets a selection.
package enum SelectionRemove: Method {
    package static let name = "selection.remove"
    package static let owner = ServiceName.auth
    package static let effect = Effect.write
    package static let access = Access.authorizedClient
    package static let summary = "Forgets a saved selection."
    package typealias Params = SelectionKey
    package typealias Result = Written
}

/// A selection was saved or forgotten.
package struct SelectionChanged: EventData {
    package static let type = "selection.changed"
    package static let owner = ServiceName.auth
    package static let summary = "A selection was saved or forgotten."
    package var selection = Selection()
    package var removed = false

    package init() {}
    package init(selection: Selection, removed: Bool = false) {
        self.selection = selection
        self.removed = removed
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("selection", &selection, "As of now, or as it was.")
        try visitor.field("removed", &removed, "True: it was forgotten.")
    }
}
