package import Contract
package import JSON

/// The program's first request; its host answers it itself.
package enum Hello {
    package static let method = "hello"

    package struct Params: Record {
        package var tokens = true

        package init() {}
        package init(tokens: Bool) { self.tokens = tokens }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("tokens", &tokens, "True: subjects are shown and taken as tokens.")
        }
    }

    /// Who the program is, as its host knows it.
    package struct Answer: Record, Sendable {
        package static var title: String { "hello.answer" }
        package var client = ""
        package var program: String?
        package var point: ExtensionPoint?
        package var member = ""
        package var groups: [AppGroup] = []
        package var bundlePath: String?
        package var containerPath: String?
        package var dataAccess: Bool?

        package init() {}
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("client", &client, "Bundle id of the app it belongs to.")
            try visitor.field("extension", &program, "Bundle id of the extension; absent: the app itself.")
            try visitor.field("point", &point, "What the extension is for; absent: the app itself.")
            try visitor.field("member", &member, "Id of the member whose screen time it is about.")
            try visitor.field("groups", &groups, "App groups that its client's entitlements registered.")
            try visitor.field("bundle_path", &bundlePath, "Its bundle directory; absent: none is known.")
            try visitor.field(
                "container_path", &containerPath, "Directory of its own for defaults and files; absent: none."
            )
            try visitor.field(
                "data_access", &dataAccess, "True: its entitlements let it ask for names of apps and sites.")
        }
    }
}

/// A directory that an app and its extensions share.
package struct AppGroup: Record, Sendable {
    package var id = ""
    package var path = ""
    package var writable = false

    package init() {}
    package init(id: String, path: String, writable: Bool) {
        self.id = id
        self.path = path
        self.writable = writable
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("id", &id, "As in the entitlements.")
        try visitor.field("path", &path, "Absolute path of the directory.")
        try visitor.field("writable", &writable, "False: this program may only read there.")
    }
}

/// Asks the host to push events of the bus; it answers this itself. A later one replaces an earlier one.
package enum Subscribe {
    package static let method = "subscribe"

    package struct Params: Record {
        package var types: [String] = []

        package init() {}
        package init(types: [String]) { self.types = types }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("types", &types, "Types of events of the contract.")
        }
    }
}
