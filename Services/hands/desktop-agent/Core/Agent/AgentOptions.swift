package import Contract
package import Units

/// What the agent takes from its command line and environment, checked.
package struct AgentOptions: Sendable, Equatable {
    /// As in DISPLAY.
    package var display: String
    /// No input for so long is idle; default a minute.
    package var idleThreshold: Milliseconds = 60_000
    /// DBUS_SESSION_BUS_ADDRESS; nil: none. What plays is asked there; and the bus itself is spared.
    package var sessionBus: String?
    /// DBUS_SYSTEM_BUS_ADDRESS, else where every system has it.
    package var systemBus = "unix:path=/run/dbus/system_bus_socket"
    /// XDG_SESSION_ID; nil: logind is asked which session is ours.
    package var loginSession: String?

    package static let usage = "usage: desktop-agent [--display :N]"
    private static let idleKey = "SCREENTIME_IDLE_SECONDS"

    /// - Parameter arguments: without the program's name.
    /// - Throws: `unavailable` without a display, `invalidArgument` for all else.
    package init(arguments: [String], environment: [String: String]) throws(ServiceError) {
        var display = environment["DISPLAY"] ?? ""
        var rest = arguments[...]
        while let word = rest.popFirst() {
            guard word == "--display", let value = rest.popFirst(), !value.isEmpty else {
                throw ServiceError(
                    .invalidArgument, "'\(word)' is not understood here", remedy: Self.usage)
            }
            display = value
        }
        guard !display.isEmpty else {
            throw ServiceError(
                .unavailable, "no X11 display was named; Wayland sessions are not watched yet",
                remedy: "Set DISPLAY, give --display :N, or start the agent inside the desktop session.")
        }
        self.display = display
        if let text = environment[Self.idleKey], !text.isEmpty {
            guard let seconds = WholeNumber.of(text), (1...86_400).contains(seconds) else {
                throw ServiceError(
                    .invalidArgument, "the environment says \(Self.idleKey)='\(text)'",
                    remedy: "Set it to whole seconds from 1 to 86400, or leave it out for 60.")
            }
            idleThreshold = .seconds(seconds)
        }
        func value(_ key: String) -> String? { environment[key].flatMap { $0.isEmpty ? nil : $0 } }
        sessionBus = value("DBUS_SESSION_BUS_ADDRESS")
        systemBus = value("DBUS_SYSTEM_BUS_ADDRESS") ?? systemBus
        loginSession = value("XDG_SESSION_ID")
    }
}

/// Every limit of the agent's own. Going over one is said in the log.
enum AgentLimits {
    /// Observations kept while activity-center is away.
    static let observationsMax = 10_000
    /// Observations of one request.
    static let observationsPerRequestMax = 1_000
    /// Apps of one `catalog.observe`, and of one `shield.judge`.
    static let appsPerRequestMax = 500
    /// How long one request to a service may take before the next attempt.
    static let answer: Milliseconds = 10_000
    /// How long an app that nobody knows waits to be reported, and its judgement for the report.
    static let report: Milliseconds = 2_000
    /// The pause after a service refused.
    static let pause: Milliseconds = 2_000
    /// Between two heartbeats, which are sent only while an app is in use: at most so much use is lost when
    /// the machine loses power.
    static let alive: Milliseconds = 30_000
    /// How long the display may be silent after a freeze (README).
    static let display: Milliseconds = 100
    /// Between two samples of what stands still by a signal: SIGCONT is undone within 200 ms.
    static let standstill: Milliseconds = 100
    /// After what was frozen held the display or the pointer: the next attempt.
    static let heldPause: Milliseconds = 1_000
    /// Between two looks at the kernel's reports of forks; it keeps some 5,000 meanwhile.
    static let forksPause: Milliseconds = 250
    /// How long a predecessor's record is waited for before the display is opened.
    static let recovery: Milliseconds = 3_000
    /// How long telling may hold back the machine's sleep; logind waits for 5 s at most.
    static let sleep: Milliseconds = 2_000
    /// How long stopping may take to hand over the last words.
    static let stop: Milliseconds = 2_000
}
