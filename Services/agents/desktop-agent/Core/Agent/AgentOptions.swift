package import Contract
package import Units

/// The agent's command line and environment, validated.
package struct AgentOptions: Sendable, Equatable {
    /// Name of the X11 display, as in DISPLAY.
    package var display: String
    /// Time without input after which the person counts as idle; default one minute.
    package var idleThreshold: Milliseconds = 60_000
    /// DBUS_SESSION_BUS_ADDRESS; nil if there is none. Used to query media players and to protect the bus
    /// from freezing.
    package var sessionBus: String?
    /// DBUS_SYSTEM_BUS_ADDRESS, else the usual address.
    package var systemBus = "unix:path=/run/dbus/system_bus_socket"
    /// XDG_SESSION_ID; nil asks logind for the session.
    package var loginSession: String?

    /// The usage line.
    package static let usage = "usage: desktop-agent [--display :N]"
    private static let idleKey = "SCREENTIME_IDLE_SECONDS"

    /// - Parameter arguments: without the program's name.
    /// - Throws: `unavailable` without a display, `invalidArgument` for any other mistake.
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

/// Limits of the agent. Exceeding one is logged.
enum AgentLimits {
    /// Observations queued while activity-center is unavailable.
    static let observationsMax = 10_000
    /// Observations in one request.
    static let observationsPerRequestMax = 1_000
    /// Apps in one `catalog.observe`, and in one `shield.judge`.
    static let appsPerRequestMax = 500
    /// Timeout of one request to a service.
    static let answer: Milliseconds = 10_000
    /// How long an unknown app's judgement waits for its report.
    static let report: Milliseconds = 2_000
    /// Pause after a service refused a request.
    static let pause: Milliseconds = 2_000
    /// Interval of heartbeats, which are sent only while an app is in use. At most this much use is lost in a
    /// power cut.
    static let heartbeat: Milliseconds = 30_000
    /// How long the display may be silent after a freeze (README).
    static let display: Milliseconds = 100
    /// Interval for sampling processes stopped by a signal: a SIGCONT is undone within 200 ms.
    static let standstill: Milliseconds = 100
    /// Pause before the next attempt after a frozen app held the display or the pointer.
    static let heldPause: Milliseconds = 1_000
    /// How long an app runs on uncovered before it is frozen without a cover.
    static let cover: Milliseconds = 2_000
    /// Deadline of the request for a cover; a first frame takes 3 s at most.
    static let coverAnswer: Milliseconds = 10_000
    /// Starts of shield-cover that follow each other at once.
    static let coverStartsMax = 3
    /// How long the request for presses waits.
    static let presses: Milliseconds = 600_000
    /// How long to wait for a predecessor's record before the display is opened.
    static let recovery: Milliseconds = 3_000
    /// How long reporting may delay the machine's sleep; logind waits 5 s at most.
    static let sleep: Milliseconds = 2_000
    /// How long stopping may take to deliver the last observations.
    static let stop: Milliseconds = 2_000
}
