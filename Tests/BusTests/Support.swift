import Units
import Contract
import Foundation
import JSON
import Loop
import ScreenTimeTesting

@testable import Bus

/// A runtime directory of one test; removed with it.
struct Place: ~Copyable {
    let directory: RuntimeDirectory

    init() throws {
        let path = "/tmp/stb-\(UInt32.random(in: 0 ... .max))"
        directory = RuntimeDirectory(path: path)
        try directory.prepare()
    }

    deinit {
        // A directory left behind in /tmp is no failure of what the test shows.
        try? FileManager.default.removeItem(atPath: directory.path)
    }
}

/// The log of a made-up owner, in memory, and its two doors on the bus. Stopping and starting it is a restart
/// of the process as its peers see it.
@LoopActor final class Owner {
    let directory: RuntimeDirectory
    let service = ServiceName.shield
    var epoch = "aaaa"
    var log: [(sequence: Int64, bytes: [UInt8])] = []
    /// Of this log; the last one is live.
    var runs = [LogRun(id: "r1", first: 1)]
    var first: Int64 = 1
    var head: Int64 = 0
    var reads = 0
    /// Called before the log is read, with the number of the read.
    var willRead: (Int) -> Void = { _ in }
    /// The error for requests for the log or a snapshot.
    var refusal: ServiceError?
    /// Called before a page of the present state is made.
    var willAnswerPage: (Int) -> Void = { _ in }
    private(set) var refusals: [RefusalReason] = []
    var subscriptionsShown: Int { publisher?.subscriptionsShown ?? 0 }
    var unreadEventBytes: Int { publisher?.unreadBytes ?? 0 }
    private var publisher: EventPublisher?
    private var server: RequestServer?

    init(_ directory: RuntimeDirectory) { self.directory = directory }

    func start(queuedMax: Int = 10_000) throws {
        publisher = try EventPublisher(service, in: directory, queuedMax: queuedMax) { [unowned self] in
            SyncHead(
                source: "/test/\(epoch)/\(service.rawValue)", head: SequenceText(head), run: runs.last?.id)
        }
        publisher?.onRefusal = { [unowned self] reason, _ in refusals.append(reason) }
        let server = try RequestServer(service, in: directory, tracer: Tracer(service: "owner"))
        self.server = server
        server.answer(EventsRead.self) { [unowned self] params, _, reply in
            reads += 1
            willRead(reads)
            if let refusal { return reply.fail(refusal) }
            guard params.after + 1 >= first else {
                return reply.fail(ServiceError(.logTrimmed, "trimmed", remedy: "snapshot"))
            }
            if let run = params.run, self.run(of: params.after) != run {
                return reply.fail(ServiceError(.logForked, "parted", remedy: "runs"))
            }
            var room = Limits.eventBytesPerAnswerMax
            let page = log.dropFirst(Int(params.after - first + 1)).prefix(1_000).prefix { event in
                let fits = event.sequence == params.after + 1 || event.bytes.count <= room
                room -= event.bytes.count
                return fits
            }
            var result = EventsRead.Result(epoch: epoch, first: first, head: head)
            result.through = page.last?.sequence ?? head
            result.run = self.run(of: result.through)
            // The bytes were made by `event`, which is valid JSON.
            result.events = page.compactMap { try? RawJSON(bytes: $0.bytes) }
            reply.succeed(result)
        }
        server.answer(EventsSnapshot.self) { [unowned self] params, _, reply in
            if let refusal { return reply.fail(refusal) }
            let page = params.page.flatMap(Int.init) ?? 0
            willAnswerPage(page)
            var result = EventsSnapshot.Result(epoch: epoch, through: params.through ?? head)
            // What we have just written is JSON; without it the test finds nothing.
            result.events = [try? RawJSON(bytes: event(head, store: "snapshot-\(page)"))].compactMap { $0 }
            result.nextPage = page < 2 ? String(page + 1) : nil
            result.run = self.run(of: result.through)
            reply.succeed(result)
        }
        server.answer(EventsRuns.self) { [unowned self] _, _, reply in
            if let refusal { return reply.fail(refusal) }
            reply.succeed(EventsRuns.Result(epoch: epoch, head: head, runs: runs.filter { $0.first <= head }))
        }
    }

