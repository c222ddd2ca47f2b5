import Foundation
import Loop
package import ScreenTimeTesting

/// A desktop for one world: programs that the world starts later use what is started here.
extension World {
    /// Whether all these programs are installed.
    package nonisolated static func areInstalled(_ programs: String...) -> Bool {
        let folders = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin"]
        return programs.allSatisfy { name in folders.contains { access("\($0)/\(name)", X_OK) == 0 } }
    }

    /// Whether a command runs and exits with status 0.
    package nonisolated static func succeeds(_ words: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardError = FileHandle.nullDevice
        // A program that cannot be started does not succeed.
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// A configuration of dunst: show notifications until they are closed or the button is pressed.
    package nonisolated static func dunstConfiguration(
        markup: String = "full", pressing choice: String
    ) -> String {
        """
        [global]
            font = sans 12
            markup = \(markup)
            width = 900
            notification_limit = 0
            stack_duplicates = false
            dmenu = grep -m1 \(choice)
        [urgency_low]
            timeout = 0
        [urgency_normal]
            timeout = 0
        [urgency_critical]
            timeout = 0
        """
    }

    /// Starts an X server on a display number that it chooses; sets DISPLAY. Until there is a session bus,
    /// programs get an address at which nobody answers: with none, GTK would start a bus of its own where
    /// dbus-launch is installed, which nobody ends.
    @discardableResult
    package func startDisplay() async throws -> ChildProcess {
        let server = try launch(
            "Xvfb",
            ["Xvfb", "-displayfd", "1", "-screen", "0", "1000x700x24", "-nolisten", "tcp", "-noreset"])
        let number = try await server.wait(for: "the number of the display") { $0.lines.first }
        environment["DISPLAY"] = ":" + number
        if environment["DBUS_SESSION_BUS_ADDRESS"] == nil {
            environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(directory)/bus"
        }
        return server
    }

    @discardableResult
    /// Starts openbox on the world's display; returns when it is ready.
    package func startWindowManager() async throws -> ChildProcess {
        let manager = try launch("openbox", ["openbox", "--sm-disable", "--startup", "echo READY"])
        _ = try await manager.line("READY")
        return manager
    }

    /// Starts a session bus; sets DBUS_SESSION_BUS_ADDRESS. A second one uses the same address.
    /// - Parameter isStarting: it starts the machine's services that somebody calls.
    @discardableResult
    package func startSessionBus(isStarting: Bool = false) async throws -> ChildProcess {
        let configuration = directory + "/bus.conf"
        let services = isStarting ? "<standard_session_servicedirs/>" : ""
        try """
        <busconfig><type>session</type><listen>unix:path=\(directory)/bus</listen><auth>EXTERNAL</auth>
        \(services)
        <policy context="default"><allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
        """.write(toFile: configuration, atomically: true, encoding: .utf8)
        unlink(directory + "/bus")
        let bus = try launch(
            "dbus-daemon", ["dbus-daemon", "--config-file=" + configuration, "--print-address=1", "--nofork"])
        _ = try await bus.line("unix:")
        environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(directory)/bus"
        return bus
    }

    /// Starts the real notification daemon on the world's display and bus. Returns immediately.
    /// - Parameter pressing: label of the button that `pressButton` presses.
    @discardableResult
    package func startDunst(pressing choice: String = "Approve") throws -> ChildProcess {
        let configuration = directory + "/dunstrc"
        try Self.dunstConfiguration(pressing: choice)
            .write(toFile: configuration, atomically: true, encoding: .utf8)
        return try launch("dunst", ["dunst", "-conf", configuration])
    }

    /// Opens dunst's menu of buttons, which chooses the configured one.
    package func pressButton() async throws {
        let (status, _) = try await run("dunstctl", ["dunstctl", "action", "0"])
        guard status == 0 else { throw Overdue("dunstctl action ended with \(status)") }
    }

    /// Number of notifications that dunst shows.
    package func notificationsOnScreen() async throws -> Int {
        let (_, lines) = try await run("dunstctl", ["dunstctl", "count", "displayed"])
        return lines.first.flatMap { Int($0) } ?? 0
    }
}
