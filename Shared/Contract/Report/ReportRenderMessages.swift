package import JSON

/// Has the report extension of an app draw one of its reports.
@Method("report.render", of: .report, .read, for: .person)
package enum ReportRender: Method {
    @Record("report.render.params")
    package struct Params: Record {
        /// Bundle id of the app.
        package var client: String = ""
        /// Which of its extension's reports.
        package var context: String = ""
        /// Whose use of what and when; by, metric, shape and page say nothing here.
        package var filter: ReportQuery.Params = ReportQuery.Params()
    }

    @Record("report.render.result")
    package struct Result: Record {
        /// Bundle id of the extension that drew it.
        @Field(name: "extension") package var program: String = ""
        /// A page for itself; where there is no use to show, it begins by saying why.
        package var html: String = ""
        /// The same for who cannot see it.
        package var text: String = ""
        /// There is no use to show; notes say why.
        package var empty: Bool = false
        /// Sentences for a person.
        package var notes: [String] = []
        /// Another one: another html or text.
        package var etag: String = ""
    }
}

/// A report that somebody asked for in the last minutes looks different now.
@Event("report.rendered", of: .report)
package struct ReportRendered: EventData {
    /// Bundle id of the app.
    package var client: String = ""
    /// Which of its extension's reports.
    package var context: String = ""
    /// As it was asked for; ask again for the report itself.
    package var filter: ReportQuery.Params = ReportQuery.Params()
    /// Of what it looks like now.
    package var etag: String = ""
}
