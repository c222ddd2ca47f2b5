package import Bus
package import Contract
import Foundation
package import Loop
package import Units

/// The environment of one test: separate runtime, state and log directories, and the processes started in it.
/// At its end the processes are stopped, the last one first, and the directories removed;
/// `SCREENTIME_KEEP=1` keeps them and prints their path.
@LoopActor package final class World {
    package let directory: String
    package var environment: [String: String]
    package private(set) var processes: [ChildProcess] = []
    private var clients: [ServiceName: RequestClient] = [:]
    private var followers: [EventFollower] = []
    package let tracer = Tracer(service: "test")
    private var openedClock: VirtualClock?

    package nonisolated static let allServices = ServiceName.startOrder.map(\.rawValue)

    /// Runs `body` in a new world with the named services ready.
    /// - Parameter clock: start of the virtual clock, RFC 3339 in UTC, for example `2026-03-29T00:30:00Z`;
    ///   only ``clock`` moves it. If nil, the machine's clock.
    package static func with(
        _ services: [String] = allServices, environment: [String: String] = [:], clock: String? = nil,
        _ body: @LoopActor (World) async throws -> Void
    ) async throws {
        await Slots.worlds.take()
        defer { Slots.worlds.give() }
        let world = try World(environment)
        do {
            if let clock { _ = try await world.clock.start(at: clock) }
            for service in services { try await world.start(service) }
            try await body(world)
        } catch {
            world.printLogs()
            await world.tearDown()
            throw error
        }
        await world.tearDown()
    }

    private init(_ extra: [String: String]) throws {
        // Short, because the path of a socket may have 107 bytes.
        var template = Array("/tmp/stt-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Overdue("mkdtemp: errno \(errno)") }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        environment = [
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": directory,
            "SCREENTIME_RUNTIME_DIR": directory + "/run", "SCREENTIME_STATE_DIR": directory + "/state",
            "SCREENTIME_FAULT_DIR": directory + "/fault", "SCREENTIME_LOG_LEVEL": "debug", "TZ": "UTC",
            "LC_ALL": "C.UTF-8", "SCREENTIME_SUPERVISED": "yes", "SCREENTIME_CONSOLE_PORT": "0",
        ]
        for key in ["SCREENTIME_TEST_PROGRAMS", "SCREENTIME_BUBBLEWRAP"] {
            environment[key] = getenv(key).map { String(cString: $0) }
        }
        mkdir(directory + "/fault", 0o700)
        environment.merge(extra) { _, new in new }
    }

    package var runtime: RuntimeDirectory { RuntimeDirectory(path: directory + "/run") }

    /// The directory of the built executables.
    package nonisolated static var products: String { Products.folder }
    /// The directory of the programs that belong to the running tests; another one in other packages.
    package nonisolated static var testPrograms: String { Products.besideTests }

    /// Starts one of our executables and waits for its READY.
    @discardableResult
    package func start(
        _ name: String, arguments: [String] = [], environment extra: [String: String] = [:]
    ) async throws -> ChildProcess {
        let process = try launch(name, [Self.products + "/" + name] + arguments, environment: extra)
        _ = try await process.line("READY")
        return process
    }

    /// Starts a program in this world's environment.
    package func launch(
        _ name: String, _ arguments: [String], environment extra: [String: String] = [:]
    ) throws -> ChildProcess {
        let process = try ChildProcess(
            name, arguments, environment: environment.merging(extra) { _, new in new },
            errorPath: "\(directory)/\(name).stderr")
        processes.append(process)
        return process
    }

    package func process(_ name: String) throws -> ChildProcess {
        guard let process = processes.last(where: { $0.name == name }) else {
            throw Overdue("no \(name) was started")
        }
        return process
    }

    /// Runs a program until it exits. Standard error is in `<directory>/<name>.stderr`.
    package func run(
        _ name: String, _ arguments: [String], environment extra: [String: String] = [:],
        deadline: Milliseconds = 180_000
    ) async throws -> (status: Int32, lines: [String]) {
        let process = try launch(name, arguments, environment: extra)
        let status = try await process.exit(deadline: deadline)
        return (status, process.lines)
    }

    /// Runs the command line.
    package func screentime(_ arguments: String...) async throws -> (status: Int32, lines: [String]) {
        try await run("screentime", [Self.products + "/screentime"] + arguments)
    }

    package func errors(of name: String) -> String {
        readText("\(directory)/\(name).stderr")
    }

    package func readText(_ path: String) -> String {
        // A missing file counts as empty.
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }

    /// The virtual clock of this world, started or not.
    package var clock: VirtualClock {
        get throws {
            if let openedClock { return openedClock }
            let clock = try VirtualClock(environment, tracer: tracer)
            openedClock = clock
            return clock
        }
    }

    // MARK: the bus

    package func client(_ service: ServiceName) throws -> RequestClient {
        if let client = clients[service] { return client }
        let client = try freshClient(service)
        clients[service] = client
        return client
    }

    /// A new connection to a service; the caller closes it.
    package func freshClient(_ service: ServiceName) throws -> RequestClient {
        try RequestClient(to: service, in: runtime, tracer: tracer)
    }

    package func call<M: Method>(
        _ method: M.Type, _ params: M.Params, client bundle: String? = nil, deadline: Milliseconds = 20_000,
        notBefore: [Position] = [], idempotencyKey: String? = nil, trace: TraceContext? = nil
    ) async throws -> M.Result {
        try await client(M.owner).call(
            method, params,
            options: CallOptions(
                deadline: deadline, trace: trace, idempotencyKey: idempotencyKey, client: bundle,
                notBefore: notBefore))
    }

    package func health(
        _ service: ServiceName, deadline: Milliseconds = 20_000
    ) async throws -> HealthCheck.Result
    {
        try await client(service).call(
            HealthCheck.self, Nothing(), options: CallOptions(deadline: deadline))
    }

    /// Follows all events of a service from the start of its log.
    package func record(_ service: ServiceName) throws -> EventRecorder {
        let recorder = EventRecorder(service)
        followers.append(
            try EventFollower(
                service, in: runtime, client: try client(service), cursor: Cursor(epoch: "", sequence: 0),
                output: recorder.output))
        return recorder
    }

    // MARK: the end

    /// Of each name the last: a test that waits starts some programs thousands of times.
    private func printLogs() {
        let last = Dictionary(processes.map { ($0.name, $0) }) { _, later in later }
        for process in last.values.sorted(by: { $0.pid < $1.pid }) {
            let log = readText("\(directory)/state/logs/\(process.name).log").split(separator: "\n").suffix(
                15)
            let errors = errors(of: process.name).split(separator: "\n").suffix(5)
            print("--- \(process.name), \(process.status.map { "ended \($0)" } ?? "running")")
            for line in log + errors { print(line) }
        }
    }

    private func tearDown() async {
        openedClock?.close()
        followers.forEach { $0.close() }
        clients.values.forEach { $0.close() }
        for process in processes.reversed() where process.status == nil {
            process.signal(SIGCONT)
            process.signal(SIGTERM)
            do { _ = try await process.exit(deadline: 5_000) } catch {
                process.signal(SIGKILL)
                // If that fails too, nothing else can be tried.
                _ = try? await process.exit(deadline: 5_000)
            }
        }
        if getenv("SCREENTIME_KEEP") != nil {
            print("kept \(directory)")
        } else {
            do { try FileManager.default.removeItem(atPath: directory) } catch {
                print("left \(directory): \(error)")
            }
        }
    }
}

