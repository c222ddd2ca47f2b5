import Contract
import Loop
import ScreenTimeTesting
import Testing
import Units

@testable import AuthCore

/// A request ends with the member's day, also where a clock change makes it shorter or longer.
@Suite @LoopActor struct RequestDayTests {
    /// In Europe/Berlin: the start of the day in minutes, an instant, and the end of its day.
    private nonisolated static let days: [(start: Int64, now: String, end: String)] = [
        (0, "2026-03-28T12:00:00Z", "2026-03-28T23:00:00Z"),
        // 23 hours.
        (0, "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
        (240, "2026-03-28T03:00:00Z", "2026-03-29T02:00:00Z"),
        (240, "2026-03-29T01:59:59Z", "2026-03-29T02:00:00Z"),
        (240, "2026-03-29T02:00:00Z", "2026-03-30T02:00:00Z"),
        // 02:30 is skipped that day, and is 03:30.
        (150, "2026-03-29T01:15:00Z", "2026-03-29T01:30:00Z"),
        (150, "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"),
        // 25 hours.
        (0, "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"),
        (240, "2026-10-24T02:00:00Z", "2026-10-25T03:00:00Z"),
        (240, "2026-10-25T02:59:59Z", "2026-10-25T03:00:00Z"),
        // 02:30 comes twice, and the first begins the day.
        (150, "2026-10-25T00:29:59Z", "2026-10-25T00:30:00Z"),
        (150, "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"),
        (150, "2026-10-25T01:30:00Z", "2026-10-26T01:30:00Z"),
    ]

    @Test func aRequestEndsWithTheDay() async throws {
        let room = try await RequestRoom()
        for (number, day) in Self.days.enumerated() {
            let (now, end) = try (instant(day.now), instant(day.end))
            let set = MemberSet.Params(name: "Anna", zone: "Europe/Berlin", dayStartMinutes: day.start)
            _ = try await room.call(MemberSet.self, set)
            room.clock.now = now
            let asked = try await room.ask("a\(number)")
            #expect(asked.dayEnd == end, "\(day)")
            if number % 2 == 0 {
                #expect(try await room.decide(asked, .approve).end == end, "\(day)")
            } else {
                _ = try await room.withdraw(asked)
            }
        }
        room.close()
    }

    /// It is fixed when the request is made.
    @Test func aNewZoneDoesNotMoveIt() async throws {
        let room = try await RequestRoom()
        let asked = try await room.ask()
        _ = try await room.call(MemberSet.self, MemberSet.Params(name: "Anna", zone: "Asia/Seoul"))
        #expect(try await room.ask() == asked)
        #expect(try await room.ask("b").dayEnd == RequestRoom.midnight - .hours(9))
        #expect(try await room.decide(asked, .approve).end == RequestRoom.midnight)
        room.close()
    }

    private func instant(_ text: String) throws -> Instant { try VirtualClock.instant(text) }
}
