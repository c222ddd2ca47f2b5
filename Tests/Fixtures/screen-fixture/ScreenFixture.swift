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
            case "Hostile": return hostile
            case "Unfinished": return ReportMake.Result(html: "<html><body><p>a<script>", text: "")
            case "Files": return files
            case "Crash": abort()
            case "Huge": return ReportMake.Result(html: String(repeating: "x", count: 2 << 20), text: "")
            default:
                throw ServiceError(.notFound, "no report '\(params.context)'", remedy: "It has 'Total'.")
            }
        }
        Link.shared.serveForever()
    }

    /// What no report may show, and one sentence that it may.
    private static var hostile: ReportMake.Result {
        let html = """
            <html><head><meta http-equiv="refresh" content="0;url=https://example.org/"/>
            <style>p{background:url(https://example.org/a)}</style></head><body>
            <script>fetch('https://example.org')</script><p onclick="x()">seen</p>
            <img src="https://example.org/i.png" alt="a"/><iframe src="file:///etc/passwd">x</iframe>
            </body></html>
            """
        return ReportMake.Result(html: html, text: "seen \u{1B}[2J\u{202E}evil")
    }

    /// Which files it can write, and that its own directory is empty.
    private static var files: ReportMake.Result {
        var lines: [String] = []
        for key in ["HOME", "TMPDIR"] {
            let path = (getenv(key).map { String(cString: $0) } ?? "/nowhere") + "/left"
            let file = open(path, O_WRONLY | O_CREAT, 0o600)
            lines.append("\(key) \(file >= 0 ? "written" : "refused")")
            if file >= 0 { close(file) }
        }
        let text = lines.joined(separator: "\n")
        return ReportMake.Result(html: "<html><body><p>\(text)</p></body></html>", text: text)
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
