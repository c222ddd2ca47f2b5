/// Which requests are looked at at all: those that a page of this console makes, or somebody who types its address.
///
/// Every program on the machine, and every page in its browsers, can reach a port of loopback. A page of
/// another origin may send requests here with the person's cookie (CSRF), and after its own name was resolved
/// to this machine it counts as the same origin (DNS rebinding); hence the checks of RFC 9110 `Host`, `Origin`
/// and Fetch Metadata, for every request.
struct Gate {
    /// The names under which the console is reached, with the port: `localhost:PORT`, `127.0.0.1:PORT`, `[::1]:PORT`.
    let authorities: Set<String>

    init(port: UInt16) {
        authorities = Set(["localhost", "127.0.0.1", "[::1]"].map { "\($0):\(port)" })
    }

    /// A refusal in one sentence, with its status.
    struct Refusal: Equatable {
        var status: Int
        var sentence: String
    }

    /// - Returns: why the request is refused; nil if it may be answered.
    func refusal(_ request: HTTPRequest) -> Refusal? {
        guard let host = request.fields["host"]?.lowercased(), authorities.contains(host) else {
            return Refusal(status: 421, sentence: "this address is not the console's; use screentime open")
        }
        switch request.method {
        case "GET", "HEAD": return ofReading(request)
        case "POST": return ofChanging(request, host)
        default: return Refusal(status: 405, sentence: "only GET, HEAD and POST are answered")
        }
    }

    /// The first page may be opened by a link from anywhere; what it loads must be loaded by it.
    private func ofReading(_ request: HTTPRequest) -> Refusal? {
        let site = request.fields["sec-fetch-site"] ?? "none"
        guard site == "cross-site" || site == "same-site" else { return nil }
        guard request.fields["sec-fetch-mode"] == "navigate", request.fields["sec-fetch-dest"] == "document"
        else { return Refusal(status: 403, sentence: "pages of other origins may not load this") }
        return nil
    }

    private func ofChanging(_ request: HTTPRequest, _ host: String) -> Refusal? {
        guard request.fields["origin"]?.lowercased() == "http://\(host)" else {
            return Refusal(status: 403, sentence: "the request does not come from a page of the console")
        }
        if let site = request.fields["sec-fetch-site"], site != "same-origin" {
            return Refusal(status: 403, sentence: "pages of other origins may not send this")
        }
        let type = request.fields["content-type"] ?? ""
        let media = type.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard media == "application/json" else {
            return Refusal(status: 415, sentence: "the body must be application/json")
        }
        return nil
    }

    /// Header fields of every response: nothing inline, nothing from elsewhere, in no frame, kept nowhere.
    static let fields: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                + "font-src 'self'; manifest-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}
