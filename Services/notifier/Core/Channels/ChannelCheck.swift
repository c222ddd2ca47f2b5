import Contract

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

    private static func checkURL(_ url: String) throws(ServiceError) {
        let isPlain = url.unicodeScalars.allSatisfy { (0x21...0x7E).contains($0.value) }
        let local = ["127.0.0.1", "[::1]", "localhost"].map { "http://" + $0 }
        let isLocal = local.contains { host in
            url.hasPrefix(host) && [nil, "/", ":", "?"].contains(url.dropFirst(host.count).first)
        }
        let host = url.dropFirst((isLocal ? "http://" : "https://").count).prefix { !"/?#".contains($0) }
        let isHTTPS = url.hasPrefix("https://") && !host.isEmpty
        guard url.utf8.count <= 2_048, isPlain, isLocal || isHTTPS, !host.contains("@") else {
            throw PostCheck.wrong(
                "the webhook's address is not allowed",
                "Use https://HOST/…, or http:// with 127.0.0.1, [::1] or localhost; without a password in it.")
        }
    }
}
