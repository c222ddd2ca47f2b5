import Bus
import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import TestSupport
import Testing

/// The methods of the contract over HTTP, with the real services behind.
@Suite("console: API") struct ConsoleAPITests {
    @Test func aMethodIsAnsweredAsOverTheBus() async throws {
        try await World.with(["auth-service", "activity-center"]) { world in
            let browser = try await world.openConsole()
            let added = try await browser.call(
                MemberAdd.self, MemberAdd.Params(name: "Anna <b>&한국어", role: .child))
            let direct = try await world.call(MemberList.self, Nothing())
            #expect(try await browser.call(MemberList.self, Nothing()) == direct)
            #expect(direct.members.contains(added.member))
            // The same sentence, too, if it is refused.
            let reply = try await browser.post("/api/member.add", #"{"name":"Anna <b>&한국어"}"#)
            let refusal = await #expect(throws: ServiceError.self) {
                try await world.call(MemberAdd.self, MemberAdd.Params(name: "Anna <b>&한국어"))
            }
            let told = try reply.json()
            #expect(reply.status == 409 && reply.problem == "alreadyExists")
            #expect(told["detail"]?.stringValue == refusal?.message)
            #expect(told["remedy"]?.stringValue == refusal?.remedy)
            for service in ["auth-service", "activity-center", "console"] {
                let health = try await browser.call(HealthCheck.self, Nothing(), service: service)
                #expect(health.service == service && health.state == .ready)
            }
        }
    }

