import Contract
import Dispatch
import ExtensionLink
import Glibc
import JSON

/// Acts on shields and draws reports as a test asks: by the button, and by the name of the report.
@main struct ScreenFixture {
    static func main() {
        Link.shared.serve(ShieldAct.self) { params in
            print("act \(params.kind.rawValue) \(params.action) \(params.token.hasPrefix("token:"))")
            switch params.action {
            case "primaryButtonPressed":
                return ShieldAct.Result(response: opensItsApp ? "openParentalControlsApp" : "close")
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
            case "Locks": return locks
            case "Crash": abort()
            case "Huge": return ReportMake.Result(html: String(repeating: "x", count: 2 << 20), text: "")
            default:
                throw ServiceError(.notFound, "no report '\(params.context)'", remedy: "It has 'Total'.")
            }
        }
        Link.shared.serveForever { dispatchMain() }
    }

    /// Whether its bundle says that the primary button opens the app.
    private static var opensItsApp: Bool {
        let file = open("Info.plist", O_RDONLY)
        guard file >= 0 else { return false }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = max(0, read(file, &bytes, bytes.count))
        return String(decoding: bytes[..<count], as: UTF8.self).contains("openParentalControlsApp")
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

    /// Which locks it gets on a file that it may only read, as every other program may.
    private static var locks: ReportMake.Result {
        typealias Control = @convention(c) (Int32, Int32, Int) -> Int32
        let file = open("Info.plist", O_RDONLY)
        var lines = ["open \(file >= 0)"]
        for (name, kind) in [("shared", LOCK_SH), ("exclusive", LOCK_EX)] {
            lines.append("\(name) \(flock(file, kind | LOCK_NB) == 0 ? "locked" : "refused")")
        }
        var lock = Glibc.flock()
        lock.l_type = Int16(F_RDLCK)
        let symbol = dlsym(dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD), "fcntl")
        withUnsafeMutablePointer(to: &lock) { lock in
            let call = unsafeBitCast(symbol, to: Control.self)
            // F_GETLK, F_SETLK, F_SETLKW and the same of open files.
            for command in [5, 6, 7, 36, 37, 38] as [Int32] {
                let result = call(file, command, Int(bitPattern: lock))
                lines.append("fcntl \(command) \(result == 0 ? "locked" : "refused")")
            }
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
                        lines.append("\(app.app) \(app.totalActivity) \(category.category) \(token)")
                    }
                }
            }
        }
        let text = lines.sorted().joined(separator: "\n")
        return ReportMake.Result(html: "<html><body class=\"a\"><p>\(text)</p></body></html>", text: text)
    }
}
