import CSodium
import Contract
import JSON
import ServiceKit
import Units

/// A signed POST (Standard Webhooks 1.0: standardwebhooks.com), by the program curl.
enum Webhook {
    static let secretPrefix = "whsec_"
    static let secretBytes = 24...64

    /// A new key of signatures.
    static func freshSecret() -> String {
        precondition(sodium_init() >= 0, "libsodium found no source of randomness")
        var bytes = [UInt8](repeating: 0, count: 32)
        randombytes_buf(&bytes, bytes.count)
        return secretPrefix + Base64.text(bytes)
    }

    /// The bytes of a key; nil if it is none.
    static func key(_ secret: String) -> [UInt8]? {
        guard secret.hasPrefix(secretPrefix) else { return nil }
        let text = String(secret.dropFirst(secretPrefix.count))
        return Base64.bytes(text).flatMap { secretBytes.contains($0.count) ? $0 : nil }
    }

    /// What is sent.
    static func body(_ report: OutgoingReport, at time: Instant) -> String {
        let data = String(decoding: report.encoded(), as: UTF8.self)
        let head = "\"type\":\"screentime.weekly_report\",\"timestamp\":\"\(UTCTime.text(time))\""
        return "{\(head),\"data\":\(data)}"
    }

    /// `v1,` and base64 of HMAC-SHA256 over id, time and body.
    static func signature(_ key: [UInt8], id: String, seconds: Int64, body: String) -> String {
        var state = crypto_auth_hmacsha256_state()
        crypto_auth_hmacsha256_init(&state, key, key.count)
        let signed = Array("\(id).\(seconds).\(body)".utf8)
        crypto_auth_hmacsha256_update(&state, signed, UInt64(signed.count))
        var result = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
        crypto_auth_hmacsha256_final(&state, &result)
        return "v1," + Base64.text(result)
    }

    /// The options of curl that are no secret; the others come by its input. It prints the answer with its
    /// head: what is printed is bounded, and the head is enough.
    static let options = [
        "--disable", "--silent", "--show-error", "--include", "--suppress-connect-headers", "--globoff",
        "--proto", "=https,http", "--max-time", "30", "--config", "-",
    ]

    /// The status of the final answer, from what curl printed: heads of 1xx come before it. Nil without one.
    static func status(_ output: [UInt8]) -> Int? {
        let text = String(decoding: output.prefix(16 << 10), as: UTF8.self)
        var isHead = true
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if isHead {
                guard line.hasPrefix("HTTP/") else { return nil }
                let status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
                guard let status, (100..<200).contains(status) else { return status }
                isHead = false
            } else if line.isEmpty {
                isHead = true
            }
        }
        return nil
    }

    /// A configuration of curl (`--config`), which keeps address and signature out of the command line.
    static func configuration(
        url: String, id: String, seconds: Int64, signature: String, body: String
    ) -> String {
        let headers = [
            "content-type: application/json", "webhook-id: \(id)", "webhook-timestamp: \(seconds)",
            "webhook-signature: \(signature)", "user-agent: screentime/\(Version.program)",
        ]
        // What goes to this machine does not go through a proxy that the environment names.
        let proxy = url.hasPrefix("http://") ? ["noproxy = \"*\""] : []
        let lines = ["url = \(quoted(url))", "request = \"POST\""] + proxy
            + headers.map { "header = \(quoted($0))" } + ["data-binary = \(quoted(body))"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
