package import Contract
package import Units

/// The agent's command line and environment, validated.
package struct AgentOptions: Sendable, Equatable {
    /// Name of the X11 display, as in DISPLAY.
    package var display: String
    /// Time without input after which the person counts as idle; default one minute.
    package var idleThreshold: Milliseconds = 60_000
    /// Time between two checks whether limits act; 0: only when somebody asks. Default a day.
    package var enforcementInterval: Milliseconds = .day
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
    private static let enforcementKey = "SCREENTIME_ENFORCEMENT_SECONDS"

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
        idleThreshold = try Self.seconds(Self.idleKey, environment, 1...86_400, usually: idleThreshold)
        enforcementInterval = try Self.seconds(
            Self.enforcementKey, environment, 0...604_800, usually: enforcementInterval)
        func value(_ key: String) -> String? { environment[key].flatMap { $0.isEmpty ? nil : $0 } }
        sessionBus = value("DBUS_SESSION_BUS_ADDRESS")
        systemBus = value("DBUS_SYSTEM_BUS_ADDRESS") ?? systemBus
        loginSession = value("XDG_SESSION_ID")
    }

    private static func seconds(
        _ key: String, _ environment: [String: String], _ range: ClosedRange<Int64>, usually: Milliseconds
    ) throws(ServiceError) -> Milliseconds {
        guard let text = environment[key], !text.isEmpty else { return usually }
        guard let seconds = WholeNumber.of(text), range.contains(seconds) else {
            throw ServiceError(
                .invalidArgument, "the environment says \(key)='\(text)'",
                remedy:
                    "Set it to whole seconds from \(range.lowerBound) to \(range.upperBound), or leave it "
                    + "out for \(usually / .second).")
        }
        return .seconds(seconds)
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
    /// Limits of which the time that is left is asked for at once: what `monitoring.recount` takes.
    static let recountedMax = 100
    /// Between two changes of what an app's covers say of its questions, for long: each is drawn for all its
    /// windows. And how many may come at once: a question that follows another one must be known before
    /// somebody's next keys go to it.
    static let questionPace: Milliseconds = 1_000, questionBurst: Int64 = 10
    /// How often input is looked at while an app with hotkeys stands still, and how often in a row it must be
    /// held until the app runs.
    static let grabLook: Milliseconds = 1_000
    static let grabLooks = 2
    /// How long an app runs on while no cover comes, before it is frozen without one.
    static let cover: Milliseconds = 2_000
    /// How long it runs on at most, while the covers of its windows come one by one.
    static let covers: Milliseconds = 10_000
    /// Deadline of the request for a cover; a first frame takes 3 s at most.
    static let coverAnswer: Milliseconds = 10_000
    /// How long shield-cover may be silent while it does not use the processor; this often in a row while it
    /// does.
    static let coverSilence: Milliseconds = 3_000
    static let coverSilencesMax = 3
    /// Processor time within one silence that counts as use, in clock ticks.
    static let coverBusy_ticks: UInt64 = 10
    /// Until it is asked again whether it answers: while a cover is awaited, and while all stand.
    static let coverPulse: Milliseconds = 1_000
    static let coverRest: Milliseconds = 10_000
    /// How long it may take to be ready, and, when it hangs, to end at a SIGTERM.
    static let coverStart: Milliseconds = 10_000
    static let coverEnd: Milliseconds = 300
    /// How long before a boundary the process of covers is started.
    static let coverLead: Milliseconds = 10_000
    /// Starts of shield-cover that follow each other at once.
    static let coverStartsMax = 3
    /// How long the request for presses waits.
    static let presses: Milliseconds = 600_000
    /// How long to wait for a predecessor's record before the display is opened.
    static let recovery: Milliseconds = 3_000
    /// How long a question waits for the banner of a warning. A process of covers may have to start.
    static let banner: Milliseconds = 5_000
    /// Keys of warnings that are remembered.
    static let warningsSeen = 100
    /// How long reporting may delay the machine's sleep; logind waits 5 s at most.
    static let sleep: Milliseconds = 2_000
    /// How long the steps of a check may take: the program's window, its cover, the freeze (longer than
    /// `answer`, so that a refused record is named), its process, its end.
    static let canaryWindow: Milliseconds = 5_000
    static let canaryCover: Milliseconds = 10_000
    static let canaryFreeze: Milliseconds = 12_000
    static let canaryProcess: Milliseconds = 5_000
    static let canaryEnd: Milliseconds = 2_000
    /// Interval for sampling during a check.
    static let canarySample: Milliseconds = 10
    /// From the start of an agent until its first check by itself.
    static let firstCheck: Milliseconds = 600_000
    /// Until the next attempt, if a check is due while something is shielded or the person is there.
    static let dueCheck: Milliseconds = .hour
    /// Messages that the tray icon's connection reads from others: one in each pace, and so many at once.
    static let trayPace: Milliseconds = 20, trayBurst: Int64 = 200
    /// Between two redraws of the tray icon, for long; a minute that passes is one.
    static let trayRedraw: Milliseconds = .second
    /// Between two readings of what is left because limits changed, or the menu opens, for long.
    static let trayReading: Milliseconds = 3_000
    /// Age of what is left, as read, at which it is read again when another app is in use: other devices use
    /// some of it.
    static let trayAge: Milliseconds = .minute
    /// How long after a minute has passed it is read.
    static let trayLag: Milliseconds = 50
    /// Between two starts of `screentime open`.
    static let consoleOpening: Milliseconds = 2_000
    /// Requests for more time that are counted.
    static let trayRequestsMax: Int64 = 100
    /// How long stopping may take to deliver the last observations.
    static let stop: Milliseconds = 2_000
}
