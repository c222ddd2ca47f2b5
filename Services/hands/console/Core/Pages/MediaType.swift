/// What a file of the pages is, by its name. Others are not served.
enum MediaType {
    /// The value of `Content-Type`, and whether packing it pays.
    struct Kind {
        let name: String
        let isText: Bool
    }

    private static let kinds: [String: Kind] = [
        "html": Kind(name: "text/html; charset=utf-8", isText: true),
        "js": Kind(name: "text/javascript; charset=utf-8", isText: true),
        "css": Kind(name: "text/css; charset=utf-8", isText: true),
        "json": Kind(name: "application/json", isText: true),
        "webmanifest": Kind(name: "application/manifest+json", isText: true),
        "svg": Kind(name: "image/svg+xml", isText: true),
        "txt": Kind(name: "text/plain; charset=utf-8", isText: true),
        "png": Kind(name: "image/png", isText: false),
        "webp": Kind(name: "image/webp", isText: false),
        "ico": Kind(name: "image/vnd.microsoft.icon", isText: false),
        "woff2": Kind(name: "font/woff2", isText: false),
    ]

    /// The kind of a file with this name; nil if it is not served.
    static func of(_ name: String) -> Kind? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        return kinds[String(name[name.index(after: dot)...])]
    }
}
