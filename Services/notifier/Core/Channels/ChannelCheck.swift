import Contract
import Glibc

/// Validates addresses of channels.
enum ChannelCheck {
    static func check(_ params: ChannelSet.Params) throws(ServiceError) {
        if let address = params.address {
            switch params.kind {
            case .email: try checkMailbox(address)
            case .webhook: try checkURL(address)
            }
        }
        guard let secret = params.secret else { return }
        guard params.kind == .webhook, params.address != nil else {
            throw PostCheck.wrong("a key without a webhook", "Send it with the webhook's address.")
        }
        guard Webhook.key(secret) != nil else {
            throw PostCheck.wrong(
                "the key is no key of Standard Webhooks",
                "Send whsec_ and base64 of 24 to 64 bytes, or none: then one is made.")
        }
    }

    /// One mailbox: it becomes a header and an argument of sendmail.
    private static func checkMailbox(_ address: String) throws(ServiceError) {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain = address.unicodeScalars.allSatisfy { (0x21...0x7E).contains($0.value) }
        let special: Set<Character> = ["<", ">", ",", ";", ":", "\"", "\\", "(", ")", "[", "]", "|", "`"]
        guard address.utf8.count <= 254, isPlain, parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }),
            // As sendmail's options and files.
            !address.hasPrefix("-"), !address.hasPrefix("/"), !address.contains(where: special.contains)
        else {
            throw PostCheck.wrong(
                "the address is not one mailbox", "Write it as name@example.org, or as a local name.")
        }
    }

    private static let local = ["127.0.0.1", "[::1]", "localhost"]

    private static func checkURL(_ url: String) throws(ServiceError) {
        let isPlain = url.unicodeScalars.allSatisfy { (0x21...0x7E).contains($0.value) }
        let scheme = ["https://", "http://"].first { url.hasPrefix($0) }
        guard let scheme, isPlain, url.utf8.count <= 2_048 else { throw notAllowed }
        let authority = url.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        // The colons of an IPv6 address are in brackets.
        let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
        let host = end.map { authority[..<$0] } ?? authority.prefix { $0 != ":" }
        let port = authority[host.endIndex...]
        guard port.isEmpty || isPort(port), isHost(host), scheme == "https://" || local.contains(String(host))
        else { throw notAllowed }
    }

    private static var notAllowed: ServiceError {
        PostCheck.wrong(
            "the webhook's address is not allowed",
            "Use https://HOST/…, or http:// with 127.0.0.1, [::1] or localhost; without a password in it.")
    }

    /// A colon and a number.
    private static func isPort(_ text: Substring) -> Bool {
        let digits = text.dropFirst()
        guard text.first == ":", digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return false }
        return digits.utf8.count <= 5 && (1...65_535).contains(Int(digits) ?? 0)
    }

    /// A name, an IPv4 address, or an IPv6 address in brackets.
    private static func isHost(_ host: Substring) -> Bool {
        if host.hasPrefix("[") {
            var address = in6_addr()
            return inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1
        }
        let isName = host.utf8.allSatisfy { byte in
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            return isLetter || (48...57).contains(byte) || "._-".utf8.contains(byte)
        }
        return isName && !host.isEmpty && host.first != "." && host.first != "-"
    }
}
