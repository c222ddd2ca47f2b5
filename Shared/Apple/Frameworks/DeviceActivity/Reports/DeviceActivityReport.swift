internal import Contract
public import SwiftUI

/// The place of a report in an app: what a report extension of the app draws there.
///
/// In an app's page it is an element `<screentime-report context="…" filter="…">` with a label, which whoever
/// shows the page fills. The figures never pass through the app.
public struct DeviceActivityReport: View, PrimitiveView, Sendable {
    /// Names a report: what the app asks for, and a scene of its report extension draws.
    public struct Context: RawRepresentable, Hashable, Sendable {
        public var rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    let context: Context
    let filter: DeviceActivityFilter

    public nonisolated init(_ context: Context, filter: DeviceActivityFilter = DeviceActivityFilter()) {
        self.context = context
        self.filter = filter
    }

    public typealias Body = Never

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
