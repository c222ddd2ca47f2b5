package import JSON

/// Has the report extension of an app draw one of its reports.
package enum ReportRender: Method {
    package static let name = "report.render"
    package static let owner = ServiceName.report
    package static let effect = Effect.read
    package static let access = Access.person
    package static let summary = "Has the report extension of an app draw one of its reports."

    package struct Params: Record {
        package static var title: String { "report.render.params" }
        package var client = ""
        package var context = ""
        package var filter = ReportQuery.Params()

        package init() {}
        package init(client: String, context: String, filter: ReportQuery.Params) {
            self.client = client
            self.context = context
            self.filter = filter
        }
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("client", &client, "Bundle id of the app.")
            try visitor.field("context", &context, "Which of its extension's reports.")
            try visitor.field(
                "filter", &filter, "Whose use of what and when; by, metric, shape and page say nothing here.")
        }
    }

    package struct Result: Record {
        package static var title: String { "report.render.result" }
        package var program = ""
        package var html = ""
        package var text = ""
        package var empty = false
        package var notes: [String] = []
        package var etag = ""

        package init() {}
        package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
            try visitor.field("extension", &program, "Bundle id of the extension that drew it.")
            try visitor.field(
                "html", &html, "A page for itself; where there is no use to show, it begins by saying why.")
            try visitor.field("text", &text, "The same for who cannot see it.")
            try visitor.field("empty", &empty, "There is no use to show; notes say why.")
            try visitor.field("notes", &notes, "Sentences for a person.")
            try visitor.field("etag", &etag, "Another one: another html or text.")
        }
    }
}

/// A report that somebody asked for in the last minutes looks different now.
package struct ReportRendered: EventData {
    package static let type = "report.rendered"
    package static let owner = ServiceName.report
    package static let summary = "A report that somebody asked for in the last minutes looks different now."
    package var client = ""
    package var context = ""
    package var filter = ReportQuery.Params()
    package var etag = ""

    package init() {}
    package init(client: String, context: String, filter: ReportQuery.Params, etag: String) {
        self.client = client
        self.context = context
        self.filter = filter
        self.etag = etag
    }
    package mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(JSONError) {
        try visitor.field("client", &client, "Bundle id of the app.")
        try visitor.field("context", &context, "Which of its extension's reports.")
        try visitor.field("filter", &filter, "As it was asked for; ask again for the report itself.")
        try visitor.field("etag", &etag, "Of what it looks like now.")
    }
}
