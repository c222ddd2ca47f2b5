import Bus
import CGtk4
package import Contract
import FileAccess
import Glibc
package import Loop
package import ServiceKit
import Time
import Units

/// The process that draws the covers of shielded apps in one X11 session. It owns no state: what is covered
/// is the desktop-agent's decision, and how it looks is shield-service's.
@LoopActor package final class CoverProcess {
    private let configuration: Configuration
    private let environment: [String: String]
    private let log: Log
    /// A window has one cover, so one process draws them here.
    private let lock: FileLock
    private let signals: SignalDescriptor
    private let tracer = Tracer(service: AgentName.shieldCover)
    private let endpoint: CoverEndpoint
    private let shield: RequestClient
    private let auth: RequestClient
    private var session: Session?
    private var isStopping = false

    /// Everything that depends on the open display.
    private struct Session {
        var context: MainContext
        var placement: X11Placement
        var settings: DesktopSettings
        var keeper: CoverKeeper
        var looks: LookSource
        var requests: RequestSource
        var warnings: WarningKeeper
    }

    /// Takes the lock and opens the endpoint; `start` opens the display.
    /// - Throws: `alreadyExists` if one runs here, and errors of the directories.
    package init(_ configuration: Configuration, environment: [String: String]) throws(ServiceError) {
        self.configuration = configuration
        self.environment = environment
        signals = try SignalDescriptor([SIGTERM, SIGINT])
        try configuration.prepareDirectories(of: nil)
        log = try Log(
            name: AgentName.shieldCover, directory: configuration.logDirectory, level: configuration.logLevel)
        lock = try configuration.runtime.lock(named: AgentName.shieldCover)
        do throws(SocketError) {
            endpoint = try CoverEndpoint(configuration.runtime, tracer: tracer, log: log)
            shield = try RequestClient(to: .shield, in: configuration.runtime, tracer: tracer)
            auth = try RequestClient(to: .auth, in: configuration.runtime, tracer: tracer)
        } catch {
            throw ServiceError(
                .unavailable, error.message, remedy: "Raise the limit of open files (ulimit -n).")
        }
    }

    /// Opens the display and prints READY.
    /// - Throws: `unavailable` without a display.
    package func start() throws(ServiceError) {
        let display = environment["DISPLAY"] ?? ""
        guard !display.isEmpty else {
            throw ServiceError(
                .unavailable, "no X11 display was named", remedy: "Set DISPLAY, or start it in a session.")
        }
        try Toolkit.start(display: display)
        let placement = try X11Placement(display: display)
        open(placement, try ServerClock(display: display))
        // Keeps this object alive as long as the process runs.
        signals.watch { [self] _ in stop(becauseOf: nil) }
        log.info("ready", [("display", .text(display))])
        print("READY \(AgentName.shieldCover)")
        fflush(nil)
    }

    private func open(_ placement: X11Placement, _ clock: ServerClock) {
        let settings = DesktopSettings(environment: environment)
        let words = Words.chosen(by: environment)
        let shield = shield
        let ports = CoverKeeper.Ports(
            makeView: { [weak self] in
                self?.takeSpare() ?? CoverWindow(settings, icon: words.icon, clock)
            },
            press: { params, trace, end in
                let options = CallOptions(deadline: CoverLimits.press, trace: trace)
                shield.send(ShieldPress.self, params, options: options, completion: end)
            },
            askForLooks: { [weak self] in
                self?.session?.looks.refresh()
                self?.session?.requests.refresh()
            },
            appearance: { settings.appearance }, asking: askingPorts(), decode: PictureDecoder.decode)
        let keeper = CoverKeeper(placement, ports, words: words, tracer: tracer, log: log)
        let looks = LookSource(
            shield, in: configuration.runtime, words: words, log: log,
            subjects: { [weak keeper] in keeper?.subjects ?? [] },
            receive: { [weak keeper] in keeper?.apply($0) },
            unreachable: { [weak keeper] in keeper?.becomeUnreachable() })
        let requests = RequestSource(
            auth, in: configuration.runtime, log: log,
            subjects: { [weak keeper] in keeper?.subjects ?? [] },
            receive: { [weak keeper] in keeper?.apply($0) })
        let warnings = makeWarnings(placement, clock, settings, words)
        warnings.onChange = { [weak keeper, weak warnings] in keeper?.isHeld = warnings?.isNeeded ?? false }
        placement.onStack = { [weak warnings] in warnings?.raiseAll() }
        settings.onChange = { [weak keeper, weak warnings] in
            keeper?.restyle()
            warnings?.paintAll()
        }
        keeper.onIdle = { [weak self] in self?.stop(becauseOf: nil) }
        placement.onLost = { [weak self] in
            self?.stop(
                becauseOf: ServiceError(
                    .unavailable, "the display is gone", remedy: "Start it again in the next session."))
        }
        session = Session(
            context: MainContext(), placement: placement, settings: settings, keeper: keeper, looks: looks,
            requests: requests, warnings: warnings)
        endpoint.rehearse = { [weak self] in self?.rehearse(settings, words, clock) }
        endpoint.problems = { [keeper.problem, looks.problem, requests.problem].compactMap(\.self) }
        endpoint.open(keeper, warnings)
    }

    private func makeWarnings(
        _ placement: X11Placement, _ clock: ServerClock, _ settings: DesktopSettings, _ words: Words
    ) -> WarningKeeper {
        let ports = WarningKeeper.Ports(
            makeView: { [tracer] in
                let window = WarningWindow(clock) { placement.move($0, to: $1) }
                window.onOpen = {
                    tracer.mark("clicks", .internal, parent: nil, outcome: $0 ? "ok" : "waiting")
                }
                return window
            },
            appearance: { settings.appearance }, now: { EventLoop.main.now })
        return WarningKeeper(X11WarningDesktop(placement), ports, words: words.warning, log: log)
    }

    private func askingPorts() -> Asking.Ports {
        let auth = auth
        return Asking.Ports(
            create: { params, trace, end in
                let options = CallOptions(deadline: CoverLimits.ask, trace: trace)
                auth.send(RequestCreate.self, params, options: options) { end($0.map(\.request)) }
            },
            decide: { params, trace, end in
                let options = CallOptions(deadline: CoverLimits.ask, trace: trace)
                auth.send(RequestDecide.self, params, options: options) { end($0.map(\.request)) }
            },
            refresh: { [weak self] in self?.session?.requests.refresh() }, now: { WallTime.now },
            time: TimeOfDay.text)
    }

    /// The next cover, ready to be shown.
    private var spare: CoverWindow?

    private func takeSpare() -> CoverWindow? {
        defer { spare = nil }
        return spare?.isLost == false ? spare : nil
    }

    private func rehearse(_ settings: DesktopSettings, _ words: Words, _ clock: ServerClock) {
        guard spare?.isLost ?? true else { return }
        let window = CoverWindow(settings, icon: words.icon, clock)
        let face = CoverFace(nil, of: "…", .app, words: words, appearance: settings.appearance)
        let nothing = CoverSubject(member: "", kind: .app, subject: "")
        window.set(CoverContent(subject: nothing, face: face, announcement: words.title), words: words)
        window.rehearse()
        spare = window
    }

    private func stop(becauseOf error: ServiceError?) {
        guard !isStopping else { return }
        isStopping = true
        log.info("stopping")
        session?.looks.close()
        session?.requests.close()
        // Without its display GTK would end the process at the first request.
        if error == nil {
            session?.keeper.close()
            session?.warnings.close()
            if let display = gdk_display_get_default() { gdk_display_flush(display) }
        }
        session?.placement.close()
        endpoint.close()
        shield.close()
        auth.close()
        lock.markReleased()
        log.info("stopped")
        if let error { ServiceMain.fail(AgentName.shieldCover, error) }
        session?.context.close()
        EventLoop.main.stop()
    }
}
