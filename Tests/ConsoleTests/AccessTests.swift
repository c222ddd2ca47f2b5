import Testing
import Units

@testable import ConsoleCore

/// Who may ask the console anything.
@Suite struct AccessTests {
    private let gate = Gate(port: 8123)

    private func request(_ method: String, _ fields: [String: String]) -> HTTPRequest {
        HTTPRequest(method: method, path: "/api/x", fields: fields)
    }

    @Test(arguments: [
        nil, "", "evil.example:8123", "localhost", "localhost:8124", "localhost:8123.evil.example",
        "127.0.0.1:80",
        "localhost:8123, evil.example", "user@localhost:8123", "127.0.0.1:8123/", " localhost:8123",
        "0.0.0.0:8123",
    ])
    func aNameThatIsNotOursIsRefused(host: String?) {
        let fields = host.map { ["host": $0] } ?? [:]
        #expect(gate.refusal(request("GET", fields))?.status == 421)
    }

    @Test(arguments: ["localhost:8123", "127.0.0.1:8123", "[::1]:8123", "LocalHost:8123"])
    func ourNamesAreAnswered(host: String) {
        #expect(gate.refusal(request("GET", ["host": host])) == nil)
        let origin = [
            "host": host, "origin": "http://\(host)", "content-type": "application/json; charset=utf-8",
        ]
        #expect(gate.refusal(request("POST", origin)) == nil)
    }

    @Test(arguments: ["PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "X"])
    func otherMethodsAreRefused(method: String) {
        let refusal = gate.refusal(request(method, ["host": "localhost:8123"]))
        #expect(refusal?.status == 405)
        let answer = refusal.map { HTTPResponse.refusal($0.name, $0.sentence, remedy: "") }
        #expect(answer?.fields.first { $0.name == "Allow" }?.value == "GET, HEAD, POST")
    }

    @Test(arguments: [
        nil, "null", "http://evil.example", "https://localhost:8123", "http://localhost:8124",
        "http://127.0.0.1:8123",
        "http://localhost:8123/", "http://localhost:8123.evil.example",
    ])
    func aChangeFromAnotherOriginIsRefused(origin: String?) {
        var fields = ["host": "localhost:8123", "content-type": "application/json"]
        fields["origin"] = origin
        #expect(gate.refusal(request("POST", fields))?.status == 403)
    }

    @Test(arguments: ["cross-site", "same-site", "none"]) func aChangeByAnotherSiteIsRefused(site: String) {
        let fields = [
            "host": "localhost:8123", "origin": "http://localhost:8123", "content-type": "application/json",
            "sec-fetch-site": site,
        ]
        #expect(gate.refusal(request("POST", fields))?.status == 403)
    }

    /// What a form of another origin can send without being asked by CORS first.
    @Test(arguments: [
        nil, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "text/json",
    ])
    func aBodyThatIsNotJSONIsRefused(type: String?) {
        var fields = ["host": "localhost:8123", "origin": "http://localhost:8123"]
        fields["content-type"] = type
        #expect(gate.refusal(request("POST", fields))?.status == 415)
    }

    @Test func aLinkMayOpenThePageButNotLoadItsParts() {
        var fields = [
            "host": "localhost:8123", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate",
            "sec-fetch-dest": "document",
        ]
        #expect(gate.refusal(request("GET", fields)) == nil)
        for (mode, destination) in [("no-cors", "script"), ("cors", "empty"), ("navigate", "iframe")] {
            (fields["sec-fetch-mode"], fields["sec-fetch-dest"]) = (mode, destination)
            #expect(gate.refusal(request("GET", fields))?.status == 403, "\(mode) \(destination)")
        }
    }

    @Test func aTicketIsGoodForOneSignInAndAMinute() throws {
        let sessions = Sessions()
        let ticket = sessions.makeTicket(now: 0)
        #expect(sessions.redeem("", now: 1) == nil && sessions.redeem(nil, now: 1) == nil)
        #expect(sessions.redeem(Secret().text, now: 1) == nil)
        let id = try #require(sessions.redeem(ticket.text, now: 59_999))
        #expect(id != ticket)
        #expect(sessions.redeem(ticket.text, now: 59_999) == nil)
        #expect(sessions.use(ticket.text, now: 60_000) == nil)
        let session = try #require(sessions.use(id.text, now: 60_000))
        #expect(session.csrf != id && session.csrf != ticket)
        let late = sessions.makeTicket(now: 100_000)
        #expect(sessions.redeem(late.text, now: 160_000) == nil)
    }

    @Test func aSessionEndsUnusedAndAtItsAge() throws {
        let sessions = Sessions()
        func begin(_ now: Milliseconds) throws -> String {
            let ticket = sessions.makeTicket(now: now)
            return try #require(sessions.redeem(ticket.text, now: now)).text
        }
        let idle = try begin(0)
        #expect(sessions.use(idle, now: .hours(12) - 1) != nil)
        #expect(sessions.use(idle, now: .hours(24) - 1) == nil)
        let old = try begin(0)
        var now: Milliseconds = 0
        while now < .hours(24 * 7) {
            #expect(sessions.use(old, now: now) != nil)
            now += .hours(6)
        }
        #expect(sessions.use(old, now: now) == nil)
        let ended = try begin(now)
        sessions.end(ended)
        #expect(sessions.use(ended, now: now) == nil)
    }

    @Test func ticketsAndSessionsAreBounded() throws {
        let sessions = Sessions()
        let first = sessions.makeTicket(now: 0)
        for now in 1...8 { _ = sessions.makeTicket(now: Milliseconds(Int64(now))) }
        #expect(sessions.redeem(first.text, now: 9) == nil)
        var ids: [String] = []
        for now in 0..<Int64(33) {
            let ticket = sessions.makeTicket(now: Milliseconds(now))
            ids.append(try #require(sessions.redeem(ticket.text, now: Milliseconds(now))).text)
        }
        #expect(sessions.count == 32)
        #expect(sessions.use(ids[0], now: 40) == nil && sessions.use(ids[1], now: 40) != nil)
    }

    @Test func aSessionMayAskOftenButNotForLong() {
        var allowance = Allowance()
        func spend(_ now: Milliseconds) -> Milliseconds? { allowance.spend(now) }
        for _ in 0..<300 { #expect(spend(1_000) == nil) }
        #expect(spend(1_000) == 20)
        #expect(spend(1_019) == 1)
        #expect(spend(1_020) == nil)
        #expect(spend(1_020) == 20)
        for _ in 0..<300 { #expect(spend(100_000) == nil) }
        #expect(spend(100_000) != nil)
    }
}
