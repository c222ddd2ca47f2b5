import Glibc
import ProcessEvents
import ServiceKit

/// What the desktop and the kernel offer.
enum MachineChecks {
    static func all(_ configuration: Configuration) -> [Finding] { [display(), freezer()] }

    /// Nil if it is not set, or empty.
    static func value(_ key: String) -> String? {
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

    /// Asks the kernel as the desktop agent does; a running agent knows better.
    static func processEvents() -> Finding {
        let check = "process events"
        do throws(ForkListenerError) { _ = try ForkListener() } catch {
            return .warning(check, error.reason, "\(ForkListenerError.consequence) \(error.remedy)")
        }
        return .ok(check, "the kernel tells of new processes")
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
