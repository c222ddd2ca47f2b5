import Bus
import Contract
import Glibc
import JSON
import ScreenTimeTesting
import Testing
import Time
import Units

@Suite("trace and logs") struct CommandLineTraceTests {
    @Test func oneTraceInFourFormats() async throws {
        try await World.with(["auth-service"]) { world in
            let trace = TraceContext.root()
            _ = try await world.call(MemberAdd.self, MemberAdd.Params(name: "Anna"), trace: trace)
            _ = try await world.call(MemberAdd.self, MemberAdd.Params(name: "Bob"))
            let tree = try await world.command("trace", "--trace", String(trace.traceID.prefix(12)))
            #expect(tree.lines.first?.hasPrefix("trace \(trace.traceID)  ") == true)
            #expect(tree.lines.count == 4, "the trace, the write, its event, an empty line")
            #expect(tree.lines.dropFirst().first?.hasPrefix("  auth-service  member.add  ") == true)
            #expect(tree.lines.dropFirst(2).first?.hasPrefix("    auth-service  » member.changed  ") == true)
            let spans = try await world.command("trace", "--trace", trace.traceID, "--format", "json").json()[
                "spans"]
            let write = try #require(spans?[0])
            #expect(write["trace_id"]?.stringValue == trace.traceID && write["name"] == "member.add")
            let otlp = try await world.command("trace", "--trace", trace.traceID, "--format", "otlp").json()
            let scope = otlp["resourceSpans"]?[0]?["scopeSpans"]?[0]
            #expect(scope?["spans"]?[0]?["spanId"] == write["span_id"])
            #expect(scope?["spans"]?[0]?["kind"] == 2 && scope?["spans"]?[1]?["kind"] == 4)
            #expect(scope?["spans"]?[1]?["parentSpanId"] == write["span_id"])
            let chrome = try await world.command("trace", "--trace", trace.traceID, "--format", "chrome")
                .json()
            let phases = chrome["traceEvents"]?.arrayValue?.compactMap { $0["ph"]?.stringValue }
            #expect(phases == ["M", "X", "X"])
            #expect(try await world.command("trace", "--last", "1").lines.count == 4)
        }
    }

