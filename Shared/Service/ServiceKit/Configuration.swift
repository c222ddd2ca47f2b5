package import Bus
package import Contract
import Glibc
package import Units

/// All settings that a process reads from its environment, read and validated once at the start.
///
/// | key | meaning | default |
/// | --- | --- | --- |
/// | `SCREENTIME_RUNTIME_DIR` | sockets | `$XDG_RUNTIME_DIR/screentime`, else `/run/screentime` |
/// | `SCREENTIME_STATE_DIR` | databases | `$XDG_STATE_HOME/screentime`, else `~/.local/state/screentime`, for root `/var/lib/screentime` |
/// | `SCREENTIME_LOG_DIR` | log files | `<state>/logs` |
/// | `SCREENTIME_LOG_LEVEL` | `error`, `warning`, `info` or `debug` | `info` |
/// | `SCREENTIME_INSTANCE` | first part of the events' source | `local` |
/// | `SCREENTIME_LOG_EVENTS_KEPT` | events kept in a service's log, 1 or more | 1000000 |
/// | `SCREENTIME_LOG_BYTES_KEPT` | their bytes, 1 MiB or more | 1073741824 |
/// | `SCREENTIME_DAYS_KEPT` | days that detailed use and history are kept, 1 to 36500 | no limit |
/// | `SCREENTIME_STRICT` | `1`: all of Apple's limits are on; see ``AppleLimits`` | `0` |
/// | `SCREENTIME_ACTIVITIES_MAX` | see ``AppleLimits/activitiesMax`` | none |
/// | `SCREENTIME_INTERVAL_MS_MIN`, `SCREENTIME_INTERVAL_MS_MAX` | see ``AppleLimits/intervalMin`` | none |
/// | `SCREENTIME_STORES_MAX`, `SCREENTIME_TOKENS_MAX` | see ``AppleLimits/storesMax`` | none |
/// | `SCREENTIME_EXTENSION_IDLE_MS` | milliseconds an extension's process is kept without work, 0 to 86400000 | 60000 |
/// | `SCREENTIME_BUBBLEWRAP` | the program that confines extensions | `/usr/bin/bwrap` |
/// | `SCREENTIME_SENDMAIL`, `SCREENTIME_CURL` | the programs that send weekly reports | `/usr/sbin/sendmail`, `/usr/bin/curl` |
/// | `DBUS_SESSION_BUS_ADDRESS` | the desktop session's bus, of the notification daemon | none |
/// | `LANGUAGE`, `LC_ALL`, `LC_MESSAGES`, `LANG` | the person's language, see ``PersonLanguage`` | English |
/// | `SCREENTIME_TEST_PROGRAMS` | tests only: `1`: every extension may run without bubblewrap | `0` |
/// | `SCREENTIME_FAULT_DIR` | tests only: see ``FaultPoint`` | none |
package struct Configuration: Sendable {
    /// Where the sockets are.
    package var runtime: RuntimeDirectory
    /// Absolute path of the databases' parent directory.
    package var stateDirectory: String
    /// Absolute path.
    package var logDirectory: String
    /// Least severe level that is written.
    package var logLevel: Log.Level
    /// First part of the events' source; up to 64 bytes without a slash.
    package var instance: String
    /// Events kept in a service's log; at least 1.
    package var logEventsKept: Int64
    /// Bytes of events kept; at least 1 MiB.
    package var logBytesKept: Int64
    /// Nil keeps everything.
    package var daysKept: Int64?
    /// How long an idle extension process is kept.
    package var extensionIdle: Milliseconds
    /// Path of the bwrap program.
    package var bubblewrap: String
    /// Paths of the programs that send mails and webhooks.
    package var sendmail: String, curl: String
    /// Address of the desktop session's D-Bus; nil without a session.
    package var sessionBus: String?
    /// Codes of the person's languages, the most wanted first; empty: none is known.
    package var languages: [String]
    /// Tests only: extensions may run without bubblewrap.
    package var testPrograms: Bool
    /// Tests only; see ``FaultPoint``. Nil disables fault points.
    package var faultDirectory: String?
    /// Which of Apple's limits apply.
    package var appleLimits: AppleLimits

    /// - Throws: `invalidArgument` with the variable, its value and the allowed values.
    package init(environment: [String: String]) throws(ServiceError) {
        func value(_ key: String) -> String? { environment[key].flatMap { $0.isEmpty ? nil : $0 } }
        let runtimePath =
            value("SCREENTIME_RUNTIME_DIR") ?? value("XDG_RUNTIME_DIR").map { $0 + "/screentime" }
            ?? "/run/screentime"
        runtime = RuntimeDirectory(path: try Self.absolute(runtimePath, "SCREENTIME_RUNTIME_DIR"))
        let home = value("HOME").map { $0 + "/.local/state/screentime" }
        let fallback = getuid() == 0 ? "/var/lib/screentime" : home ?? "/var/lib/screentime"
        let statePath =
            value("SCREENTIME_STATE_DIR") ?? value("XDG_STATE_HOME").map { $0 + "/screentime" } ?? fallback
        stateDirectory = try Self.absolute(statePath, "SCREENTIME_STATE_DIR")
        logDirectory = try Self.absolute(
            value("SCREENTIME_LOG_DIR") ?? stateDirectory + "/logs", "SCREENTIME_LOG_DIR")
        let level = value("SCREENTIME_LOG_LEVEL") ?? "info"
        guard let logLevel = Log.Level(name: level) else {
            throw Self.wrong("SCREENTIME_LOG_LEVEL", level, "error, warning, info or debug")
        }
        self.logLevel = logLevel
        instance = value("SCREENTIME_INSTANCE") ?? "local"
        guard !instance.contains("/"), instance.utf8.count <= 64 else {
            throw Self.wrong("SCREENTIME_INSTANCE", instance, "up to 64 bytes without a slash")
        }
        let kept = value("SCREENTIME_LOG_EVENTS_KEPT") ?? String(Limits.logEventsKept)
        guard let count = WholeNumber.of(kept), count >= 1 else {
            throw Self.wrong("SCREENTIME_LOG_EVENTS_KEPT", kept, "a whole number from 1")
        }
        logEventsKept = count
        let bytesKept = value("SCREENTIME_LOG_BYTES_KEPT") ?? String(Limits.logBytesKept)
        guard let bytes = WholeNumber.of(bytesKept), bytes >= 1 << 20 else {
            throw Self.wrong("SCREENTIME_LOG_BYTES_KEPT", bytesKept, "a whole number from 1048576")
        }
        logBytesKept = bytes
        daysKept = try value("SCREENTIME_DAYS_KEPT").map { text throws(ServiceError) in
            guard let days = WholeNumber.of(text), (1...36_500).contains(days) else {
                throw Self.wrong("SCREENTIME_DAYS_KEPT", text, "a whole number from 1 to 36500")
            }
            return days
        }
        appleLimits = try AppleLimits(value)
        let idle = value("SCREENTIME_EXTENSION_IDLE_MS") ?? "60000"
        guard let idle = WholeNumber.of(idle), (0...86_400_000).contains(idle) else {
            throw Self.wrong("SCREENTIME_EXTENSION_IDLE_MS", idle, "a whole number from 0 to 86400000")
        }
        extensionIdle = Milliseconds(idle)
        bubblewrap = try Self.absolute(
            value("SCREENTIME_BUBBLEWRAP") ?? "/usr/bin/bwrap", "SCREENTIME_BUBBLEWRAP")
        sendmail = try Self.absolute(
            value("SCREENTIME_SENDMAIL") ?? "/usr/sbin/sendmail", "SCREENTIME_SENDMAIL")
        curl = try Self.absolute(value("SCREENTIME_CURL") ?? "/usr/bin/curl", "SCREENTIME_CURL")
        sessionBus = value("DBUS_SESSION_BUS_ADDRESS")
        languages = PersonLanguage.wanted(by: environment)
        let testPrograms = value("SCREENTIME_TEST_PROGRAMS") ?? "0"
        guard ["0", "1"].contains(testPrograms) else {
            throw Self.wrong("SCREENTIME_TEST_PROGRAMS", testPrograms, "0 or 1")
        }
        self.testPrograms = testPrograms == "1"
        faultDirectory = value("SCREENTIME_FAULT_DIR")
    }

    /// Creates missing directories and checks that nobody else can change their contents. Others may list the
    /// state and log directories; the files in them are private.
    /// - Parameter service: nil for an agent, which keeps no state.
    /// - Throws: `storageFailed`, `wrongUser`, `accessDenied` or `limitExceeded`.
    package func prepareDirectories(of service: ServiceName?) throws(ServiceError) {
        try runtime.prepare()
        try preparePrivateDirectory(stateDirectory, "state directory", key: "SCREENTIME_STATE_DIR")
        try preparePrivateDirectory(logDirectory, "log directory", key: "SCREENTIME_LOG_DIR")
        guard let name = service?.rawValue else { return }
        try preparePrivateDirectory(
            "\(stateDirectory)/\(name)", "directory of \(name)", key: "SCREENTIME_STATE_DIR")
    }

    /// The second lock of a service (its store's) or of an agent. The first one is in the runtime directory,
    /// which can be removed while the holder runs: at the end of a login session, or by whoever cleans /tmp.
    package func keptLockPath(of name: String) -> String {
        let isService = ServiceName(rawValue: name) != nil
        return isService ? "\(stateDirectory)/\(name)/\(name).sqlite3.lock" : "\(stateDirectory)/\(name).lock"
    }

    /// The environment of this process.
    package static var processEnvironment: [String: String] {
        var result: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text)
            if let equals = pair.firstIndex(of: "=") {
                result[String(pair[..<equals])] = String(pair[pair.index(after: equals)...])
            }
            entry += 1
        }
        return result
    }

    private static func absolute(_ path: String, _ key: String) throws(ServiceError) -> String {
        guard path.hasPrefix("/") else { throw wrong(key, path, "an absolute path") }
        var trimmed = path
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        return trimmed
    }

    static func wrong(_ key: String, _ value: String, _ allowed: String) -> ServiceError {
        ServiceError(
            .invalidArgument, "the environment sets \(key)='\(value)'; allowed is \(allowed)",
            remedy: "Correct \(key) or leave it out.")
    }
}
