import Bus
package import Contract
import FileAccess
import Glibc
package import Loop
package import ServiceKit
import Time
import Units

/// The process that serves the console: it translates between browsers on loopback and the bus, and owns
/// nothing. Who is signed in is in memory.
@LoopActor package final class ConsoleProcess {
    private let log: Log
    /// One console an instance, found by either lock as the desktop-agent is.
    private let locks: Locks
    private let signals: SignalDescriptor
    private let tracer = Tracer(service: AgentName.console)
    private let endpoint: ConsoleEndpoint
    private let services: Services
    private let events: EventHub
    private let apps: AppRuns
    private let front: Front
    private var server: HTTPServer?
    private let port: UInt16
    private var isStopping = false

    private struct Locks: ~Copyable {
        let found: FileLock
        let kept: FileLock
    }

    /// Takes the locks, opens the log, the socket of the bus and that of browsers.
    /// - Throws: `alreadyExists` if one runs here or the port is taken; errors of the directories and of the
    ///   pages.
    package init(_ configuration: Configuration, environment: [String: String]) throws(ServiceError) {
        let options = try ConsoleOptions(environment: environment)
        signals = try SignalDescriptor([SIGTERM, SIGINT])
        try configuration.prepareDirectories(of: nil)
        log = try Log(
            name: AgentName.console, directory: configuration.logDirectory, level: configuration.logLevel)
        locks = Locks(
            found: try configuration.runtime.lock(named: AgentName.console),
            kept: try FileLock(
                path: configuration.keptLockPath(of: AgentName.console), holder: AgentName.console))
        let pages = try PageFiles(path: options.web)
        do throws(SocketError) {
            endpoint = try ConsoleEndpoint(configuration.runtime, tracer: tracer, log: log)
        } catch {
            throw ServiceError(
                .unavailable, error.message, remedy: "Raise the limit of open files (ulimit -n).")
        }
        let (listening, problem) = try Self.listen(options.port, environment)
        if let problem { endpoint.problems.append(problem) }
        port = listening.port
        let runtime = configuration.runtime
        // By what it calls the present, also in its log.
        WallTime.follow(clockOf: configuration.stateDirectory)
        apps = AppRuns(folder: options.programs, environment: environment)
        services = Services(configuration.runtime, tracer: tracer)
        events = EventHub(configuration.runtime, services)
        front = Front(
            port: port,
            Front.Parts(
                pages: pages,
                api: API(tracer: tracer, isThere: { runtime.somebodyListens(named: $0) }) {
                    [services] peer, method, params, options in
                    await services.ask(peer, method, params, options)
                },
                apps: apps, events: events, pictures: AppPictures(services, environment: environment),
                scenes: Scenes(services), logs: ServiceLogs(directory: configuration.logDirectory),
                household: Persons(services, environment: environment),
                now: { EventLoop.main.now }))
        server = HTTPServer(
            listening: listening.descriptor, door: { [weak self] in self?.admits($0) ?? false }
        ) { [front] in await front.answer($0) }
        guard server != nil else {
            throw ServiceError(
                .unavailable, "libmicrohttpd does not start",
                remedy: "Raise the limit of open files (ulimit -n).")
        }
    }

    /// The port that is named, else the one of systemd, else the usual one. Instances side by side cannot all
    /// have that, so that any other is taken, and health.check says so.
    private static func listen(
        _ named: UInt16?, _ environment: [String: String]
    ) throws(ServiceError) -> (Listening, problem: String?) {
        if let inherited = try Listening.inherited(environment) { return (inherited, nil) }
        if let named { return (try Listening(port: named), nil) }
        do throws(ServiceError) { return (try Listening(port: ConsoleAddress.port), nil) } catch {
            guard error.name == .alreadyExists else { throw error }
            let other = try Listening(port: 0)
            return (
                other,
                "port \(ConsoleAddress.port) is taken, by another instance perhaps: this one is at \(other.port), where "
                    + "`screentime open` leads to"
            )
        }
    }

    /// Answers from here on, and prints READY.
    package func start() {
        endpoint.open(front, events)
        // Keeps this object alive as long as the process runs.
        signals.watch { [self] _ in stop() }
        log.info("ready", [("port", .number(Int64(port)))])
        print("READY \(AgentName.console) http://127.0.0.1:\(port)/")
        fflush(nil)
    }

    /// Programs of other users reach the port, and are nobody here.
    private func admits(_ client: UInt16) -> Bool {
        let uid = PeerUser.uid(of: client, connectedTo: port)
        guard uid != Peer.own.uid else { return true }
        endpoint.refused(RefusalReason.wrongUser.rawValue, "uid \(uid.map { String($0) } ?? "unknown")")
        return false
    }

    private func stop() {
        guard !isStopping else { return }
        isStopping = true
        log.info("stopping")
        endpoint.close()
        events.close()
        apps.close()
        server?.close()
        services.close()
        locks.found.markReleased()
        log.info("stopped")
        EventLoop.main.stop()
    }
}
