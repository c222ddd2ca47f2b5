import Contract
import ExtensionLink
import Glibc
import JSON

/// Acts on shields and draws reports as a test asks: by the button, and by the name of the report.
@main struct ScreenFixture {
    static func main() {
        Link.shared.serve(ShieldAct.self) { params in
            print("act \(params.kind.rawValue) \(params.action) \(params.token.hasPrefix("token:"))")
            switch params.action {
            case "primaryButtonPressed": return ShieldAct.Result(response: "close")
            case "secondaryButtonPressed": return ShieldAct.Result(response: "defer")
            case "firstSecondarySubmenuItemPressed":
                return ShieldAct.Result(response: "openParentalControlsApp")
            case "secondSecondarySubmenuItemPressed": return ShieldAct.Result(response: "explode")
            default: abort()
            }
        }
        Link.shared.serve(ReportMake.self) { params in
            switch params.context {
            case "Total": return try total(params)
            case "Crash": abort()
            case "Huge": return ReportMake.Result(html: String(repeating: "x", count: 2 << 20), text: "")
            default:
                throw ServiceError(.notFound, "no report '\(params.context)'", remedy: "It has 'Total'.")
            }
        }
        Link.shared.serveForever()
    }

    /// A line for each app: its name, its milliseconds, and whether it has a token.
    private static func total(_ params: ReportMake.Params) throws -> ReportMake.Result {
        var lines: [String] = []
        for raw in params.data {
            let activity = try ReportActivity.decode(raw.bytes)
            for segment in activity.activitySegments {
                for category in segment.categories {
                    for app in category.applications {
                        let token = app.token?.hasPrefix("token:") == true ? "token" : "no token"
                        lines.append("\(app.app) \(app.totalActivityMs) \(category.category) \(token)")
                    }
                }
            }
        }
        let text = lines.sorted().joined(separator: "\n")
        return ReportMake.Result(html: "<html><body class=\"a\"><p>\(text)</p></body></html>", text: text)
    }
}
