internal import Contract
public import SwiftUI

/// Embeds a report of the app's report extension in the app's view.
///
/// It renders as an element `<screentime-report context="…" filter="…">` with a label, which the program that
/// displays the page replaces with the report. The usage data never passes through the app.
public struct DeviceActivityReport: View, PrimitiveView, Sendable {
    /// Identifies a report. The app requests it, and the scene with the same context renders it.
    public struct Context: RawRepresentable, Hashable, Sendable {
        /// The text that app and extension share.
        public var rawValue: String

        /// Accepts any text; the extension answers `notFound` for a context that no scene has.
        public init(_ rawValue: String) { self.rawValue = rawValue }
        /// Satisfies `RawRepresentable`; the same as ``init(_:)``.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    let context: Context
    let filter: DeviceActivityFilter

    /// A placeholder for the report. - Parameter filter: the usage data that the report covers.
    public nonisolated init(_ context: Context, filter: DeviceActivityFilter = DeviceActivityFilter()) {
        self.context = context
        self.filter = filter
    }

    /// A primitive view: it has no body.
    public typealias Body = Never

    /// One `screentime-report` element that grows in width.
    package func nodes(in context: RenderContext) -> [RenderNode] {
        var place = RenderNode("screentime-report", children: [RenderNode(text: label)])
        place[attribute: "context"] = self.context.rawValue
        place[attribute: "filter"] = String(decoding: filter.query.encoded(), as: UTF8.self)
        place[attribute: "role"] = "region"
        place[attribute: "aria-label"] = label
        return [place.growing(width: true)]
    }

    private var label: String { "Report: \(context.rawValue)" }
}