/// Records the events of one service in order, and can wait for one.
@LoopActor package final class EventRecorder {
    package private(set) var events: [ReceivedEvent] = []
    package private(set) var resets = 0
    package private(set) var forks: [ForkedLog] = []
    /// The answer to a fork of the log; nil reads the log from its start.
    package var afterFork: AfterFork? = .stop
    package private(set) var refusals: [RefusalReason] = []
    /// Whether it acts upon events, and never reads a snapshot.
    package var acts = false
    package private(set) var lost: [ClosedRange<Int64>] = []
    /// How often it was up to date: after each connection, and after each gap.
    package private(set) var timesLive = 0
    /// Why the source is stalled; nil if it is not.
    package private(set) var stall: ServiceError?
    private let service: ServiceName
    private var watchers: [@LoopActor () -> Bool] = []

    package init(_ service: ServiceName) { self.service = service }

    package var output: FollowerOutput {
        var output = FollowerOutput(
            deliver: { [self] new, _ in
                events += new
                watchers.removeAll { $0() }
            },
            reset: nil, lost: { [self] in lost.append($0) },
            forked: { [self] fork in
                forks.append(fork)
                // Waiting callers must not receive events of the former log.
                if afterFork == nil { events = [] }
                watchers.removeAll { $0() }
                if let afterFork { return afterFork }
                return .resume(Cursor(epoch: fork.epoch, sequence: 0))
            },
            stalled: { [self] error in
                stall = error
                watchers.removeAll { $0() }
            },
            live: { [self] in
                timesLive += 1
                watchers.removeAll { $0() }
            },
            refused: { [self] reason, _ in refusals.append(reason) })
        guard !acts else { return output }
        output.reset = { [self] _ in
            resets += 1
            events = []
        }
        return output
    }

    package var types: [String] { events.map(\.type) }

    /// All data of one type so far.
    package func all<E: EventData>(_ type: E.Type) throws -> [E] {
        try events.filter { $0.type == E.type }.compactMap {
            try $0.event.data.map { try E.decode($0.bytes) }
        }
    }

    /// Suspends until `condition` returns a value; it is evaluated at each delivery.
    package func wait<Value: Sendable>(
        for what: String, deadline: Milliseconds = 180_000,
        _ condition: @escaping @LoopActor (EventRecorder) throws -> Value?
    ) async throws -> Value {
        let expectation = Expectation<Value>(
            "\(self.service.rawValue): \(what); seen: \(self.types.suffix(12))")
        @LoopActor func judge() -> Bool {
            do {
                guard let value = try condition(self) else { return false }
                expectation.fulfil(value)
            } catch { expectation.fail(error) }
            return true
        }
        if !judge() { watchers.append(judge) }
        return try await expectation.wait(deadline: deadline)
    }

    /// The first event of a type that satisfies `condition`.
    package func first<E: EventData>(
        _ type: E.Type, deadline: Milliseconds = 180_000,
        where condition: @escaping @LoopActor (E) -> Bool = { _ in true }
    ) async throws -> E {
        try await wait(for: "an event \(E.type)", deadline: deadline) {
            try $0.all(type).first(where: condition)
        }
    }
}

/// Limits the number of simultaneous worlds: the test runner starts all tests at once, and with hundreds of
/// processes deadlines would be missed.
@LoopActor private final class Slots {
    static let worlds = Slots(6)
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private init(_ count: Int) { free = count }

    func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func give() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
