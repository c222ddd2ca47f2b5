import Contract
import Schedules
import Testing
import Units

@testable import NotifierCore

/// Mails and webhooks as their readers expect them, and addresses that are no addresses.
struct ChannelTests {
    /// The values of the specification's example (standardwebhooks.com), signed by Python's hmac.
    @Test func aWebhookIsSignedAsTheStandardSays() throws {
        let key = try #require(Webhook.key("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signature = Webhook.signature(
            key, id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330, body: #"{"test": 2432232314}"#)
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        let fresh = Webhook.freshSecret()
        #expect(Webhook.key(fresh)?.count == 32 && fresh != Webhook.freshSecret())
    }

    @Test(arguments: [
        "", "whsec_", "whsec_AAAA", "whsec_!!!!", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "whsec_" + String(repeating: "A", count: 88),
    ])
    func whatIsNoKeyIsNone(_ secret: String) {
        #expect(Webhook.key(secret) == nil)
    }

    /// What an address or a name contains stays text for curl.
    @Test func nothingGetsOutOfTheConfiguration() {
        let body = "{\"a\":\"\\\" \\n\"}\nurl = \"http://evil\""
        let text = Webhook.configuration(
            url: "https://example.org/?a=\"b\\", id: "1", seconds: 2, signature: "v1,x", body: body)
        #expect(text.split(separator: "\n").count { $0.hasPrefix("url = ") } == 1)
        #expect(text.hasPrefix(#"url = "https://example.org/?a=\"b\\""# + "\n"))
        #expect(text.hasSuffix(#"data-binary = "{\"a\":\"\\\" \\n\"}\nurl = \"http://evil\"""# + "\n"))
    }