    @Test func whatIsNoRequestOfTheContractIsRefused() async throws {
        try await World.with(["auth-service"]) { world in
            let browser = try await world.openConsole()
            let bad: [(path: String, body: String, status: Int, name: String)] = [
                ("member.list", "{", 400, "parseError"),
                ("member.list", #"{"a":1,"a":2}"#, 400, "parseError"),
                ("member.list", "\u{0}", 400, "parseError"),
                ("member.list", #"{"more":1}"#, 400, "invalidParams"),
                ("member.list", "[]", 400, "invalidParams"),
                ("member.add", #"{"name":7}"#, 400, "invalidParams"),
                ("nothing", "{}", 404, "methodNotFound"), ("usage.observe", "{}", 404, "methodNotFound"),
                ("", "{}", 404, "methodNotFound"), ("console.open", "{}", 404, "methodNotFound"),
                ("settings.write", "{}", 404, "methodNotFound"), ("backup.copy", "{}", 404, "methodNotFound"),
                ("health.check", "{}", 400, "invalidArgument"),
                ("health.check?service=../x", "{}", 400, "invalidArgument"),
                ("clock.status?service=console", "{}", 400, "invalidArgument"),
                ("member.list?service=notifier", "{}", 400, "invalidArgument"),
            ]
            for (path, body, status, name) in bad {
                let reply = try await browser.post("/api/\(path)", body)
                #expect(reply.status == status && reply.problem == name, "\(path) \(body): \(reply.text)")
                #expect(try reply.json()["remedy"]?.stringValue?.isEmpty == false)
            }
            #expect(try await browser.get("/api/member.list").status == 404)
            #expect(try await browser.post("/api/member.list", "").status == 200)
        }
    }

    /// A key, as over the bus: the second request is answered by the first.
    @Test func aRepeatedWriteIsDoneOnce() async throws {
        try await World.with(["auth-service"]) { world in
            let browser = try await world.openConsole()
            var replies: [Browser.Reply] = []
            for _ in 1...2 {
                replies.append(
                    try await browser.post("/api/member.add", #"{"name":"Anna"}"#, ["Idempotency-Key": "one"])
                )
            }
            #expect(replies.map(\.status) == [200, 200] && replies[0].body == replies[1].body)
            let other = try await browser.post(
                "/api/member.add", #"{"name":"Berta"}"#, ["Idempotency-Key": "one"])
            #expect(other.status == 409 && other.problem == "idempotencyConflict")
        }
    }

    @Test func aRequestIsOneTraceFromThePageOn() async throws {
        try await World.with(["auth-service"]) { world in
            let browser = try await world.openConsole()
            let reply = try await browser.post("/api/member.add", #"{"name":"Anna"}"#)
            let trace = try #require(reply.fields["traceparent"].flatMap { TraceContext($0) })
            let tree = try await world.command("trace", "--trace", trace.traceID, "--format", "json").json()
            let spans = tree["spans"]?.arrayValue ?? []
            let names = spans.map { "\($0["service"]?.stringValue ?? "") \($0["kind"]?.stringValue ?? "")" }
            #expect(names.contains("console client") && names.contains("auth-service server"), "\(names)")
        }
    }

    @Test func aServiceThatDoesNotRunIsNamed() async throws {
        try await World.with([]) { world in
            let browser = try await world.openConsole()
            let reply = try await browser.post("/api/time.status")
            #expect(reply.status == 503 && reply.problem == "unavailable", "\(reply.text)")
            #expect(reply.text.contains("activity-center"))
            // Whether it runs is what is asked for: no error.
            for name in ["activity-center", "desktop-agent"] {
                let health = try await browser.call(HealthCheck.self, Nothing(), service: name)
                #expect(health.service == name && health.state == .down)
                #expect(health.degradedBy == ["\(name) is not running"])
            }
            let check = try await browser.post("/api/enforcement.check")
            #expect(check.status == 503 && check.text.contains("desktop-agent"), "\(check.text)")
        }
    }

    // MARK: the document

    private static let hasValidator = World.succeeds(["/usr/bin/env", "python3", "-c", "import jsonschema"])

    /// Answers of every method that needs no more than the state that a new system has.
    private static let asked: [(any Method.Type, String)] =
        API.plain.map { ($0, "{}") } + [
            (CatalogResolve.self, #"{"target":"firefox"}"#), (ShieldExplain.self, #"{"subject":"firefox"}"#),
            (ReportQuery.self, #"{"by":"category","shape":"activity"}"#),
            (ReportRender.self, #"{"client":"org.screentime.charts","context":"pieChart","filter":{}}"#),
            (MemberAdd.self, #"{"name":"Anna"}"#), (MemberSet.self, #"{"name":"Anna","zone":"Asia/Seoul"}"#),
            (CatalogSet.self, #"{"about":{"app":"firefox"},"category":"games"}"#),
            (RequestCreate.self, #"{"kind":"app","subject":"firefox","minutes":5}"#),
            (NotificationClear.self, #"{"pending":true,"delivered":true}"#),
            (AuditRead.self, #"{"after":0}"#),
            (UsageRead.self, #"{"from_ms":0,"to_ms":86400000}"#), (ExceptionHistory.self, #"{"after":0}"#),
            (MemberRemove.self, #"{"name":"Anna"}"#),
        ]

    @Test(.enabled(if: hasValidator, "the Debian package python3-jsonschema is not installed"))
    func answersAreAsTheDocumentSays() async throws {
        try await World.with { world in
            let browser = try await world.openConsole()
            try await world.eventually("the built-in charts are installed") {
                try await browser.get("/scene/org.screentime.charts?context=pieChart").status == 200
            }
            let document = try await browser.get("/api/openapi.json")
            #expect(document.status == 200 && document.fields["content-type"] == "application/json")
            var answers: [(key: String, value: JSONValue)] = []
            for (method, params) in Self.asked {
                let isCommon = Registry.commonMethods.contains { $0.name == method.name }
                let query = isCommon ? "?service=report-service" : ""
                let reply = try await browser.post("/api/\(method.name)\(query)", params)
                answers.append(
                    (
                        "/api/\(method.name) \(answers.count)",
                        [
                            "params": try JSONValue.decode(Array(params.utf8)),
                            "status": .integer(Int64(reply.status)),
                            "answer": try reply.json(),
                        ]
                    ))
            }
            let session = try await browser.get("/session").json()
            answers.append(("/session get", ["status": 200, "answer": session]))
            #expect(answers.filter { $0.value["status"]?.integerValue != 200 }.map(\.key) == [])
            let names = Set(Self.asked.map { $0.0.name })
            #expect(names.count >= 35, "\(names.count)")
            let paths = [
                try world.write(document.text, to: "openapi.json"),
                try world.write(
                    String(decoding: JSONValue.object(answers).encoded(), as: UTF8.self), to: "answers.json"),
            ]
            let script = URL(filePath: #filePath).deletingLastPathComponent().path + "/console_openapi.py"
            let check = try await world.run("check", ["/usr/bin/python3", script] + paths)
            #expect(check.status == 0, "\(check.lines) \(world.errors(of: "check"))")
        }
    }
}

extension ConsoleAPITests {
    /// Methods that take no parameters that must be there.
    private enum API {
        static let plain: [any Method.Type] = [
            HealthCheck.self, TraceRead.self, ClockStatus.self, MemberList.self, AuthorizationList.self,
            SelectionList.self, RequestList.self, TimeStatus.self,
            TimeConfirm.self, MonitoringList.self, MonitoringPending.self, CatalogList.self,
            CatalogLists.self, ExtensionList.self, DeliveryList.self, SettingsList.self,
            SettingsEffective.self, ShieldList.self, ShieldFrozen.self, ExceptionList.self,
            EnforcementList.self, NotificationList.self, ReportQuery.self,
        ]
    }
}
