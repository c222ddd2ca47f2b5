import CSystemd
import Glibc
import Loop
import ScreenTimeTesting

/// A logind of a test's own, on a system bus of the world's own, with one session.
@LoopActor final class LogindDouble {
    static let session = "/org/freedesktop/login1/session/_31"
    private static let place = "/org/freedesktop/login1"
    private static let manager = "org.freedesktop.login1.Manager"

    private let bus: OpaquePointer
    private var token: Reactor.Token?
    /// The reading ends of the pipes whose other ends hold back sleep.
    private var delays: [Int32: Reactor.Token] = [:]
    private(set) var delaysTaken = 0
    private(set) var lockedHint = false
    private(set) var isActive = true
    private var inhibitors: [(who: String, pid: Int32)] = []
    private(set) var sessionsAsked = 0

    /// A bus without logind; sets DBUS_SYSTEM_BUS_ADDRESS for programs started later.
    static func startBus(_ world: World) async throws {
        let address = "unix:path=\(world.directory)/system-bus"
        let configuration = world.directory + "/system-bus.conf"
        try """
        <busconfig><type>session</type><listen>\(address)</listen><auth>EXTERNAL</auth>
        <policy context="default"><allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
        """.write(toFile: configuration, atomically: true, encoding: .utf8)
        let daemon = try world.launch(
            "system-bus", ["dbus-daemon", "--config-file=" + configuration, "--print-address=1", "--nofork"])
        _ = try await daemon.line("unix:")
        world.environment["DBUS_SYSTEM_BUS_ADDRESS"] = address
    }

    /// On the bus of the world.
    init(_ world: World) throws {
        let address = world.environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? ""
        var made: OpaquePointer?
        guard sd_bus_new(&made) >= 0, let made else { throw Overdue("no bus") }
        bus = made
        guard sd_bus_set_address(bus, address) >= 0, sd_bus_set_bus_client(bus, 1) >= 0,
            sd_bus_negotiate_fds(bus, 1) >= 0, sd_bus_start(bus) >= 0,
            sd_bus_request_name(bus, "org.freedesktop.login1", 0) >= 0
        else { throw Overdue("the double cannot reach the bus") }
        token = Reactor.shared.watch(descriptor: sd_bus_get_fd(bus)) { [weak self] in self?.process() }
        process()
    }

    isolated deinit {
        if let token { Reactor.shared.forget(token) }
        for (descriptor, token) in delays {
            Reactor.shared.forget(token)
            Glibc.close(descriptor)
        }
        sd_bus_close_unref(bus)
    }

    /// How many programs hold back sleep now.
    var delaysHeld: Int { delays.count }

    // MARK: what happens

    func setLockedHint(_ isLocked: Bool) {
        lockedHint = isLocked
        changed(Self.session, "org.freedesktop.login1.Session", "LockedHint", isLocked)
    }

    func setActive(_ isActive: Bool) {
        self.isActive = isActive
        changed(Self.session, "org.freedesktop.login1.Session", "Active", isActive)
    }

    func signal(_ member: String) { send(Self.session, "org.freedesktop.login1.Session", member) { _ in } }

    func prepareForSleep(_ begins: Bool) {
        send(Self.place, Self.manager, "PrepareForSleep") { Self.append($0, begins) }
    }

    func setInhibitors(_ all: [(who: String, pid: Int32)]) {
        inhibitors = all
        changed(Self.place, Self.manager, "BlockInhibited", all.isEmpty)
    }

    private func changed(_ path: String, _ interface: String, _ name: String, _ value: Bool) {
        send(path, "org.freedesktop.DBus.Properties", "PropertiesChanged") { message in
            Self.append(message, interface)
            Self.appendProperties(message, [(name, value)])
            sd_bus_message_open_container(message, Self.code("a"), "s")
            sd_bus_message_close_container(message)
        }
    }

    private func send(
        _ path: String, _ interface: String, _ member: String, _ body: (OpaquePointer?) -> Void
    ) {
        var message: OpaquePointer?
        sd_bus_message_new_signal(bus, &message, path, interface, member)
        body(message)
        sd_bus_send(bus, message, nil)
        sd_bus_flush(bus)
        sd_bus_message_unref(message)
    }

    // MARK: what it answers

    private func process() {
        var result: Int32 = 1
        while result > 0 {
            var arrived: OpaquePointer?
            result = sd_bus_process(bus, &arrived)
            if let arrived {
                answer(arrived)
                sd_bus_message_unref(arrived)
            }
        }
    }

    private func answer(_ call: OpaquePointer) {
        var type: UInt8 = 0
        sd_bus_message_get_type(call, &type)
        guard type == UInt8(SD_BUS_MESSAGE_METHOD_CALL) else { return }
        var reply: OpaquePointer?
        sd_bus_message_new_method_return(call, &reply)
        defer { sd_bus_message_unref(reply) }
        switch sd_bus_message_get_member(call).map({ String(cString: $0) }) {
        case "GetSession", "GetSessionByPID":
            sessionsAsked += 1
            sd_bus_message_append_basic(reply, Self.code("o"), Self.session)
        case "GetAll": Self.appendProperties(reply, [("LockedHint", lockedHint), ("Active", isActive)])
        case "Inhibit": appendDelay(reply)
        case "ListInhibitors": appendInhibitors(reply)
        default: break
        }
        sd_bus_send(bus, reply, nil)
        sd_bus_flush(bus)
    }

    private func appendDelay(_ reply: OpaquePointer?) {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        var given = ends[1]
        sd_bus_message_append_basic(reply, Self.code("h"), &given)
        close(ends[1])
        delaysTaken += 1
        let reading = ends[0]
        _ = fcntl(reading, F_SETFD, FD_CLOEXEC)
        delays[reading] = Reactor.shared.watch(descriptor: reading) { [weak self] in
            // End of file: the holder has closed it.
            guard let self, let token = delays.removeValue(forKey: reading) else { return }
            Reactor.shared.forget(token)
            close(reading)
        }
    }

    private func appendInhibitors(_ reply: OpaquePointer?) {
        sd_bus_message_open_container(reply, Self.code("a"), "(ssssuu)")
        for one in inhibitors {
            sd_bus_message_open_container(reply, Self.code("r"), "ssssuu")
            for text in ["idle", one.who, "plays", "block"] { Self.append(reply, text) }
            for number in [getuid(), UInt32(one.pid)] {
                var number = number
                sd_bus_message_append_basic(reply, Self.code("u"), &number)
            }
            sd_bus_message_close_container(reply)
        }
        sd_bus_message_close_container(reply)
    }

    private static func appendProperties(_ message: OpaquePointer?, _ values: [(String, Bool)]) {
        sd_bus_message_open_container(message, code("a"), "{sv}")
        for (name, value) in values {
            sd_bus_message_open_container(message, code("e"), "sv")
            append(message, name)
            sd_bus_message_open_container(message, code("v"), "b")
            append(message, value)
            sd_bus_message_close_container(message)
            sd_bus_message_close_container(message)
        }
        sd_bus_message_close_container(message)
    }

    private static func append(_ message: OpaquePointer?, _ text: String) {
        sd_bus_message_append_basic(message, code("s"), text)
    }

    private static func append(_ message: OpaquePointer?, _ flag: Bool) {
        var number: CInt = flag ? 1 : 0
        sd_bus_message_append_basic(message, code("b"), &number)
    }

    /// D-Bus type codes are ASCII letters, so the conversion always fits.
    private static func code(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }
}
