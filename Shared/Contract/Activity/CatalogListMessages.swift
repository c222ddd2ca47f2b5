package import JSON

/// Domains of one category.
package struct CatalogGroup: Record {
    package var category = ""
    package var domains: [String] = []

    package init() {}
    package init(category: String = "", domains: [String] = []) {
        self.category = category
        self.domains = domains
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("category", &category, "social, games, ….", .subject(.category))
        try visitor.field(
            "domains", &domains,
            "Lower case, no dot at the end; each stands for all below it.", .subject(.domain))
    }
}

/// Takes in a part of a list of domains. The list is in force, in the place of the one of its name, when its
/// last part is there; until then nothing changes.
package enum CatalogImport: Method {
    package static let name = "catalog.import"
    package static let owner = ServiceName.activity
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary = "Takes in a part of a list of domains; it is in force when its last part is there."

    package struct Params: Record {
        package static var title: String { "catalog.import.params" }
        package var list = ""
        package var attempt = ""
        package var part: Int64 = 0
        package var last = false
        package var groups: [CatalogGroup] = []

        package init() {}
        package init(
            list: String = "", attempt: String = "", part: Int64 = 0, last: Bool = false,
            groups: [CatalogGroup] = []
        ) {
            self.list = list
            self.attempt = attempt
            self.part = part
            self.last = last
            self.groups = groups
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("list", &list, "Name of the list.")
            try visitor.field("attempt", &attempt, "Any text that is the same for all parts of one import.")
            try visitor.field("part", &part, "0, 1, 2 …; each after the answer to the one before.")
            try visitor.field("last", &last, "True: all parts are there; the list comes into force.")
            try visitor.field("groups", &groups, "Up to 10000 domains in all.")
        }
    }

    package struct Result: Record {
        package static var title: String { "catalog.import.result" }
        package var domains: Int64 = 0
        package var sequence: Int64 = 0

        package init() {}
        package init(domains: Int64 = 0, sequence: Int64 = 0) {
            self.domains = domains
            self.sequence = sequence
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("domains", &domains, "Different domains taken in so far.")
            try visitor.field("sequence", &sequence, "Head of the log after it.")
        }
    }
}

/// A list of domains that is in force.
package struct CatalogListInfo: Record {
    package var name = ""
    package var domains: Int64 = 0
    package var importedMs: Int64 = 0

    package init() {}
    package init(name: String = "", domains: Int64 = 0, importedMs: Int64 = 0) {
        self.name = name
        self.domains = domains
        self.importedMs = importedMs
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("name", &name, "Name of the list.", .personal)
        try visitor.field("domains", &domains, "How many domains it has.")
        try visitor.field("imported_ms", &importedMs, "When it came into force, UTC milliseconds.")
    }
}

/// The imported lists, the one that was imported last first: it decides where two lists name the same domain.
package enum CatalogLists: Method {
    package static let name = "catalog.lists"
    package static let owner = ServiceName.activity
    package static let effect = Effect.read
    package static let access = Access.authorizedClient
    package static let summary = "The imported lists, the one that was imported last first."
    package typealias Params = Nothing

    package struct Result: Record {
        package static var title: String { "catalog.lists.result" }
        package var lists: [CatalogListInfo] = []

        package init() {}
        package init(lists: [CatalogListInfo] = []) { self.lists = lists }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("lists", &lists, "In force now.")
        }
    }
}

/// The domains of one list, page by page.
package enum CatalogRead: Method {
    package static let name = "catalog.read"
    package static let owner = ServiceName.activity
    package static let effect = Effect.read
    package static let access = Access.person
    package static let summary = "The domains of one list, sorted, page by page."

    package struct Params: Record {
        package static var title: String { "catalog.read.params" }
        package var list = ""
        package var after: String?

        package init() {}
        package init(list: String = "", after: String? = nil) {
            self.list = list
            self.after = after
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("list", &list, "Name of the list.")
            try visitor.field("after", &after, "next of the page before.")
        }
    }

    package struct Result: Record {
        package static var title: String { "catalog.read.result" }
        package var groups: [CatalogGroup] = []
        package var next: String?

        package init() {}
        package init(groups: [CatalogGroup] = [], next: String? = nil) {
            self.groups = groups
            self.next = next
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("groups", &groups, "Neighbours of one category together; in order.")
            try visitor.field("next", &next, "There is more: ask again with this as after.")
        }
    }
}

/// Takes a list out of force.
package enum CatalogRemove: Method {
    package static let name = "catalog.remove"
    package static let owner = ServiceName.activity
    package static let effect = Effect.write
    package static let access = Access.person
    package static let summary = "Takes a list of domains out of force."

    package struct Params: Record {
        package static var title: String { "catalog.remove.params" }
        package var list = ""

        package init() {}
        package init(list: String) { self.list = list }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("list", &list, "Name of the list.")
        }
    }

    package typealias Result = Written
}