    @Test func theTreeShowsCausesAcrossServicesAndWhereATimerLay() async throws {
        try await World.with([]) { world in
            try world.runtime.prepare()
            let agent = try StandIn(.activity, world)
            let notifier = try StandIn(.notifier, world)
            defer { [agent, notifier].forEach { $0.close() } }
            let id = String(repeating: "a", count: 32)
            func span(
                _ own: String, _ parent: String?, _ service: String, _ name: String, _ kind: SpanKind,
                _ start: Instant, _ durationUs: Int64
            ) -> Span {
                Span(
                    traceID: id, spanID: own, parentID: parent, service: service, name: name, kind: kind,
                    start: start, durationUs: durationUs)
            }
            var late = span("2", "1", "activity-center", "crossing", .internal, 61_000, 250)
            late.subject = "daily/social"
            var shown = span("4", "3", "notifier", "notification.post", .server, 61_003, 2_000)
            shown.outcome = "unavailable"
            agent.answer([
                late, span("1", "0", "activity-center", "usage.observe", .server, 0, 1_500),
                span("3", "2", "activity-center", "notification.post", .client, 61_001, 4_000),
            ])
            notifier.answer([shown])
            let tree = try await world.command("trace")
            #expect(
                tree.lines == [
                    "trace \(id)  1970-01-01 00:00:00  4 spans, 2 services, 1 min 01 s",
                    "  activity-center  usage.observe  1.5 ms  +0 ms",
                    "    … 1 min 00 s later",
                    "    activity-center  crossing  250 µs  [daily/social]  +1 min 01 s",
                    "      activity-center  → notification.post  4.0 ms  +1 min 01 s",
                    "        notifier  notification.post  2.0 ms  unavailable  +1 min 01 s",
                    "",
                ])
            #expect(
                tree.errors
                    == "Without auth-service, shield-service, report-service, monitor-runner: no answer.\n")
            let chrome = try await world.command("trace", "--format", "chrome").json()
            let phases = chrome["traceEvents"]?.arrayValue?.compactMap { $0["ph"]?.stringValue }
            #expect(phases == ["M", "M", "X", "X", "X", "X", "s", "f"], "one arrow, from process to process")
            let otlp = try await world.command("trace", "--format", "otlp").json()
            let status = otlp["resourceSpans"]?[1]?["scopeSpans"]?[0]?["spans"]?[0]?["status"]
            #expect(status == ["code": 2, "message": "unavailable"])
        }
    }

    @Test func followingPrintsSpansAsTheyCome() async throws {
        try await World.with(["auth-service"]) { world in
            let following = try world.launch(
                "following", [World.products + "/screentime", "trace", "--follow", "--format", "json"])
            // The stream has no history: repeat requests until its first span arrives.
            let deadline = MonotonicClock.now + 30_000
            var looks = Looks()
            while following.lines.isEmpty, MonotonicClock.now < deadline {
                _ = try await world.call(MemberList.self, Nothing())
                await looks.pause()
            }
            let span = try Span.decode(Array(try #require(following.lines.first).utf8))
            #expect(span.service == "auth-service" && span.name == "member.list" && span.outcome == "ok")
            following.signal(SIGINT)
            #expect(try await following.exit() == 0)
        }
    }

    @Test func logsAreMergedByTime() async throws {
        try await World.with([]) { world in
            mkdir(world.directory + "/state", 0o700)
            mkdir(world.directory + "/state/logs", 0o700)
            func line(_ service: String, _ second: Int, _ message: String) -> String {
                #"{"time":"2026-01-01T00:00:0\#(second).000Z","level":"info","service":"\#(service)","#
                    + #""pid":1,"message":"\#(message)","n":\#(second)}"# + "\n"
            }
            _ = try world.write(line("a", 1, "one") + line("a", 4, "four"), to: "state/logs/a.log.1")
            _ = try world.write(line("a", 5, "five"), to: "state/logs/a.log")
            _ = try world.write(
                line("b", 2, "two") + "no json\n" + line("b", 3, "three"), to: "state/logs/b.log")
            let all = try await world.command("logs")
            #expect(
                all.lines.map { $0.split(separator: " ").last } == [
                    "n=1", "n=2", "json", "n=3", "n=4", "n=5",
                ])
            #expect(all.lines.first == "2026-01-01T00:00:01.000Z  INFO  a  one  n=1")
            #expect(
                try await world.command("logs", "b", "--last", "1", "--json").lines
                    == [String(line("b", 3, "three").dropLast())])
            #expect(try await world.command("logs", "c").status == 1)
        }
    }

    @Test func followingALogSurvivesItsRotation() async throws {
        try await World.with([]) { world in
            mkdir(world.directory + "/state", 0o700)
            mkdir(world.directory + "/state/logs", 0o700)
            let path = try world.write("first\n", to: "state/logs/a.log")
            let following = try world.launch(
                "following", [World.products + "/screentime", "logs", "--follow", "a"])
            _ = try await following.line("first")
            _ = try world.write("sec", to: "state/logs/a.log")
            _ = try world.write("ond\n", to: "state/logs/a.log")
            _ = try await following.line("second")
            _ = try world.write("last of the old file\n", to: "state/logs/a.log")
            rename(path, path + ".1")
            _ = try world.write("first of the new file\n", to: "state/logs/a.log")
            _ = try await following.line("first of the new file")
            #expect(following.lines == ["first", "second", "last of the old file", "first of the new file"])
            following.signal(SIGINT)
            #expect(try await following.exit() == 0)
        }
    }

    @Test func followingALogGoesOnAfterLinesWereRemoved() async throws {
        try await World.with([]) { world in
            mkdir(world.directory + "/state", 0o700)
            mkdir(world.directory + "/state/logs", 0o700)
            // A FIFO without a writer does not block the command.
            mkfifo(world.directory + "/state/logs/c.log", 0o600)
            let path = try world.write("a first line\na second line\n", to: "state/logs/a.log")
            let command = [World.products + "/screentime", "logs", "--follow"]
            let following = try world.launch("following", command)
            _ = try await following.line("a second line")
            // As `screentime forget` does.
            #expect(truncate(path, "a first line\n".utf8.count) == 0)
            // Each is found by a later scan of all files, the second by one that began after the removal.
            for marker in ["one look", "another look"] {
                _ = try world.write(marker + "\n", to: "state/logs/b.log")
                _ = try await following.line(marker)
            }
            _ = try world.write("x\n", to: "state/logs/a.log")
            _ = try await following.line("x")
            #expect(following.lines == ["a first line", "a second line", "one look", "another look", "x"])
            following.signal(SIGINT)
            #expect(try await following.exit() == 0)
        }
    }
}
