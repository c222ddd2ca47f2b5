import Contract
import Foundation
import Loop
import ScreenTimeTesting
import TestSupport
import Testing
import Units

/// Live events for pages.
@Suite("console: events") struct ConsoleEventTests {
    /// The ids of what a stream has brought, in order.
    @LoopActor private static func ids(_ stream: RawConnection) -> [String] {
        stream.streamed.split(separator: "\n").filter { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
    }

    /// The types of what a stream has brought, in order.
    @LoopActor private static func types(_ stream: RawConnection) -> [String] {
        stream.streamed.split(separator: "\n").filter { $0.hasPrefix("event: ") }.map {
            String($0.dropFirst(7))
        }
    }

    /// The data of all use that a stream has told; a frame that was cut is none.
    @LoopActor private static func use(_ stream: RawConnection) -> [String] {
        let frames = stream.streamed.components(separatedBy: "\n\n").dropLast()
        return frames.filter { $0.hasPrefix("event: usage.recorded\n") }.map {
            String($0.split(separator: "\n")[1])
        }
    }

    @LoopActor private static func add(_ name: String, _ world: World) async throws {
        _ = try await world.call(MemberAdd.self, MemberAdd.Params(name: name))
    }

    @Test func aPageHearsWhatHappensInEveryService() async throws {
        try await World.with { world in
            let browser = try await world.openConsole()
            let stream = try browser.events()
            try await stream.receives("event: reset\ndata: {}\nid: ")
            #expect(stream.text.contains("Content-Type: text/event-stream; charset=utf-8\r\n"))
            #expect(
                stream.text.contains("Cache-Control: no-store\r\n") && stream.text.contains("retry: 1000\n\n")
            )
            try await Self.add("Anna", world)
            try await stream.receives(#"event: member.changed\#ndata: {"member":{"id":"member-Anna""#)
            let now = try world.clock.now
            let use = [
                Observation(at: now - 3_000, kind: .active, ordinal: 1),
                Observation(at: now - 2_000, kind: .focus, app: "chess", ordinal: 2),
                Observation(at: now - 1_000, kind: .idle, ordinal: 3),
            ]
            _ = try await world.call(
                UsageObserve.self, UsageObserve.Params(device: "laptop", observations: use))
            try await stream.receives("event: usage.recorded\n")
            #expect(stream.text.contains(#""subject":"chess""#))
            try await stream.receives("event: report.changed\n")
            stream.close()
        }
    }

    @Test func aPageThatWasAwayGetsWhatItMissed() async throws {
        try await World.with { world in
            let browser = try await world.openConsole()
            let first = try browser.events()
            try await first.receives("event: reset\n")
            try await Self.add("Anna", world)
            try await first.receives("two ids") { _ in Self.ids(first).count == 2 }
            let last = try #require(Self.ids(first).last)
            first.close()
            for name in ["Berta", "Cesar", "Dora"] { try await Self.add(name, world) }
            let second = try browser.events(after: last)
            try await second.receives("member-Dora")
            #expect(Self.types(second) == ["member.changed", "member.changed", "member.changed"])
            // Another page that was there longer, from the beginning on.
            let third = try browser.events(after: Self.ids(first).first)
            try await third.receives("member-Dora")
            #expect(Self.types(third).count == 4 && third.text.contains("member-Anna"))
            // Both hear what follows, once.
            try await Self.add("Emil", world)
            for stream in [second, third] {
                try await stream.receives("member-Emil")
                let names = ["Berta", "Cesar", "Dora", "Emil"].map {
                    stream.streamed.components(separatedBy: "member-\($0)").count
                }
                #expect(names == [2, 2, 2, 2])
            }
            #expect(Self.ids(second).last == Self.ids(third).last)
            // Nothing was missed: nothing is told.
            let fourth = try browser.events(after: Self.ids(third).last)
            try await Self.add("Frida", world)
            try await fourth.receives("member-Frida")
            #expect(Self.types(fourth) == ["member.changed"])
            for stream in [second, third, fourth] { stream.close() }
        }
    }

    @Test(arguments: [
        "", "nonsense", "1.a~2.b", "-~-~-~-~-~-", "99999.x~0.~0.~0.~0.~0.", "-1.~0.~0.~0.~0.~0.",
    ])
    func aPositionThatIsNoneBeginsAnew(id: String) async throws {
        try await World.with { world in
            let browser = try await world.openConsole()
            let stream = try browser.events(after: id)
            try await stream.receives("event: reset\n")
            stream.close()
        }
    }

    /// What a page has seen is not there any more: the log begins later, or is another one.
    @Test func aLogThatWasCutBeginsAnew() async throws {
        try await World.with { world in
            let browser = try await world.openConsole()
            let stream = try browser.events()
            try await stream.receives("event: reset\n")
            let id = try #require(Self.ids(stream).last)
            let parts = id.split(separator: "~").map(String.init)
            #expect(parts.count == 6)
            stream.close()
            try await Self.add("Anna", world)
            let other = "1.ffffffffffffffff"
            let forked = try browser.events(after: ([other] + parts.dropFirst()).joined(separator: "~"))
            try await forked.receives("event: reset\n")
            try await Self.add("Berta", world)
            try await forked.receives("member-Berta")
            forked.close()
        }
    }

    /// A page does not wait for a service that does not run, and reads everything again when it is there
    /// again.
    @Test func aServiceThatComesBackIsHeard() async throws {
        try await World.with { world in
            try await world.process("auth-service").destroy()
            let browser = try await world.openConsole()
            let stream = try browser.events()
            try await stream.receives("event: reset\n")
            try await world.start("auth-service")
            try await stream.receives("a second reset") { _ in Self.types(stream) == ["reset", "reset"] }
            try await Self.add("Anna", world)
            try await stream.receives("member-Anna")
            stream.close()
        }
    }

    @Test func thereAreOnlySoManyStreams() async throws {
        try await World.with { world in
            let browser = try await world.openConsole()
            var streams: [RawConnection] = []
            for _ in 0..<32 { streams.append(try browser.events()) }
            for stream in streams { try await stream.receives("event: reset\n") }
            for _ in 0..<968 {
                // One after the other: who is refused leaves.
                let refused = try browser.events()
                try await refused.receives("\"remedy\"")
                #expect(refused.text.hasPrefix("HTTP/1.1 ") && !refused.text.hasPrefix("HTTP/1.1 200"))
                if refused.text.hasPrefix("HTTP/1.1 503") {
                    #expect(
                        refused.text.contains("tooManyStreams") && refused.text.contains("Retry-After: 20"))
                    #expect(refused.text.contains("Connection: close"), "a page needs the place")
                }
                refused.close()
            }
            // Those that are there lose nothing, and a place that is free is taken.
            try await Self.add("Anna", world)
            for stream in streams { try await stream.receives("member-Anna") }
            streams.removeFirst().close()
            try await world.eventually("a free place") {
                let stream = try browser.events()
                defer { stream.close() }
                try await stream.receives("an answer") { $0.text.contains("\r\n\r\n") }
                return stream.text.hasPrefix("HTTP/1.1 200")
            }
            streams.forEach { $0.close() }
        }
    }