    /// Nil: no event has this sequence.
    func run(of sequence: Int64) -> String? {
        sequence <= head ? runs.last { $0.first <= sequence }?.id : nil
    }

    /// As a start of the owner from a copy that ends at `sequence`.
    func restore(to sequence: Int64, run: String) {
        log.removeAll { $0.sequence > sequence }
        head = sequence
        runs.removeAll { $0.first > sequence }
        runs.append(LogRun(id: run, first: sequence + 1))
    }

    func stop() {
        publisher?.close()
        server?.close()
        publisher = nil
        server = nil
    }

    /// - Parameter bytes: of the event, about.
    func event(_ sequence: Int64, store: String, bytes: Int = 0) -> [UInt8] {
        var head = EventHead()
        head.type = SettingsRejected.type
        head.source = "/test/\(epoch)/\(service.rawValue)"
        head.id = String(sequence)
        head.time = UTCTime.text(Instant(milliseconds: sequence))
        head.sequence = SequenceText(sequence)
        head.previous = SequenceText(sequence - 1)
        head.run = runs.last { $0.first <= sequence }?.id
        head.traceparent = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"
        let reason = "test" + String(repeating: "x", count: bytes)
        return Event(head, SettingsRejected(client: "a.b", store: store, reason: reason)).encoded()
    }

    /// Commits events; with `publish: false` as if the process had died before telling.
    func commit(_ count: Int, publish: Bool = true, bytes: Int = 0) throws {
        for _ in 0..<count {
            head += 1
            let bytes = event(head, store: "s\(head)", bytes: bytes)
            log.append((head, bytes))
            if publish { try publisher?.publish(topic: SettingsRejected.type, bytes) }
        }
    }

    /// Publishes events until the subscriber has one of them. It has joined then, and what it lacks of all
    /// before, it has lost.
    func publish(untilHeardBy bare: BareSubscriber) async throws {
        let mark = head + 1
        while bare.sequences.last ?? 0 < mark {
            try Task.checkCancellation()
            try commit(1)
            await Task.yield()
        }
    }

    func trim(keeping count: Int) {
        log.removeFirst(log.count - count)
        first = head - Int64(count) + 1
    }

    func client() throws -> RequestClient {
        try RequestClient(to: service, in: directory, tracer: Tracer(service: "test"))
    }

    func follow(
        _ recorder: EventRecorder, from cursor: Cursor = Cursor(epoch: "", sequence: 0),
        queuedMax: Int = 10_000
    ) throws -> EventFollower {
        try EventFollower(
            service, in: directory, client: try client(), cursor: cursor, queuedMax: queuedMax,
            output: recorder.output)
    }
}

extension EventRecorder {
    /// Suspends until the event with this sequence is in, and returns all sequences seen.
    func sequences(through last: Int64) async throws -> [Int64] {
        try await wait(for: "sequence \(last)") { recorder in
            recorder.events.last.map { $0.sequence >= last } ?? false ? recorder.events.map(\.sequence) : nil
        }
    }
}

/// A subscriber as libzmq gives it, without any cure: what it misses, it misses.
@LoopActor final class BareSubscriber {
    private let socket: Socket
    private var token: Reactor.Token?
    private(set) var sequences: [Int64] = []

    init(_ owner: Owner, queuedMax: Int = 10_000) throws {
        socket = try Socket(.subscriber, queuedMax: queuedMax)
        try socket.set(6, Array(SettingsRejected.type.utf8))  // ZMQ_SUBSCRIBE
        try socket.connect(owner.directory.endpoint(owner.service, .events))
        token = Reactor.shared.watch(socket: socket) { [weak self] in self?.take() }
    }

    func close() { if let token { Reactor.shared.forget(token) } }

    isolated deinit { close() }

    private func take() {
        var frame = Frame()
        // An error ends the loop like an empty queue; the test then times out and reports that.
        while (try? socket.receive(&frame)) == true {
            guard (try? socket.receive(&frame)) == true, let event = try? AnyEvent.decode(frame.bytes) else {
                return
            }
            sequences.append(event.head.sequence.value)
        }
    }
}
