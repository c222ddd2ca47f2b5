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
            !address.hasPrefix("-"), !address.contains(where: special.contains)
        else {
            throw PostCheck.wrong(
                "the address is not one mailbox", "Write it as name@example.org, or as a local name.")
        }
    }

    private static let local = ["127.0.0.1", "[::1]", "localhost"]

    private static func checkURL(_ url: String) throws(ServiceError) {
        let isPlain = url.unicodeScalars.allSatisfy { (0x21...0x7E).contains($0.value) }
        let form = /(https?):\/\/(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?(?:[\/?#].*)?/
        let parts = url.utf8.count <= 2_048 && isPlain ? url.wholeMatch(of: form)?.output : nil
        let isPort = parts?.3.map { (1...65_535).contains(Int($0) ?? 0) } ?? true
        guard let parts, isPort, isHost(parts.2), parts.1 == "https" || local.contains(String(parts.2)) else {
            throw PostCheck.wrong(
                "the webhook's address is not allowed",
                "Use https://HOST/…, or http:// with 127.0.0.1, [::1] or localhost; without a password in it.")
        }
    }

    /// A name, an IPv4 address, or an IPv6 address in brackets.
    private static func isHost(_ host: Substring) -> Bool {
        guard host.hasPrefix("[") else { return host.first != "." && host.first != "-" }
        var address = in6_addr()
        return inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1
    }
}
