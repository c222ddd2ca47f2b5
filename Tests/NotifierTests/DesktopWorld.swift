import Glibc
import NotifierCore
import ScreenTimeTesting
import TestSupport

/// A session of its own: directory, bus, and (when asked for) an X display with the real dunst.
final class DesktopWorld {
    let directory: String
    let address: String
    private var bus: Child
    private var display: (server: Child, name: String)?
    private(set) var dunst: Child?
    private let configuration: String

    /// `activatable`: the bus knows how to start dunst by itself.
    init(markup: String = "full", menuChoice: String = "Deny", activatable: Bool = false) throws {
        var template = Array("/tmp/screentime-notifier-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestFailure(description: "no temporary directory") }
        let directory = template.withUnsafeBufferPointer { text in
            text.baseAddress.map { String(cString: $0) } ?? ""
        }
        self.directory = directory
        configuration = "\(directory)/dunstrc"
        try DesktopWorld.write(
            World.dunstConfiguration(markup: markup, pressing: menuChoice), to: configuration)
        try DesktopWorld.write(
            """
            <busconfig><type>session</type><listen>unix:path=\(directory)/bus</listen><auth>EXTERNAL</auth>
            <servicedir>\(directory)/services</servicedir>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
            """, to: "\(directory)/bus.conf")
        mkdir("\(directory)/services", 0o700)
        if activatable {
            let started = try DesktopWorld.startDisplay(in: directory)
            display = started
            try DesktopWorld.write(
                """
                [D-BUS Service]
                Name=org.freedesktop.Notifications
                Exec=/usr/bin/env DISPLAY=\(started.name) dunst -conf \(configuration)
                """, to: "\(directory)/services/dunst.service")
        }
        bus = try DesktopWorld.startBus(in: directory)
        address = "unix:path=\(directory)/bus"
    }

    deinit {
        dunst?.end()
        bus.end()
        display?.server.end()
        // It has few files, which nobody else uses; leftovers do not affect other tests.
        if let remover = try? Child(
            ["rm", "-rf", directory], environment: DesktopWorld.environment(), log: "/dev/null")
        {
            _ = remover.wait()
        }
    }

    /// Starts dunst and returns at once: its coming is an event of the class under test.
    func startDunst() throws {
        let display = try startedDisplay()
        dunst = try Child(
            ["dunst", "-conf", configuration],
            environment: DesktopWorld.environment() + [
                "DISPLAY=\(display)", "DBUS_SESSION_BUS_ADDRESS=\(address)", "HOME=\(directory)",
            ], log: "\(directory)/dunst.log")
    }

    func endBus() { bus.end() }

    /// The socket stays open but is not read.
    func stopBus() { bus.signal(SIGSTOP) }

    /// A new bus at the same address.
    func startBus() throws { bus = try DesktopWorld.startBus(in: directory) }

    private static func startBus(in directory: String) throws -> Child {
        unlink("\(directory)/bus")
        let pipe = Pipe()
        let bus = try Child(
            ["dbus-daemon", "--config-file=\(directory)/bus.conf", "--print-address=3", "--nofork"],
            environment: environment(), log: "\(directory)/bus.log", write: pipe.writing)
        pipe.closeWriting()
        _ = try pipe.read()  // the address, printed when the socket listens
        return bus
    }

    /// Runs a program inside the session to its end and returns what it wrote.
    @discardableResult
    func run(_ words: String...) throws -> String {
        let pipe = Pipe()
        let environment =
            DesktopWorld.environment() + [
                "DISPLAY=\(try startedDisplay())", "DBUS_SESSION_BUS_ADDRESS=\(address)", "HOME=\(directory)",
            ]
        let child = try Child(
            words, environment: environment, log: "\(directory)/run.log", output: pipe.writing)
        pipe.closeWriting()
        let text = try pipe.read(toEnd: true)
        let status = child.wait()
        guard status == 0 else { throw TestFailure(description: "\(words) ended with \(status): \(text)") }
        return text
    }

    private func startedDisplay() throws -> String {
        if let display { return display.name }
        let started = try DesktopWorld.startDisplay(in: directory)
        display = started
        return started.name
    }

    private static func startDisplay(in directory: String) throws -> (server: Child, name: String) {
        let pipe = Pipe()
        let server = try Child(
            ["Xvfb", "-displayfd", "3", "-screen", "0", "1000x500x24", "-nolisten", "tcp", "-noreset"],
            environment: environment(), log: "\(directory)/x.log", write: pipe.writing)
        pipe.closeWriting()
        return (server, ":\(try pipe.read())")
    }

    private static func environment() -> [String] {
        ["PATH=\(environmentValue("PATH") ?? "/usr/bin:/bin")", "LANG=C.UTF-8"]
    }

    private static func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "w") else { throw TestFailure(description: "cannot write \(path)") }
        fputs(text, file)
        fclose(file)
    }
}
