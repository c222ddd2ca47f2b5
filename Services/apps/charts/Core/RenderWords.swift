internal import AppSupport
internal import CommandKit
internal import DeviceActivity
internal import Foundation

extension ChartRequest {
    /// The arguments of `screentime` that draw it.
    package var renderWords: [String] {
        get throws {
            guard case .daily(let week) = filter.segmentInterval else {
                throw CommandError("only weeks by day are drawn", remedy: "Use ChartRequest's initialiser.")
            }
            var words = [
                "report", "render", "--client", Self.client, "--context", kind.rawValue, "--segment", "daily",
                "--from", Self.day(week.start), "--to", Self.day(week.end - 1),
            ]
            if let users = filter.users { words += ["--users", users == .children ? "children" : "all"] }
            for model in devices ?? [] { words += ["--model", model] }
            return words
        }
    }

    /// The civil day of an instant, `YYYY-MM-DD`.
    private static func day(_ instant: Date) -> String {
        let parts = Calendar.current.dateComponents([.year, .month, .day], from: instant)
        return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
    }
}
