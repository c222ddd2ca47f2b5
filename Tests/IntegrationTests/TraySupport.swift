import Contract
import Foundation
import Loop
import ScreenTimeTesting
import TestSupport
import Testing

/// Whether a session with a host for tray icons can be played here.
let isTrayHere =
    isX11Here && World.areInstalled("dbus-daemon", "gdbus")
    && World.succeeds(["/usr/bin/python3", "-c", "from gi.repository import Gio"])

/// A panel of a test's own: a watcher (org.kde.StatusNotifierWatcher) that is its host, too.
@LoopActor final class TrayPanel {
    let process: ChildProcess
    private let world: World

    /// Returns when it has its name.
    /// - Parameter hasHost: at first; `toggleHost` changes it.
    init(_ world: World, hasHost: Bool = true) async throws {
        self.world = world
        process = try world.launch(
            "panel-\(world.processes.count)",
            ["/usr/bin/python3", "-u", "-c", Self.program, hasHost ? "yes" : "no"])
        _ = try await process.line("READY")
    }

    /// Its host comes, or goes.
    func toggleHost() { process.signal(SIGUSR1) }

    /// The unique name of the icon; nil if there is none.
    var item: String? {
        process.lines.last { $0.hasPrefix("registered ") }.map { String($0.dropFirst("registered ".count)) }
    }

    /// Status, title and label, each time they changed.
    var faces: [String] { process.lines.filter { $0.hasPrefix("face ") }.map { String($0.dropFirst(5)) } }

    func face(_ wanted: String) async throws {
        _ = try await process.wait(for: "the face '\(wanted)'") { process in
            process.lines.last { $0.hasPrefix("face ") } == "face " + wanted ? true : nil
        }
    }

    /// Calls a method of the icon, or of its menu, as any program may.
    func call(_ path: String, _ method: String, _ arguments: String...) async throws -> String {
        let name = try #require(item)
        let words = ["gdbus", "call", "--session", "--dest", name, "--object-path", path, "--method", method]
        let result = try await world.run("gdbus-\(world.processes.count)", words + arguments)
        return result.lines.joined(separator: "\n")
    }

    /// Presses the icon.
    func press(_ x: String = "1") async throws -> String {
        try await call("/StatusNotifierItem", "org.kde.StatusNotifierItem.Activate", x, "1")
    }

    /// The menu's labels, as a reader of its layout sees them.
    func labels() async throws -> [String] {
        let layout = try await call("/MenuBar", "com.canonical.dbusmenu.GetLayout", "0", "--", "-1", "[]")
        return layout.components(separatedBy: "'label': <").dropFirst().compactMap { part in
            let quote = part.first ?? "'"
            return String(part.dropFirst().prefix { $0 != quote })
        }
    }

