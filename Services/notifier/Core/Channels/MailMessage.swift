import Contract
import Schedules
import Units

/// A mail of plain text (RFC 5322, RFC 2045 to 2047), as sendmail reads it.
enum MailMessage {
    /// - Parameters:
    ///   - id: the left part of the message's id: the same in each attempt.
    ///   - host: the right part.
    static func text(
        to address: String, subject: String, body: String, id: String, host: String, at time: Instant
    ) -> String {
        let head = [
            "To: \(address)", "Subject: \(encodedWords(subject))", "Date: \(date(time))",
            "Message-ID: <\(id)@\(host)>", "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: base64", "Auto-Submitted: auto-generated",
        ]
        return (head + [""] + lines(Base64.text(Array((body + "\n").utf8)))).joined(separator: "\n") + "\n"
    }

    /// A header's text in parts of up to 45 bytes, each of whole characters (RFC 2047: 75 characters).
    private static func encodedWords(_ text: String) -> String {
        var parts: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            // A line break would end the header.
            let bytes = Array(scalar.properties.generalCategory == .control ? " ".utf8 : String(scalar).utf8)
            if parts[parts.count - 1].count + bytes.count > 45 { parts.append([]) }
            parts[parts.count - 1] += bytes
        }
        return parts.map { "=?UTF-8?B?\(Base64.text($0))?=" }.joined(separator: "\n ")
    }

    private static func lines(_ text: String) -> [String] {
        var rest = Substring(text)
        var lines: [String] = []
        while !rest.isEmpty {
            lines.append(String(rest.prefix(76)))
            rest = rest.dropFirst(76)
        }
        return lines
    }

    /// In UTC, as `Sun, 22 Mar 2026 23:15:00 +0000`.
    private static func date(_ time: Instant) -> String {
        let seconds = time.sinceEpoch.count / 1_000
        let date = LocalDate(dayNumber: Int(seconds / 86_400))
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let clock = [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60].map(two).joined(separator: ":")
        let day = "\(two(Int64(date.day))) \(months[date.month - 1]) \(date.year)"
        return "\(days[date.weekday - 1]), \(day) \(clock) +0000"
    }
}