    /// As curl prints answers; what comes after the head is cut off at any place.
    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nA: b\r\n\r\nHTTP/1.1 500 x", 200), ("HTTP/2 302 \r\n\r\n", 302),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 Busy\r\n\r\n", 503),
        ("HTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 N\r\n", 204),
        ("HTTP/1.1 100 Continue\r\n\r\n", nil), ("", nil), ("hello", nil), ("HTTP/1.1", nil),
    ] as [(String, Int?)])
    func theFinalAnswerCounts(_ output: String, _ status: Int?) {
        #expect(Webhook.status(Array(output.utf8)) == status)
    }

    /// Its contents are nobody else's, and a proxy reaches another machine's "localhost".
    @Test(arguments: ["http://127.0.0.1/x", "http://[::1]", "https://127.0.0.1/x", "https://example.org"])
    func whatStaysOnThisMachineTakesNoProxy(_ url: String) {
        let text = Webhook.configuration(url: url, id: "1", seconds: 2, signature: "v1,x", body: "{}")
        #expect(text.contains("\nnoproxy = \"*\"\n") == url.hasPrefix("http://"))
    }

    /// Rows are in order of the next attempt; one member's reports do not push out another's.
    @Test func theOldestAboutAMemberGiveWay() {
        func report(_ member: String?) -> OutgoingReport {
            let week = WeekOfUse(first: LocalDate(dayNumber: 20_000), total: 1, before: nil)
            return OutgoingReport(week, title: "", body: "", member: member)
        }
        func row(_ number: Int64, _ kind: ChannelKind, _ member: String?) -> OutgoingRow {
            OutgoingRow(number: number, kind: kind, report: report(member), made: 0, due: 0, attempts: 0)
        }
        let numbers: [Int64] = [9, 2, 7, 1, 5]
        let rows = numbers.map { row($0, .email, "mina") } + (10..<20).map { row($0, .email, "\($0)") }
            + [row(3, .webhook, "mina"), row(4, .email, nil)]
        #expect(Outbox.givingWay(to: report("mina"), on: .email, among: rows) == [1, 2])
        #expect(Outbox.givingWay(to: report("mina"), on: .webhook, among: rows) == [])
        #expect(Outbox.givingWay(to: report(nil), on: .email, among: rows) == [])
    }

    @Test func aMailIsPlainTextInAnyLanguage() {
        let title = String(repeating: "지난 7일: 2시간 30분 ", count: 3) + "\r\nBcc: all@example.org"
        let text = MailMessage.text(
            to: "mina@example.org", subject: title, body: "11월 16일~11월 22일", id: "weekly-1-2", host: "box",
            at: 1_774_221_300_000)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "To: mina@example.org")
        #expect(lines.contains("Date: Sun, 22 Mar 2026 23:15:00 +0000"))
        #expect(lines.contains("Message-ID: <weekly-1-2@box>"))
        #expect(lines.allSatisfy { $0.utf8.count <= 84 && !$0.hasPrefix("Bcc") && !$0.contains("\r") })
        // The body, after the empty line.
        #expect(text.hasSuffix("\n\nMTHsm5QgMTbsnbx+MTHsm5QgMjLsnbwK\n"))
    }

    @Test(arguments: [
        (.email, "mina@example.org"), (.email, "root"), (.email, "a.b+c@xn--9t4b11yi5a.example"),
        (.webhook, "https://example.org"), (.webhook, "https://example.org/a?b=c#d"),
        (.webhook, "http://127.0.0.1:8080/x"), (.webhook, "http://[::1]/"), (.webhook, "http://localhost"),
        (.webhook, "https://[2001:db8::1]:8443/"), (.webhook, "https://host?x"),
        (.webhook, "https://a.b:65535"),
    ] as [(ChannelKind, String)])
    func addressesAreTaken(_ kind: ChannelKind, _ address: String) throws {
        try ChannelCheck.check(ChannelSet.Params(kind: kind, address: address))
    }

    @Test(arguments: [
        (.email, ""), (.email, "-oQ/tmp"), (.email, "/tmp/x"),
        (.email, "a@b@c"), (.email, "@b"), (.email, "a@"),
        (.email, "a b@c"), (.email, "a@b,c@d"), (.email, "|/bin/sh"), (.email, "a@b\nBcc: c"),
        (.email, "민아@example.org"), (.email, String(repeating: "a", count: 255)),
        (.webhook, ""), (.webhook, "https://"), (.webhook, "https:///x"), (.webhook, "http://example.org"),
        (.webhook, "http://localhost.evil.example"), (.webhook, "http://localhost@evil.example"),
        (.webhook, "https://host:abc/"), (.webhook, "https://host:/"), (.webhook, "https://host:65536"),
        (.webhook, "https://host:0"), (.webhook, "https://[::1"), (.webhook, "https://:443/"),
        (.webhook, "https://[::1]x"), (.webhook, "https://[:::]/"), (.webhook, "https://a]b/"),
        (.webhook, "http://[::1%25lo]/"), (.webhook, "file:///etc/passwd"),
        (.webhook, "https://user:word@example.org"),
        (.webhook, "https://example.org/\n--output /tmp/x"), (.webhook, "HTTPS://example.org/ x"),
        (.webhook, "https://" + String(repeating: "a", count: 2_048)),
    ] as [(ChannelKind, String)])
    func whatIsNoAddressIsRefused(_ kind: ChannelKind, _ address: String) {
        let error = #expect(throws: ServiceError.self) {
            try ChannelCheck.check(ChannelSet.Params(kind: kind, address: address))
        }
        #expect(error?.name == .invalidParams)
    }

    @Test func aKeyBelongsToAWebhook() {
        let secret = Webhook.freshSecret()
        for params in [
            ChannelSet.Params(kind: .email, address: "root", secret: secret),
            ChannelSet.Params(kind: .webhook, secret: secret),
            ChannelSet.Params(kind: .webhook, address: "https://example.org", secret: "whsec_short"),
        ] {
            #expect(throws: ServiceError.self) { try ChannelCheck.check(params) }
        }
    }
}
