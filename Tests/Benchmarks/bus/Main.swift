import Bus
import Contract
import Glibc
import JSON
import Loop
import Time
import Units

/// The real Bus module under load, to be held against bench-raw:
///   bench-bus answer DIRECTORY              a RequestServer that decodes, answers, encodes
///   bench-bus ask DIRECTORY COUNT WINDOW    a RequestClient; prints nanoseconds of all COUNT requests
///   bench-bus publish DIRECTORY COUNT       an EventPublisher that encodes each event, once one follows
///   bench-bus take DIRECTORY COUNT          an EventFollower that decodes each event; prints nanoseconds
///   bench-bus observe DIRECTORY COUNT BATCH usage.observe to a running activity-center, 8 batches open;
///                                           prints nanoseconds until the last is acknowledged
///   bench-bus fill DIRECTORY FILE           rows `start_ms,end_ms,app` to a running activity-center, eight
///                                           batches open; prints nanoseconds until the last is acknowledged,
///                                           and until report-service has taken them in
///   bench-bus report DIRECTORY ROUNDS QUERY a report.query (its parameters as JSON), page after page; prints
///                                           a line per round: nanoseconds of all pages, and microseconds of
///                                           them in the service
///   bench-bus bytes DIRECTORY               writes request, answer and event as sent, for bench-raw
@main struct Bench {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else { return usage() }
        let directory = RuntimeDirectory(path: arguments[2])
        let numbers = arguments.dropFirst(3).compactMap { Int($0) }
        Reactor.run {
            do {
                try directory.prepare()
                switch (arguments[1], numbers.count) {
                case ("answer", 0): try BenchServer.start(directory)
                case ("ask", 2): try BenchClient.start(directory, count: numbers[0], window: numbers[1])
                case ("publish", 1): try BenchPublisher.start(directory, count: numbers[0])
                case ("take", 1): try BenchFollower.start(directory, count: numbers[0])
                case ("observe", 2): try BenchObserver.start(directory, count: numbers[0], batch: numbers[1])
                case ("bytes", 0): try writeBytes(directory)
                case ("fill", _): try BenchFiller.start(directory, file: arguments[3])
                case ("report", 1): try BenchReporter.start(directory, rounds: numbers[0], arguments[4])
                default: usage()
                }
            } catch {
                print("bench-bus: \(error)")
                exit(1)
            }
        }
    }

    static func usage() {
        print("see the comment at the top of Tests/Benchmarks/bus/Main.swift")
        exit(64)
    }
}

/// A method made for the benchmark: an event of about 400 bytes there and back.
enum Echo: Method {
    static let name = "bench.echo"
    static let owner = ServiceName.activity
    static let effect = Effect.read
    static let access = Access.anyone
    static let summary = "Gives back what it got."
    typealias Params = UsageRecorded
    typealias Result = UsageRecorded
}

/// A usage.recorded as activity-center sends it for one visit.
func sample() -> UsageRecorded {
    UsageRecorded(
        member: "uid-1000", device: "workstation", deviceModel: "linux", kind: .app,
        subject: "org.mozilla.firefox", category: "utilities", name: "Firefox",
        from: 1_764_000_000_000, to: 1_764_000_060_000,
        intervals: [Interval(start: 1_764_000_000_000, end: 1_764_000_059_123)], pickups: [],
        notifications: [])
}

func sampleEvent(_ sequence: Int64) -> [UInt8] {
    var head = EventHead()
    head.type = UsageRecorded.type
    head.source = "/local/0123456789abcdef/activity-center"
    head.id = String(sequence)
    head.time = UTCTime.text(1_764_000_060_000)
    head.sequence = SequenceText(sequence)
    head.previous = SequenceText(sequence - 1)
    head.traceparent = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"
    return Event(head, sample()).encoded()
}

