import CPosix
import Glibc
import ServiceKit

/// What the desktop and the kernel offer.
enum MachineChecks {
    static func all(_ configuration: Configuration) -> [Finding] { [display(), processEvents(), freezer()] }

    private static func value(_ key: String) -> String? {
        getenv(key).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func display() -> Finding {
        let check = "display"
        if let display = value("DISPLAY") { return .ok(check, "DISPLAY is \(display)") }
        if let display = value("WAYLAND_DISPLAY") {
            return .warning(
                check, "only WAYLAND_DISPLAY is set (\(display)); focus is watched on X11",
                "Use an X11 session.")
        }
        return .warning(
            check, "neither DISPLAY nor WAYLAND_DISPLAY is set; there is no desktop to watch here",
            "Run it inside the desktop session, or try scripts/run-all.sh --virtual-desktop.")
    }

    /// Connector messages about processes need CAP_NET_ADMIN (Documentation/driver-api/connector.rst).
    private static func processEvents() -> Finding {
        let check = "process events"
        let descriptor = socket(
            AF_NETLINK, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, Int32(NETLINK_CONNECTOR))
        guard descriptor >= 0 else {
            return .warning(
                check, "the kernel has no process connector (\(String(cString: strerror(errno))))",
                "Launches of shielded apps are noticed when they get a window.")
        }
        defer { close(descriptor) }
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = UInt32(CN_IDX_PROC)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
            }
        }
        guard bound == 0 else {
            return .warning(
                check, "no right to hear of new processes (\(String(cString: strerror(errno))))",
                "Launches of shielded apps are noticed when they get a window; CAP_NET_ADMIN makes it sooner."
            )
        }
        guard isInInitialPIDNamespace else {
            return .warning(
                check, "this container has process ids of its own; the kernel reports forks only outside",
                "Daemons that an app leaves behind are not found here. Run screentime outside, or start the "
                    + "container with the host's process ids.")
        }
        return .ok(check, "the kernel tells of new processes")
    }

    /// Whether this is the initial pid namespace, whose number is fixed (PROC_PID_INIT_INO, linux/proc_ns.h).
    private static var isInInitialPIDNamespace: Bool {
        var status = stat()
        return stat("/proc/self/ns/pid", &status) == 0 && status.st_ino == 0xEFFF_FFFC
    }

    private static func freezer() -> Finding {
        let check = "cgroup freezer"
        let own = (try? Screentime.readFile("/proc/self/cgroup", bytesMax: 65_536)) ?? []
        // Without /proc there is no version 2 line either, and the answer is the same.
        let line = String(decoding: own, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("0::") }
        let path = line.map { "/sys/fs/cgroup" + $0.dropFirst(3) } ?? "/sys/fs/cgroup"
        if access(path + "/cgroup.procs", W_OK) == 0, access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0 {
            return .ok(check, "apps can be frozen as a whole")
        }
        return .warning(
            check, "there is no writable cgroup of version 2 here; apps are stopped process by process",
            "Nothing to do; a systemd session gives each app a cgroup of its own.")
    }
}
