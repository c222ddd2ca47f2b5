import Contract
import Foundation
import JSON
import ScreenTimeTesting
import Testing

/// The two apps that watch and forbid nothing.
private func elements(_ value: JSONValue?) -> [JSONValue] {
    guard case .array(let elements)? = value else { return [] }
    return elements
}

@Suite("encouragement and streaks") struct AppHabitTests {
    @Test func titlesAreInThePersonsLanguage() async throws {
        let korean = ["LC_ALL": "", "LC_MESSAGES": "ko_KR.UTF-8"]
        try await World.with(environment: korean, clock: "2026-03-02T09:00:00Z") { world in
            try await world.teach(["org.example.Tube": "entertainment"])
            try await world.prepare(
                "encouragement", selections: ["videos": ["--app", "org.example.Tube"]])
            _ = try await world.app(
                "encouragement", "start", "--selection", "videos", "--minutes", "30", "--say", "Enough",
                "--json")
            try await world.spend(.minutes(26), on: "org.example.Tube")
            #expect(
                try await world.said(by: "org.screentime.encouragement")
                    == ["오늘 정한 시간이 거의 다 됐습니다: Enough"])
        }
    }

    @Test func theSentenceComesBeforeTheLimitAndAtItAndEveryCallbackIsSeen() async throws {
        try await World.with(clock: "2026-03-02T09:00:00Z") { world in
            let client = "org.screentime.encouragement"
            try await world.teach(["org.example.Tube": "entertainment"])
            try await world.prepare(
                "encouragement", selections: ["videos": ["--app", "org.example.Tube"]])
            let sentence = "약속했잖아 <b>& 10분만</b>"
            let started = try await world.app(
                "encouragement", "start", "--selection", "videos", "--minutes", "30", "--say", sentence,
                "--json")
            #expect(try started.json()["limitSeconds"] == 1800, "\(started.errors)")
            try await world.spend(.minutes(24), on: "org.example.Tube")
            #expect(try await world.said(by: client).isEmpty)
            try await world.spend(.minutes(2), on: "org.example.Tube")
            #expect(try await world.said(by: client) == ["Almost at your limit: \(sentence)"])
            try await world.spend(.minutes(5), on: "org.example.Tube")
            #expect(
                try await world.said(by: client) == [
                    "Almost at your limit: \(sentence)", "Your limit for today: \(sentence)",
                ])
            try await world.clock.advance(to: "2026-03-03T01:00:00Z")
            let diary = try await world.app("encouragement", "diary", "--json").json()
            let seen = elements(diary["lines"]).compactMap { $0["callback"]?.stringValue }
            #expect(
                Set(seen) == [
                    "intervalDidStart", "eventWillReachThresholdWarning", "eventDidReachThreshold",
                    "intervalWillEndWarning", "intervalDidEnd", "intervalWillStartWarning",
                ], "\(seen)")
            #expect(try await world.app("encouragement", "stop").lines == ["Encouragement is off."])
            try await world.spend(.minutes(40), on: "org.example.Tube")
            #expect(try await world.said(by: client).count == 2)
        }
    }

    /// The last moment of a day counts, and counts for that day.
    @Test func aStreakBreaksInTheLastTenthOfADay() async throws {
        try await World.with(clock: "2026-03-02T23:30:00Z") { world in
            try await world.teach(["org.example.Tube": "entertainment"])
            try await world.prepare("streaks", selections: ["videos": ["--app", "org.example.Tube"]])
            let added = try await world.app(
                "streaks", "decrease", "less tube", "--selection", "videos", "--minutes", "20")
            #expect(added.status == 0, "\(added.errors)")
            try await world.clock.advance(to: "2026-03-02T23:39:59.900Z")
            try await world.use("org.example.Tube", for: .seconds(1_201))
            try await world.clock.advance(to: "2026-03-03T10:00:00Z")
            let list = try await world.app("streaks", "list", "--json").json()
            let less = try #require(elements(list).first)
            #expect(less["current"] == 0 && less["longest"] == 0 && less["today"] == "open", "\(list)")
        }
    }

    /// The machine lives by UTC, the member does not: days are the member's, from the task's first to today.
    @Test func daysAreThoseOfTheMember() async throws {
        // Still the 3rd in Santiago.
        try await World.with(clock: "2026-09-04T02:00:00Z") { world in
            try await world.setMember("--zone", "America/Santiago")
            try await world.teach(["org.example.Tube": "entertainment"])
            try await world.prepare("streaks", selections: ["videos": ["--app", "org.example.Tube"]])
            let added = try await world.app(
                "streaks", "decrease", "less tube", "--selection", "videos", "--minutes", "20")
            #expect(added.status == 0, "\(added.errors)")
            // Reached at 23:50 on the 5th in Santiago, which is the 6th in UTC.
            try await world.clock.advance(to: "2026-09-06T02:30:00Z")
            try await world.spend(.minutes(21), on: "org.example.Tube")
            // The 6th in Santiago, the 7th in UTC.
            try await world.clock.advance(to: "2026-09-07T02:00:00Z")
            let list = try await world.app("streaks", "list", "--json").json()
            let less = try #require(elements(list).first)
            #expect(less["current"] == 0 && less["longest"] == 2 && less["today"] == "open", "\(list)")
        }
    }

    /// A member without a zone has that of the services, whatever the terminal's is.
    @Test func aTerminalElsewhereChangesNoDay() async throws {
        // In Tokyo it is the 6th already.
        try await World.with(clock: "2026-05-05T16:00:00Z") { world in
            try await world.teach(["org.example.Tube": "entertainment"])
            try await world.prepare("streaks", selections: ["videos": ["--app", "org.example.Tube"]])
            world.environment["TZ"] = "Asia/Tokyo"
            let added = try await world.app(
                "streaks", "increase", "more", "--selection", "videos", "--minutes", "3")
            #expect(added.status == 0, "\(added.errors)")
            try await world.spend(.minutes(5), on: "org.example.Tube")
            let list = try await world.app("streaks", "list", "--json").json()
            let more = try #require(elements(list).first)
            #expect(more["current"] == 1 && more["today"] == "complete", "\(list)")
        }
    }

    /// If the member's time zone cannot be read, a command uses the machine's and says so.
    @Test func aZoneThatNobodySaysIsSaid() async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            try await world.prepare("streaks", selections: [:])
            try await world.stop("auth-service")
            let list = try await world.app("streaks", "list")
            #expect(list.status == 0 && list.lines == ["No tasks yet."], "\(list)")
            #expect(list.errors.contains("time zone is not known"), "\(list)")
        }
    }

    /// If its app's values cannot be read, a command does not report success, and they stay unchanged.
    @Test func whatCannotBeSavedIsSaid() async throws {
        try await World.with(clock: "2026-03-02T08:00:00Z") { world in
            try await world.teach(["org.example.Tube": "entertainment"])
            try await world.prepare("streaks", selections: ["videos": ["--app", "org.example.Tube"]])
            let words = ["--selection", "videos", "--minutes", "20"]
            #expect(try await world.app("streaks", words: ["decrease", "tube"] + words).status == 0)
            let group = "group.org.screentime.streaks"
            let path = "\(world.directory)/state/groups/\(group)/Library/Preferences/\(group).plist"
            try "damaged".write(toFile: path, atomically: true, encoding: .utf8)
            let added = try await world.app("streaks", words: ["decrease", "games"] + words)
            #expect(added.status != 0)
            #expect(added.errors.contains("'tasks' could not be saved"), "\(added.errors)")
            #expect(world.readText(path) == "damaged")
            let all = try await world.call(MonitoringList.self, MonitoringList.Params()).activities
            #expect(all.first?.activity.events?.map(\.name) == ["tube"])
        }
    }

    @Test func streaksCountDaysThatTheIntervalNames() async throws {
        try await World.with(clock: "2026-03-27T08:00:00Z") { world in
            try await world.teach(["org.example.Tube": "entertainment", "org.example.Reader": "reading"])
            try await world.prepare(
                "streaks",
                selections: [
                    "videos": ["--app", "org.example.Tube"], "books": ["--app", "org.example.Reader"],
                ])
            for words in [("decrease", "less tube", "videos", "20"), ("increase", "read", "books", "10")] {
                let added = try await world.app(
                    "streaks", words.0, words.1, "--selection", words.2, "--minutes", words.3)
                #expect(added.status == 0, "\(added.errors)")
            }
            // Friday: both done. Saturday: neither. Sunday, of 23 hours in Berlin: both. Monday: open.
            try await world.setMember("--zone", "Europe/Berlin")
            try await world.spend(.minutes(11), on: "org.example.Reader")
            try await world.spend(.minutes(5), on: "org.example.Tube")
            try await world.clock.advance(to: "2026-03-28T10:00:00Z")
            try await world.spend(.minutes(21), on: "org.example.Tube")
            try await world.clock.advance(to: "2026-03-29T10:00:00Z")
            try await world.spend(.minutes(10), on: "org.example.Reader")
            try await world.clock.advance(to: "2026-03-30T10:00:00Z")
            let list = try await world.app("streaks", "list", "--json").json()
            let less = try #require(elements(list).first { $0["task"] == "less tube" })
            let read = try #require(elements(list).first { $0["task"] == "read" })
            #expect(less["current"] == 1 && less["longest"] == 1 && less["today"] == "open", "\(list)")
            #expect(read["current"] == 1 && read["longest"] == 1 && read["today"] == "open", "\(list)")
            #expect(
                try await world.said(by: "org.screentime.streaks").contains(
                    "read: One minute to go for today."))
        }
    }
}