    /// Who reads too slowly is cut, and continues where it was.
    @Test func aSlowReaderIsCutAndContinues() async throws {
        try await World.with { world in
            let browser = try await world.openConsole()
            let (slow, fast) = (try browser.events(receiveBuffer: 4_096), try browser.events())
            for stream in [slow, fast] { try await stream.receives("event: reset\n") }
            slow.isReading = false
            // More than the console keeps for a page and the kernel for a connection.
            var at = try world.clock.now - .days(20)
            try await world.eventually("the slow page is cut") {
                let use = (0..<2_000).map { number in
                    Observation(
                        at: at + Milliseconds(Int64(number) * 1_000), kind: .focus,
                        app: "a\(number % 7)" + String(repeating: "x", count: 200), ordinal: 1)
                }
                at += .seconds(2_100)
                _ = try await world.call(
                    UsageObserve.self, UsageObserve.Params(device: "laptop", observations: use))
                return try await world.consoleHealth().counters.first { $0.name == "pages" }?.count == 1
            }
            slow.isReading = true
            try await slow.receives("its end") { $0.isEnded || $0.text.hasSuffix("\r\n0\r\n\r\n") }
            let again = try browser.events(after: Self.ids(slow).last)
            try await Self.add("Anna", world)
            for stream in [again, fast] { try await stream.receives("member-Anna") }
            // Each once, and in order.
            try await fast.receives("all use") { Self.use(slow) + Self.use(again) == Self.use($0) }
            #expect(Self.types(again).first != "reset")
            for stream in [again, fast] { stream.close() }
        }
    }

    @Test func withoutAPageTheConsoleSleeps() async throws {
        try await World.with { world in
            let browser = try await world.openConsole()
            let stream = try browser.events()
            try await stream.receives("event: reset\n")
            #expect(try await Self.connections(world) > 0)
            stream.close()
            // It notices that the page is gone without having anything to say to it.
            try await world.eventually("nothing is followed") { try await Self.connections(world) == 0 }
            let tasks = "/proc/\(try world.process("console").pid)/task"
            @LoopActor func wakeUps() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: tasks)
                    .flatMap { world.readText("\(tasks)/\($0)/status").split(separator: "\n") }
                    .filter { $0.hasPrefix("voluntary_ctxt_switches:") }
                    .compactMap { Int($0.drop { !$0.isNumber }) }.reduce(0, +)
            }
            try await world.eventually("a second in which nothing wakes it") {
                let before = try wakeUps()
                // Longer than any pause between two readings.
                for name in ["A", "B", "C"] {
                    try await Self.add("\(name)\(before)\(UInt16.random(in: 0...9_999))", world)
                }
                let pause = try await world.run("pause", ["/bin/sleep", "1"])
                return try pause.status == 0 && before > 0 && wakeUps() == before
            }
        }
    }

    /// Connections to the services' events.
    @LoopActor private static func connections(_ world: World) async throws -> Int64 {
        try await world.consoleHealth().counters.first { $0.name == "followed" }?.count ?? -1
    }
}