@LoopActor func writeBytes(_ directory: RuntimeDirectory) throws {
    func save(_ name: String, _ bytes: [UInt8]) {
        guard let file = fopen("\(directory.path)/\(name)", "w") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
    save("event", sampleEvent(1))
    var request = Request()
    request.id = try RawJSON(bytes: Array("12345".utf8))
    request.method = Echo.name
    request.traceparent = TraceContext.root().traceparent
    request.deadline = 60_000
    request.params = RawJSON(encoding: sample())
    save("request", request.encoded())
    var answer = Answer()
    answer.id = request.id
    answer.result = request.params
    save("answer", answer.encoded())
    exit(0)
}

@LoopActor enum BenchServer {
    static var server: RequestServer?

    static func start(_ directory: RuntimeDirectory) throws {
        let server = try RequestServer(.activity, in: directory, tracer: Tracer(service: "bench"))
        server.answer(Echo.self) { params, _, reply in reply.succeed(params) }
        self.server = server
        print("READY")
        fflush(nil)
    }
}

@LoopActor enum BenchClient {
    static var client: RequestClient?
    static var left = 0
    static var unsent = 0
    static var count = 0
    static var startNs: Int64 = 0

    static func start(_ directory: RuntimeDirectory, count: Int, window: Int) throws {
        client = try RequestClient(to: .activity, in: directory, tracer: Tracer(service: "bench"))
        (self.count, left, unsent) = (count, count, count)
        for _ in 0..<window { ask() }
    }

    static func ask() {
        guard unsent > 0 else { return }
        unsent -= 1
        client?.send(Echo.self, sample(), options: CallOptions(deadline: 60_000)) { result in
            guard case .success(let echo) = result, echo.subject == "org.mozilla.firefox" else {
                print("bench-bus: \(result)")
                exit(1)
            }
            if left == count { startNs = MonotonicClock.nowNs }
            left -= 1
            if left == 0 { finish(count, startNs) }
            ask()
        }
    }
}

func finish(_ count: Int, _ startNs: Int64) -> Never {
    print((MonotonicClock.nowNs - startNs) * Int64(count) / Int64(count - 1))
    exit(0)
}

@LoopActor enum BenchPublisher {
    static var publisher: EventPublisher?
    static var server: RequestServer?
    static var head: Int64 = 0

    static func start(_ directory: RuntimeDirectory, count: Int) throws {
        let server = try RequestServer(.activity, in: directory, tracer: Tracer(service: "bench"))
        server.answer(HealthCheck.self) { _, _, reply in
            reply.succeed(HealthCheck.Result())
            publishAll(count)
        }
        server.answer(EventsRead.self) { _, _, reply in
            reply.succeed(EventsRead.Result(epoch: "0123456789abcdef", first: 1, head: head, through: head))
        }
        publisher = try EventPublisher(.activity, in: directory, queuedMax: 100_000_000) {
            SyncHead(source: "/local/0123456789abcdef/activity-center", head: SequenceText(head))
        }
        self.server = server
        print("READY")
        fflush(nil)
    }

    static func publishAll(_ count: Int) {
        do {
            for sequence in 1...Int64(count) {
                try publisher?.publish(topic: UsageRecorded.type, sampleEvent(sequence))
                head = sequence
            }
        } catch { print("bench-bus: \(error)") }
    }
}

@LoopActor enum BenchFollower {
    static var client: RequestClient?
    static var follower: EventFollower?
    static var taken = 0
    static var startNs: Int64 = 0

    static func start(_ directory: RuntimeDirectory, count: Int) throws {
        let client = try RequestClient(to: .activity, in: directory, tracer: Tracer(service: "bench"))
        self.client = client
        let output = FollowerOutput(
            deliver: { events, _ in take(events, count) }, reset: { _ in}, forked: { _ in exit(1) },
            refused: { reason, detail in print("bench-bus: \(reason) \(detail)") })
        follower = try EventFollower(
            .activity, in: directory, client: client, cursor: Cursor(epoch: "0123456789abcdef", sequence: 0),
            queuedMax: 100_000_000, output: output)
        waitForStep()
    }

    /// Asks for the events once the live stream is in step.
    static func waitForStep() {
        guard follower?.phase == .live else {
            EventLoop.main.after(5) { waitForStep() }
            return
        }
        client?.send(HealthCheck.self, Nothing(), options: CallOptions(deadline: 60_000)) { _ in }
    }

    static func take(_ events: [ReceivedEvent], _ count: Int) {
        for event in events {
            // Why does not matter: the bench is void.
            guard let raw = event.event.data, let data = try? UsageRecorded.decode(raw.bytes), data.to > 0
            else {
                print("bench-bus: an event could not be decoded")
                exit(1)
            }
            taken += 1
            if taken == 1 { startNs = MonotonicClock.nowNs }
        }
        if taken >= count { finish(count, startNs) }
    }
}

@LoopActor enum BenchObserver {
    static var client: RequestClient?
    static var unsent = 0
    static var left = 0
    static var at: Instant = 1_764_000_000_000
    static let apps = (0..<20).map { "org.example.app\($0)" }

    static func start(_ directory: RuntimeDirectory, count: Int, batch: Int) throws {
        client = try RequestClient(to: .activity, in: directory, tracer: Tracer(service: "bench"))
        (unsent, left) = (count, count)
        let startNs = MonotonicClock.nowNs
        for _ in 0..<8 { observe(count, batch, startNs) }
    }

    /// One batch of focus changes, a second apart, as a sensor would send them.
    static func observe(_ count: Int, _ batch: Int, _ startNs: Int64) {
        guard unsent > 0 else { return }
        unsent -= batch
        let observations = (0..<batch).map { index in
            at += 1_000
            return Observation(at: at, kind: .focus, app: apps[(index * 7) % apps.count])
        }
        let params = UsageObserve.Params(device: "bench", deviceModel: "bench", observations: observations)
        client?.send(UsageObserve.self, params, options: CallOptions(deadline: 60_000)) { result in
            guard case .success(let answer) = result, answer.accepted == Int64(batch) else {
                print("bench-bus: \(result)")
                exit(1)
            }
            left -= batch
            if left <= 0 {
                print(MonotonicClock.nowNs - startNs)
                exit(0)
            }
            observe(count, batch, startNs)
        }
    }
}
