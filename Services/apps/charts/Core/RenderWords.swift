internal import AppSupport
internal import DeviceActivity
internal import Foundation

extension ChartRequest {
    /// The words by which the person's command line draws it.
    package var renderWords: [String] {
        get throws {
            guard case .daily(let week) = filter.segmentInterval else {
                throw AppError("only weeks by day are drawn", remedy: "Use ChartRequest's initialiser.")
            }
            var words = [
                "report", "render", "--client", Self.client, "--context", kind.rawValue, "--segment",
                "daily",
                "--from", week.start.formatted(.iso8601), "--to", week.end.formatted(.iso8601),
            ]
            if let users = filter.users { words += ["--users", users == .children ? "children" : "all"] }
            if let devices { words += ["--devices", devices.joined(separator: ",")] }
            return words
        }
    }
}