    /// Another program of the session, which means no good: `lies`, `sends much`, or `floods` until it is
    /// ended.
    func attack(_ kind: String) throws -> ChildProcess {
        try world.launch(
            "attack", ["/usr/bin/python3", "-u", "-c", Self.attacker, kind, try #require(item)])
    }

    private static let attacker = #"""
        import sys
        from gi.repository import Gio, GLib
        kind, item = sys.argv[1:]
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        def call(path, interface, method, values=None):
            try:
                print(method, bus.call_sync(item, path, interface, method, values, None,
                    Gio.DBusCallFlags.NONE, 20000, None))
            except GLib.Error as error:
                name = (Gio.dbus_error_get_remote_error(error) or "?").split(".")[-1]
                Gio.dbus_error_strip_remote_error(error)
                print(method, name + ": " + error.message.split(name + ": ")[-1])
        watcher, menu = "org.kde.StatusNotifierWatcher", ("/MenuBar", "com.canonical.dbusmenu")
        if kind == "lies":
            bus.emit_signal(item, "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged",
                GLib.Variant("(sss)", (watcher, ":1.1", "")))
            bus.emit_signal(item, "/StatusNotifierWatcher", watcher, "StatusNotifierHostUnregistered", None)
            call("/", "org.freedesktop.DBus.Peer", "Ping")
        if kind == "sends much":
            call(*menu, "AboutToShowGroup", GLib.Variant("(ai)", ([1] * 2_000_000,)))
            call(*menu, "GetGroupProperties", GLib.Variant("(aias)", ([1] * 10_000, ["x"] * 50_000)))
            call(*menu, "GetProperty", GLib.Variant("(is)", (1, "x" * 10_000_000)))
            one = (7, "clicked", GLib.Variant("s", ""), 0)
            call(*menu, "EventGroup", GLib.Variant("(a(isvu))", ([one] * 9_000,)))
            call(*menu, "GetLayout", GLib.Variant("(s)", ("x",)))
            call(*menu, "Nothing")
            call("/x", "org.x", "Nothing")
            call("/StatusNotifierItem", "org.freedesktop.DBus.Properties", "Set", GLib.Variant("(ssv)",
                ("org.kde.StatusNotifierItem", "Title", GLib.Variant("s", "mine"))))
        count = 0
        while kind == "floods":
            message = Gio.DBusMessage.new_method_call(item, *menu, "GetLayout")
            message.set_flags(Gio.DBusMessageFlags.NO_REPLY_EXPECTED)
            message.set_body(GLib.Variant("(iias)", (0, -1, [])))
            bus.send_message(message, Gio.DBusSendMessageFlags.NONE)
            count += 1
            if count % 1000 == 0: bus.flush_sync()
            if count == 20_000: print("FLOODING")
        print("DONE")
        """#

    static let program = #"""
        import signal, sys
        from gi.repository import Gio, GLib
        NAME, PATH = "org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher"
        ITEM = "org.kde.StatusNotifierItem"
        described = Gio.DBusNodeInfo.new_for_xml("""<node><interface name="%s">
            <method name="RegisterStatusNotifierItem"><arg type="s" direction="in"/></method>
            <property name="IsStatusNotifierHostRegistered" type="b" access="read"/>
            <signal name="StatusNotifierHostRegistered"/><signal name="StatusNotifierHostUnregistered"/>
            </interface></node>""" % NAME).interfaces[0]
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        host = sys.argv[1] == "yes"
        last = None
        def look(item):
            def got(bus, result):
                global last
                try: all = bus.call_finish(result).unpack()[0]
                except GLib.Error as error: return print("lost", error.message)
                face = "|".join([all["Status"], all["Title"], all["XAyatanaLabel"]])
                tip = all["ToolTip"]
                if face != last:
                    last = face
                    print("tooltip " + tip[2] + "|" + tip[3].replace("\n", ";"))
                    print("face " + face)
            bus.call(item, "/StatusNotifierItem", "org.freedesktop.DBus.Properties", "GetAll",
                GLib.Variant("(s)", (ITEM,)), None, Gio.DBusCallFlags.NONE, 5000, None, got)
        def signalled(bus, sender, path, interface, name, values):
            print("signal", name, *values.unpack())
            if interface == ITEM: look(sender)
        def called(bus, sender, path, interface, method, values, invocation):
            item = values.unpack()[0]
            print("registered", item)
            invocation.return_value(None)
            for interface in (ITEM, "com.canonical.dbusmenu"):
                bus.signal_subscribe(item, interface, None, None, None, Gio.DBusSignalFlags.NONE, signalled)
            look(item)
        bus.register_object(PATH, described, called, lambda *_: GLib.Variant("b", host), None)
        def toggle(*_):
            global host
            host = not host
            name = "StatusNotifierHostRegistered" if host else "StatusNotifierHostUnregistered"
            bus.emit_signal(None, PATH, NAME, name, None)
            return True
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, toggle)
        Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: print("READY"), None)
        GLib.MainLoop().run()
        """#
}

extension World {
    /// Whether the agent knows of a host.
    func hasTrayHost() async throws -> Bool {
        try await agentHealth().counters.first { $0.name == "tray_host" }?.count == 1
    }

    /// A limit of today for one app.
    func limit(_ app: String, minutes: Int64, seconds: Int64 = 0) async throws {
        let day = Schedule(
            intervalStart: Contract.DateComponents(hour: 0, minute: 0),
            intervalEnd: Contract.DateComponents(hour: 24, minute: 0), repeats: true)
        let event = EventDefinition(
            name: "limit", applications: [app],
            threshold: Contract.DateComponents(second: minutes * 60 + seconds))
        let activity = ActivityDefinition(name: "limit daily app " + app, schedule: day, events: [event])
        _ = try await call(MonitoringStart.self, MonitoringStart.Params(activities: [activity]))
    }

    func unlimit(_ app: String) async throws {
        _ = try await call(MonitoringStop.self, MonitoringStop.Params(names: ["limit daily app " + app]))
    }
}

extension World {
    /// The console, where the browser is a program that notes what it is asked to open.
    func startConsoleWithoutBrowser() async throws {
        let folder = directory + "/bin"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "#!/bin/sh\necho \"$1\" >>'\(directory)/opened'\n"
            .write(toFile: folder + "/xdg-open", atomically: true, encoding: .utf8)
        chmod(folder + "/xdg-open", 0o755)
        environment["PATH"] = folder + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
        _ = try await startConsole()
    }

    /// How often the browser was asked.
    var openedCount: Int { readText(directory + "/opened").split(separator: "\n").count }

    /// A panel at the top of the screen, with nothing but icons.
    func startXfcePanel() throws {
        let folder = directory + "/.config/xfce4/xfconf/xfce-perchannel-xml"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try """
        <?xml version="1.0" encoding="UTF-8"?>
        <channel name="xfce4-panel" version="1.0"><property name="configver" type="int" value="2"/>
        <property name="panels" type="array"><value type="int" value="1"/>
        <property name="panel-1" type="empty"><property name="position" type="string" value="p=6;x=0;y=0"/>
        <property name="length" type="uint" value="100"/><property name="size" type="uint" value="36"/>
        <property name="plugin-ids" type="array"><value type="int" value="1"/></property></property>
        </property>
        <property name="plugins" type="empty"><property name="plugin-1" type="string" value="systray"/>
        </property></channel>
        """.write(toFile: folder + "/xfce4-panel.xml", atomically: true, encoding: .utf8)
        _ = try launch("xfce4-panel", ["xfce4-panel", "--disable-wm-check"])
    }

    /// The first pixel of this colour in the panel; nil if there is none.
    func placeInPanel(of colour: String) async throws -> (x: Int, y: Int)? {
        let words = ["import", "-silent", "-window", "root", "-crop", "1000x36+0+0", "-depth", "8", "txt:-"]
        let lines = try await run("import-\(processes.count)", words).lines
        // `338,10: (79,70,184)  #4F46B8  srgb(79,70,184)`
        let numbers = lines.first { $0.contains(colour) }?.prefix { $0 != ":" }.split(separator: ",")
        guard let numbers, numbers.count == 2, let x = Int(numbers[0]), let y = Int(numbers[1])
        else { return nil }
        return (x, y)
    }
}
