import Bus
import CommandKit
import Contract
import Glibc
import JSON
import Loop
import ServiceKit
import Time
import Units

/// State of one process, as `status` shows it.
struct ProcessStatus: Sendable, Equatable {
    var name: String
    var state: ServiceState
    var pid: Int64?
    var since: Instant?
    var queue: Int64?
    var lastError: String?
    var lastErrorAt: Instant?
    /// What was set up and does not happen, a sentence each.
    var notActing: [String] = []
    /// Why it is degraded, a sentence each; also what is in `notActing`. Nil when it does not say.
    var degradedBy: [String]?

    static func down(_ name: String, _ why: String) -> ProcessStatus {
        ProcessStatus(name: name, state: .down, lastError: why)
    }

    func write(_ writer: inout JSONWriter) {
        func integer(_ key: String, _ value: Int64?) {
            writer.key(key)
            if let value { writer.integer(value) } else { writer.null() }
        }
        writer.beginObject()
        writer.key("name")
        writer.string(name)
        writer.key("state")
        writer.string(state.rawValue)
        integer("pid", pid)
        integer("since_ms", since?.milliseconds)
        integer("queue", queue)
        writer.key("last_error")
        if let lastError { writer.string(lastError) } else { writer.null() }
        integer("last_error_ms", lastErrorAt?.milliseconds)
        writer.key("not_acting")
        writer.beginArray()
        notActing.forEach { writer.string($0) }
        writer.endArray()
        writer.endObject()
    }

    /// What is wrong now, or what was wrong within the last hour, and when.
    func trouble(now: Instant) -> String {
        guard let lastError = lastError.map(InstantReading.inOwnTime) else { return "" }
        guard let lastErrorAt else { return lastError }
        guard now - lastErrorAt < .hour else { return "" }
        return "\(LocalTime.text(lastErrorAt)): \(lastError)"
    }
}

extension Screentime {
    static let statusCommand = Command(
        "status",
        options: [
            .json, Option("--wait", "SECONDS", "Wait so long for all services to answer."),
        ],
        summary: "Show the state of the services.",
        details: """
            States: ready, starting, degraded (something it needs is missing), down. First come limits and
            rules that are not in effect, one a line. LAST ERROR is the present error, or, with its time,
            one within the last hour.

            Exit code 0 unless a service is down, or a service or the desktop-agent does not act. A
            desktop-agent that does not run does not act if one checked here within 48 hours, or left apps
            standing still; else it is degraded only.
            """
    ) { invocation in
        let waitSeconds = try invocation.number("--wait", in: 0...3_600)
        let session = try invocation.session()
        let all = try await statusOfAll(session, wait: waitSeconds.map { .seconds(Int64($0)) })
        if invocation.has("--json") {
            printJSON(all)
        } else {
            for status in all {
                for sentence in status.notActing {
                    Console.print("\(status.name) does not act: \(InstantReading.inOwnTime(sentence))")
                }
            }
            printTable(all)
        }
        if let clock = try ClockPage.find(in: session.configuration.stateDirectory) {
            Console.note("The clock is virtual and stands at \(UTCTime.text(clock.now)).")
        }
        let acts = all.allSatisfy { $0.state != .down && $0.notActing.isEmpty }
        return acts ? ExitCode.ok : ExitCode.unavailable
    }

    /// Milliseconds a service may take to answer before it counts as down.
    private static let answer: Milliseconds = 900

    /// All services at once, then the agent, and the console while it runs.
    @LoopActor static func statusOfAll(_ session: Session, wait: Milliseconds? = nil) async throws
        -> [ProcessStatus]
    {
        let asked = ServiceName.startOrder.map { service in
            Task { @LoopActor in await status(of: service, session, wait: wait) }
        }
        var all: [ProcessStatus] = []
        for task in asked { all.append(await task.value) }
        return await all + [agentStatus(session)] + consoleStatus(session)
    }

    @LoopActor private static func status(
        of service: ServiceName, _ session: Session, wait: Milliseconds?
    ) async -> ProcessStatus {
        do {
            return status(try await health(of: service, session, wait: wait))
        } catch {
            var down = ProcessStatus.down(service.rawValue, error.message)
            down.pid = session.pid(of: service.rawValue)
            return down
        }
    }

