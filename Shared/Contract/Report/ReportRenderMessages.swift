package import JSON

/// Renders a report with the report extension of an app.
@Method("report.render", of: .report, .read, for: .person)
package enum ReportRender: Method {
    /// The report of an app, and the use it shows.
    @Record("report.render.params")
    package struct Params: Record {
        /// Bundle id of the app.
        package var client: String = ""
        /// Apple's DeviceActivityReport.Context: which report of its extension.
        package var context: String = ""
        /// The use to report on; by, metric, shape and page are ignored.
        package var filter: ReportQuery.Params = ReportQuery.Params()
    }

    /// The rendered report.
    @Record("report.render.result")
    package struct Result: Record {
        /// Bundle id of the extension that rendered it.
        @Field(name: "extension") package var program: String = ""
        /// A complete HTML page; where there is no use to show, it begins with the reason.
        package var html: String = ""
        /// The report as plain text.
        package var text: String = ""
        /// True: there is no use to show; notes give the reason.
        package var empty: Bool = false
        /// Hints for the reader, a sentence each.
        package var notes: [String] = []
        /// Changes whenever html or text changes.
        package var etag: String = ""
    }
}

/// A report that was requested in the last minutes looks different now.
@Event("report.rendered", of: .report)
package struct ReportRendered: EventData {
    /// Bundle id of the app.
    package var client: String = ""
    /// Apple's DeviceActivityReport.Context: which report of its extension.
    package var context: String = ""
    /// The filter of the request. Request the report again to get its content.
    package var filter: ReportQuery.Params = ReportQuery.Params()
    /// The etag of the new content.
    package var etag: String = ""
}
