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
    /// A limit of today for one app.
    func limit(_ app: String, minutes: Int64) async throws {
        let day = Schedule(
            intervalStart: Contract.DateComponents(hour: 0, minute: 0),
            intervalEnd: Contract.DateComponents(hour: 24, minute: 0), repeats: true)
        let event = EventDefinition(
            name: "limit", applications: [app], threshold: Contract.DateComponents(second: minutes * 60))
        let activity = ActivityDefinition(name: "limit daily app " + app, schedule: day, events: [event])
        _ = try await call(MonitoringStart.self, MonitoringStart.Params(activities: [activity]))
    }

    func unlimit(_ app: String) async throws {
        _ = try await call(MonitoringStop.self, MonitoringStop.Params(names: ["limit daily app " + app]))
    }
}