    @LoopActor static func health(
        of service: ServiceName, _ session: Session, wait: Milliseconds? = nil
    ) async throws(ServiceError) -> HealthCheck.Result {
        let isThere = session.somebodyListens(at: service)
        guard isThere || wait != nil else { throw session.silence(of: service.rawValue) }
        do throws(ServiceError) {
            // The client waits for the connection by itself; a service that starts answers once it is ready.
            return try await session.client(service).call(
                HealthCheck.self, Nothing(), options: CallOptions(deadline: max(wait ?? 0, answer)))
        } catch {
            guard error.name == .unavailable || error.name == .deadlineExceeded else { throw error }
            guard isThere || session.somebodyListens(at: service) else {
                throw session.silence(of: service.rawValue)
            }
            throw ServiceError(
                .unavailable, "does not answer",
                remedy: "See its log; it may be stopped (SIGCONT wakes it).")
        }
    }

    private static func status(_ health: HealthCheck.Result) -> ProcessStatus {
        ProcessStatus(
            name: health.service, state: health.state, pid: health.pid, since: health.since,
            queue: health.queue, lastError: health.degradedBy.first ?? health.lastError,
            lastErrorAt: health.degradedBy.isEmpty ? health.lastErrorAt : nil,
            notActing: health.notActing ?? [], degradedBy: health.degradedBy)
    }

    /// The state that the agent reports; if it does not answer, what its lock shows.
    @LoopActor static func agentStatus(_ session: Session) async -> ProcessStatus {
        var byLock = agentStatusByLock(session)
        if byLock.pid == nil, byLock.degradedBy == nil {
            byLock.notActing = await AbsentAgent.found(session).failure(now: WallTime.now).map { [$0] } ?? []
            return byLock
        }
        guard byLock.pid != nil, session.somebodyListens(at: AgentName.desktopAgent) else { return byLock }
        do {
            return status(
                try await session.client(named: AgentName.desktopAgent).call(
                    HealthCheck.self, Nothing(), options: CallOptions(deadline: answer)))
        } catch {
            var silent = byLock
            silent.state = .degraded
            silent.lastError = "does not answer"
            silent.notActing = ["it does not answer: nothing is measured or shielded on this desktop"]
            return silent
        }
    }

    /// It comes when somebody opens a page, and goes: that it does not run is nothing to tell.
    @LoopActor private static func consoleStatus(_ session: Session) async -> [ProcessStatus] {
        guard session.somebodyListens(at: AgentName.console) else { return [] }
        do {
            let client = try session.client(named: AgentName.console)
            return [
                status(
                    try await client.call(
                        HealthCheck.self, Nothing(), options: CallOptions(deadline: answer)))
            ]
        } catch {
            return [
                ProcessStatus(
                    name: AgentName.console, state: .degraded, pid: session.pid(of: AgentName.console),
                    lastError: "does not answer")
            ]
        }
    }

    /// The desktop agent owns no state, so it is not a service. Its lock shows that it runs.
    @LoopActor private static func agentStatusByLock(_ session: Session) -> ProcessStatus {
        let path = session.configuration.runtime.lockPath(named: AgentName.desktopAgent)
        guard let pid = LockTable.holder(of: path) else {
            let hindrance = session.hindrance(to: AgentName.desktopAgent)?.message
            return ProcessStatus(
                name: "desktop-agent", state: .degraded, pid: session.pid(of: AgentName.desktopAgent),
                lastError: hindrance ?? "is not running: nothing is measured or shielded on this desktop",
                degradedBy: hindrance.map { [$0] })
        }
        var file = stat()
        let since = stat(path, &file) == 0 ? Instant(.seconds(Int64(file.st_mtim.tv_sec))) : nil
        return ProcessStatus(name: "desktop-agent", state: .ready, pid: pid, since: since, queue: 0)
    }

    private static func printJSON(_ all: [ProcessStatus]) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("services")
        writer.beginArray()
        for status in all { status.write(&writer) }
        writer.endArray()
        writer.endObject()
        Console.print(writer.finish())
    }

    private static func printTable(_ all: [ProcessStatus]) {
        var table = TextTable(["SERVICE", "STATE", "PID", "SINCE", "QUEUE", "LAST ERROR"])
        for status in all {
            table.add([
                status.name, status.state.rawValue, status.pid.map(String.init) ?? "-",
                status.since.map(LocalTime.text) ?? "-", status.queue.map(String.init) ?? "-",
                status.trouble(now: WallTime.now),
            ])
        }
        table.printAll()
    }
}
