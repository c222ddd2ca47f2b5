/// Which requests are looked at at all: those that a page of this console makes, or somebody who types its
/// address.
///
/// Every program on the machine, and every page in its browsers, can reach a port of loopback. A page of
/// another origin may send requests here with the person's cookie (CSRF), and after its own name was resolved
/// to this machine it counts as the same origin (DNS rebinding); hence the checks of RFC 9110 `Host`,
/// `Origin` and Fetch Metadata, for every request.
struct Gate {
    /// The names under which the console is reached, with the port: `localhost:PORT`, `127.0.0.1:PORT`,
    /// `[::1]:PORT`.
    let authorities: Set<String>

    init(port: UInt16) {
        authorities = Set(["localhost", "127.0.0.1", "[::1]"].map { "\($0):\(port)" })
    }

    /// A refusal in one sentence, with its status.
    struct Refusal: Equatable {
        var name: ConsoleRefusal
        var sentence: String
        var status: Int { name.status }
    }

    /// - Returns: why the request is refused; nil if it may be answered.
    func refusal(_ request: HTTPRequest) -> Refusal? {
        guard let host = request.fields["host"]?.lowercased(), authorities.contains(host) else {
            return Refusal(
                name: .wrongHost, sentence: "this address is not the console's; use screentime open")
        }
        switch request.method {
        case "GET", "HEAD": return ofReading(request)
        case "POST": return ofChanging(request, host)
        default: return Refusal(name: .methodNotAllowed, sentence: "only GET, HEAD and POST are answered")
        }
    }

    /// The first page may be opened by a link from anywhere; what it loads must be loaded by it.
    private func ofReading(_ request: HTTPRequest) -> Refusal? {
        let site = request.fields["sec-fetch-site"] ?? "none"
        guard site == "cross-site" || site == "same-site" else { return nil }
        guard request.fields["sec-fetch-mode"] == "navigate", request.fields["sec-fetch-dest"] == "document"
        else { return Refusal(name: .forbidden, sentence: "pages of other origins may not load this") }
        return nil
    }

    private func ofChanging(_ request: HTTPRequest, _ host: String) -> Refusal? {
        guard request.fields["origin"]?.lowercased() == "http://\(host)" else {
            return Refusal(name: .forbidden, sentence: "the request does not come from a page of the console")
        }
        if let site = request.fields["sec-fetch-site"], site != "same-origin" {
            return Refusal(name: .forbidden, sentence: "pages of other origins may not send this")
        }
        let type = request.fields["content-type"] ?? ""
        let media = type.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard media == "application/json" else {
            return Refusal(name: .unsupportedMediaType, sentence: "the body must be application/json")
        }
        return nil
    }

    /// Header fields of every response: nothing inline, nothing from elsewhere, in no frame.
    static let fields: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
                + "font-src 'self'; manifest-src 'self'; frame-src 'self'; form-action 'none'; "
                + "frame-ancestors 'none'; base-uri 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    /// The same for what a program made, shown in a frame of a page: without scripts, forms, windows,
    /// navigation, and with an origin of its own.
    static let fieldsOfScene: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
                + "frame-ancestors 'self'; base-uri 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "SAMEORIGIN"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    /// The same for an app's icon, which its package brought: as an image it runs nothing, and opened by its
    /// address it does not either.
    static let fieldsOfIcon: [(name: String, value: String)] = [
        ("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"),
        ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}
