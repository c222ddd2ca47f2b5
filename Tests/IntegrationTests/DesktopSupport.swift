import Bus
import Contract
import Foundation
import JSON
import Loop
import ProcessEvents
import ScreenTimeTesting
import TestSupport
import Testing
import Time
import Units

let isX11Here = World.areInstalled("Xvfb", "openbox", "xterm", "xdotool", "setsid")

extension Trait where Self == ConditionTrait {
    /// For tests that find daemons, or expect that nothing is degraded: in a container with its own
    /// process ids the kernel reports no forks.
    static var needsForkReports: Self {
        .enabled(if: (try? ForkListener()) != nil, "the kernel does not report forks to us")
    }
}

/// What the tests of the desktop agent do again and again.
extension World {
    /// A display with a window manager, two named apps (Alpha, Beta), and the services.
    static func withDesktop(
        _ services: [String], agent: Bool = true, environment: [String: String] = [:], clock: String? = nil,
        _ body: @LoopActor (World) async throws -> Void
    ) async throws {
        try await World.with([], environment: environment, clock: clock) { world in
            try world.writeDesktopFiles()
            try await world.startDisplay()
            try await world.startWindowManager()
            for service in services { try await world.start(service) }
            if agent { try await world.start("desktop-agent") }
            try await body(world)
        }
    }

    private func writeDesktopFiles() throws {
        let folder = directory + "/data/applications"
        // GIO watches the nearest directory that exists: without the second one the agent would wake for each
        // file of this world.
        for needed in [folder, directory + "/.config"] {
            try FileManager.default.createDirectory(atPath: needed, withIntermediateDirectories: true)
        }
        environment["XDG_DATA_HOME"] = directory + "/data"
        for (name, categories) in [("Alpha", "Game;"), ("Beta", "Office;")] {
            try """
            [Desktop Entry]
            Type=Application
            Name=\(name)
            Exec=/usr/bin/env \(name.lowercased())
            StartupWMClass=\(name)App
            Categories=\(categories)
            """.write(toFile: "\(folder)/\(name.lowercased()).desktop", atomically: true, encoding: .utf8)
        }
    }

    /// Opens a terminal of an app (`Alpha` becomes class `AlphaApp`, app id `alpha`); returns its window's
    /// id.
    @discardableResult
    func openTerminal(
        _ app: String, _ command: [String] = ["sh", "-c", "read line"]
    ) async throws -> (window: String, process: ChildProcess) {
        let process = try launch(
            "xterm-\(app)", ["xterm", "-class", "\(app)App", "-title", app, "-e"] + command)
        var found: String?
        try await eventually("a window of \(app)") {
            // A window that is closed meanwhile ends the search.
            let words = ["xdotool", "search", "--onlyvisible", "--class", "^\(app)App$"]
            found = try await self.run("xdotool", words).lines.first
            return found != nil
        }
        let window = try #require(found)
        return (window, process)
    }

    func xdotool(_ words: String...) async throws { try await xdotool(words) }

    func xdotool(_ words: [String]) async throws {
        let (status, _) = try await run("xdotool", ["xdotool"] + words)
        guard status == 0 else { throw Overdue("xdotool \(words) ended with \(status)") }
    }

    // MARK: the agent's own endpoint

    /// For processes that a busy machine lets stand still for some time.
    static let patient = CallOptions(deadline: 60_000)

    func agentClient() throws -> RequestClient {
        try RequestClient(toNamed: AgentName.desktopAgent, in: runtime, tracer: tracer)
    }

    /// Without the complaint that this machine causes: in a pid namespace of its own no fork is reported.
    /// And without those of services that the test does not start, which come after some time.
    func agentHealth() async throws -> HealthCheck.Result {
        var health = try await agentClient().call(HealthCheck.self, Nothing(), options: Self.patient)
        let absent = ServiceName.allCases.filter { name in
            !processes.contains { $0.name == name.rawValue }
        }
        health.degradedBy.removeAll { sentence in
            sentence == Self.noForkReports
                || absent.contains { sentence.hasSuffix(": \($0.rawValue) is not running") }
        }
        return health
    }

    /// Waits until the agent says exactly this of what does not work: on a busy machine a cover may come
    /// later than its app is frozen.
    func agentIsDegraded(by sentences: [String]) async throws {
        var found: [String] = []
        do {
            try await eventually("the agent's sentences") {
                found = try await self.agentHealth().degradedBy
                return found == sentences
            }
        } catch {
            Issue.record("\(found) instead of \(sentences)")
            throw error
        }
    }

    private static let noForkReports: String? = {
        do throws(ForkListenerError) { _ = try ForkListener() } catch { return error.text }
        return nil
    }()

    /// Waits until the agent has the present shields; it receives later ones as events.
    func agentFollowsShields() async throws {
        let client = try agentClient()
        try await eventually("the agent follows shield-service") {
            let state = try await client.call(ClockStatus.self, ClockWait(), options: Self.patient)
            return state.follows.contains { $0.service == .shield && $0.connected }
                && !state.open.contains { $0.contains("shield-service") }
        }
    }

    /// Asks the agent for its spans until one satisfies `condition`.
    func agentSpan(
        _ what: String, where condition: (Span) -> Bool
    ) async throws -> Span {
        let client = try agentClient()
        let deadline = MonotonicClock.now + 180_000
        var seen: [Span] = []
        var looks = Looks()
        while MonotonicClock.now < deadline {
            seen = try await client.call(TraceRead.self, TraceRead.Params(), options: Self.patient).spans
            if let span = seen.last(where: condition) { return span }
            await looks.pause()
        }
        throw Overdue("the agent's span: \(what); seen: \(seen.suffix(8).map { "\($0.name) \($0.outcome)" })")
    }

    // MARK: shields

    @discardableResult
    func shield(_ apps: [String], trace: TraceContext? = nil) async throws -> Written {
        let value: JSONValue = apps.isEmpty ? .null : .array(apps.map { .string($0) })
        let settings = [Setting(key: "shield.applications", value: value)]
        return try await call(
            SettingsWrite.self, SettingsWrite.Params(store: "test", settings: settings), trace: trace)
    }

    // MARK: files that grow

    func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Gives way on the bus again and again until `condition` holds.
    func eventually(_ what: String, _ condition: @LoopActor () async throws -> Bool) async throws {
        let deadline = MonotonicClock.now + 180_000
        var looks = Looks()
        while MonotonicClock.now < deadline {
            if try await condition() { return }
            await looks.pause()
        }
        throw Overdue(what)
    }

    /// State letters of processes; `-` for one that is gone.
    func states(_ processes: [FrozenProcess]) -> [Character] {
        processes.map { process in
            let stat = readText("/proc/\(process.pid)/stat")
            guard let end = stat.lastIndex(of: ")") else { return "-" }
            return stat[end...].dropFirst(2).first ?? "-"
        }
    }

    /// Whether all of them are there, and none is stopped.
    func areRunning(_ processes: [FrozenProcess]) -> Bool {
        states(processes).allSatisfy { !["T", "t", "Z", "-"].contains($0) }
    }
}

/// What usage.recorded events add up to: intervals by subject.
struct RecordedUsage {
    private(set) var intervals: [String: [Interval]] = [:]
    private(set) var open: [String: Instant] = [:]

    init(_ events: [UsageRecorded]) {
        for event in events {
            intervals[event.subject, default: []].removeAll {
                $0.start >= event.from && $0.start < event.to
            }
            intervals[event.subject, default: []] += event.intervals
            open[event.subject] = event.openSince
        }
    }

    func count(_ subject: String) -> Int { intervals[subject]?.count ?? 0 }
}
