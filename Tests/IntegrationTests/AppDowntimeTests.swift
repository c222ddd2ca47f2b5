import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting
import Testing

@Suite("downtime") struct AppDowntimeTests {
    private static let client = "org.screentime.downtime"
    private static let game = "org.example.Game"

    @Test func aWeekOfEveningsShutsAndOpensOverMidnight() async throws {
        try await World.with(clock: "2026-03-02T12:00:00Z") { world in
            try await world.teach([Self.game: "games", "org.example.Docs": "productivity"])
            try await world.prepare(
                "downtime", selections: ["evening": ["--app", Self.game, "--category", "games"]])
            let events = try world.record(.shield)
            let started = try await world.app(
                "downtime", "start", "--selection", "evening", "--from", "22:00", "--to", "07:00", "--json")
            let status = try started.json()
            #expect(status["running"] == true && status["shielding"] == false, "\(started.errors)")
            #expect(
                status["nextStart"] == "2026-03-02T22:00:00Z" && status["nextEnd"] == "2026-03-03T07:00:00Z"
            )
            try await world.clock.advance(to: "2026-03-02T21:56:00Z")
            #expect(try await world.shielded().isEmpty)
            #expect(try await world.said(by: Self.client) == ["Screen Time 101: 5분 뒤 사용이 제한됩니다."])
            try await world.clock.advance(to: "2026-03-03T03:00:00Z")
            #expect(
                try await world.shielded() == [
                    "app org.example.Game daily", "category games daily",
                ])
            try await world.clock.advance(to: "2026-03-09T12:00:00Z")
            #expect(try await world.shielded().isEmpty)
            let instants = events.events.filter { $0.type.hasPrefix("shield.") }.map { event in
                "\(event.event.head.time.dropFirst(5).prefix(11)) \(event.type.dropFirst(7))"
            }
            let days = (2...8).flatMap { day in
                ["03-0\(day)T22:00", "03-0\(day)T22:00"].map { "\($0) applied" }
                    + Array(repeating: day + 1 < 10 ? "03-0\(day + 1)T07:00 lifted" : "", count: 2)
            }
            #expect(instants == days)
            #expect(try await world.app("downtime", "status", "--json").json()["shielding"] == false)
        }
    }

    @Test(arguments: [["app", game], ["domain", "play.test"]])
    func stopOpensWhatIsShutAndSaysSo(_ what: [String]) async throws {
        try await World.with(clock: "2026-03-02T23:00:00Z") { world in
            try await world.teach([Self.game: "games"])
            try await world.prepare("downtime", selections: ["evening": ["--\(what[0])", what[1]]])
            let started = try await world.app(
                "downtime", "start", "--selection", "evening", "--from", "22:00", "--to", "07:00")
            #expect(started.status == 0, "\(started.errors)")
            try await world.clock.settle()
            #expect(try await world.shielded() == ["\(what[0]) \(what[1]) daily"])
            #expect(try await world.app("downtime", "status", "--json").json()["shielding"] == true)
            let stopped = try await world.app("downtime", "stop")
            #expect(stopped.lines == ["Downtime is off."])
            #expect(try await world.shielded().isEmpty)
        }
    }

    /// What the extension could not write is written when it can be: its callback is not delivered before.
    @Test func aServiceThatIsAwayForAMomentCostsNoWindow() async throws {
        try await World.with(clock: "2026-03-02T12:00:00Z") { world in
            try await world.teach([Self.game: "games"])
            try await world.prepare("downtime", selections: ["noon": ["--app", Self.game]])
            let started = try await world.app(
                "downtime", "start", "--selection", "noon", "--from", "12:30", "--to", "13:00")
            #expect(started.status == 0, "\(started.errors)")
            try await world.clock.advance(to: "2026-03-02T12:29:00Z")
            try await world.stop("auth-service")
            try await world.clock.advance(to: "2026-03-02T12:30:00Z")
            try await world.eventually("the callback did not do its part") {
                let last = try await world.deliveries().last
                return last?.callback == "intervalDidStart" && last?.error?.contains("auth-service") == true
            }
            try await world.start("auth-service")
            try await world.clock.advance(.minutes(5))
            #expect(try await world.deliveries().last?.state == .delivered)
            #expect(try await world.shielded() == ["app \(Self.game) daily"])
        }
    }

    /// The instant of a revocation does not distinguish registrations after the next approval: a clock may
    /// stand still, or have been set back.
    @Test func aNewPermissionInTheSameInstantActs() async throws {
        try await World.with(clock: "2026-03-02T12:00:00Z") { world in
            try await world.teach([Self.game: "games"])
            try await world.prepare("downtime", selections: ["noon": ["--app", Self.game]])
            let client = "org.screentime.downtime"
            for _ in 0..<2 {
                for words in [["revoke", client], ["access", client, "on"]] {
                    let said = try await world.command(["authorization"] + words)
                    #expect(said.status == 0, "\(words): \(said)")
                }
                let started = try await world.app(
                    "downtime", "start", "--selection", "noon", "--from", "11:00", "--to", "13:00")
                #expect(started.status == 0, "\(started.errors)")
                try await world.clock.settle()
                #expect(try await world.shielded() == ["app \(Self.game) daily"])
            }
        }
    }

    /// New times set during downtime end it immediately, unless they include the present.
    @Test func otherTimesReplaceTheOld() async throws {
        try await World.with(clock: "2026-03-02T22:00:00Z") { world in
            try await world.teach([Self.game: "games"])
            try await world.prepare("downtime", selections: ["evening": ["--app", Self.game]])
            @LoopActor func start(_ from: String, _ to: String) async throws -> [String] {
                let started = try await world.app(
                    "downtime", "start", "--selection", "evening", "--from", from, "--to", to)
                #expect(started.status == 0, "\(started.errors)")
                try await world.clock.settle()
                return try await world.shielded()
            }
            let shut = ["app \(Self.game) daily"]
            #expect(try await start("21:00", "23:00") == shut)
            #expect(try await start("21:30", "06:00") == shut)
            #expect(try await start("23:30", "06:00") == [])
            try await world.clock.advance(to: "2026-03-02T23:31:00Z")
            #expect(try await world.shielded() == shut)
            // A day from 00:00 to 24:00 has no gap, however it is written.
            #expect(try await start("00:00", "24:00") == shut)
            let status = try await world.app("downtime", "status")
            #expect(status.lines.first?.contains("from 00:00 to 24:00") == true, "\(status.lines)")
            try await world.clock.advance(to: "2026-03-03T00:00:00Z")
            #expect(try await world.shielded() == shut)
            let none = try await world.app(
                "downtime", "start", "--selection", "evening", "--from", "08:00", "--to", "08:00")
            #expect(none.status == 64)
        }
    }

    @Test func theScreenSpeaksKoreanWithOneButtonOrTwo() async throws {
        try await World.with(clock: "2026-03-02T23:00:00Z") { world in
            try await world.teach([Self.game: "games", "org.example.Chess": "games"])
            try await world.prepare(
                "downtime", selections: ["evening": ["--app", Self.game, "--category", "games"]])
            try await world.app(
                "downtime", "start", "--selection", "evening", "--from", "22:00", "--to", "07:00")
            try await world.clock.settle()
            let direct = try await world.look(Self.game)
            #expect(direct.title?.text == "Screen Time 101")
            #expect(direct.subtitle?.text.hasSuffix("은(는) 사용이 제한되었습니다.") == true)
            #expect(direct.primaryButtonLabel?.text == "종료하기")
            #expect(direct.secondaryButtonLabel == nil)
            let byCategory = try await world.look("org.example.Chess")
            #expect(byCategory.secondaryButtonLabel?.text == "눌러도 효과없음")
            #expect(try await world.press(Self.game, .primary) == .close)
            #expect(try await world.press("org.example.Chess", .secondary) == ShieldResponse.none)
        }
    }

    @Test func theReportAddsUpAppsAndPickups() async throws {
        try await World.with(clock: "2026-03-02T09:00:00Z") { world in
            try await world.prepare("downtime", selections: [:])
            try await world.spend(.minutes(5), on: Self.game)
            try await world.spend(.seconds(3_900), on: "org.example.Docs")
            let report = try await world.command(
                "report", "render", "--client", Self.client, "--context", "Total Activity")
            #expect(report.status == 0, "\(report.errors)")
            let text = report.lines.joined(separator: "\n")
            #expect(text.contains("1시간 10분"), "\(text)")
            #expect(text.contains("1시간 5분") && text.contains("5분"), "\(text)")
        }
    }

    @Test func whatIsWrongIsSaidWithWhatToDo() async throws {
        try await World.with(clock: "2026-03-02T09:00:00Z") { world in
            let unasked = try await world.app("downtime", "status")
            #expect(unasked.lines.first?.contains("has no permission yet") == true)
            #expect(unasked.errors.isEmpty, "\(unasked.errors)")
            try await world.teach([Self.game: "games"])
            try await world.prepare("downtime", selections: ["some": ["--app", Self.game]])
            let none = try await world.app(
                "downtime", "start", "--selection", "evening", "--from", "22:00", "--to", "07:00")
            #expect(none.status == 1 && none.errors.contains("screentime selection create evening"))
            let same = try await world.app(
                "downtime", "start", "--selection", "some", "--from", "22:00", "--to", "22:00")
            #expect(same.status == 64 && same.errors.contains("an empty time"))
            let wrong = try await world.app(
                "downtime", "start", "--selection", "some", "--from", "25:00", "--to", "07:00")
            #expect(wrong.status == 64 && wrong.errors.contains("'25:00' is not a time of day"))
        }
    }
}
