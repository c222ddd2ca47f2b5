package import Contract
package import JSON

/// By which clock and in which time zone the app's member lives; `app-link` answers it itself.
package enum LinkClock: Method {
    package static let name = "clock"
    package static let owner = ServiceName.activity
    package static let effect = Effect.read
    package static let access = Access.anyone
    package static let summary = "By which clock and in which time zone the app's member lives."
    package typealias Params = Nothing

    package struct Result: Record {
        package static var title: String { "clock.result" }
        package var page: String?
        package var library: String?
        package var zone: String?
        package var zoneUnknown: String?

        package init() {}
        package init(page: String, library: String) {
            self.page = page
            self.library = library
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("page", &page, "The page of a virtual clock; absent: the machine's clock.")
            try visitor.field("library", &library, "What makes a program live by the page, preloaded.")
            try visitor.field("zone", &zone, "IANA time zone of the member; absent: the machine's.")
            try visitor.field(
                "zone_unknown", &zoneUnknown,
                "Why nobody could say whether the member has a zone; absent: it is known.")
        }
    }
}
