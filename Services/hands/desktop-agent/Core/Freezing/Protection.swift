import Contract
import ServiceKit

/// Why a process is never frozen.
package enum ProtectionReason: Hashable, Sendable, CustomStringConvertible {
    /// One of our own processes.
    case own
    /// A parent, grandparent … of the agent or a service, now or when it was started: stopping a terminal
    /// stops what was started in it, and takes from the person the place to stop it.
    case ancestorOfOwn
    case displayServer
    case windowManager
    case sessionBus
    case notificationDaemon
    /// Process 1.
    case first
    /// A program of the desktop or the system, by its name.
    case system(name: String)

    package var description: String {
        switch self {
        case .own: "one of screentime's own processes"
        case .ancestorOfOwn: "screentime was started from it"
        case .displayServer: "the display server"
        case .windowManager: "the window manager"
        case .sessionBus: "the session bus"
        case .notificationDaemon: "the notification daemon"
        case .first: "process 1"
        case .system(let name): "\(name) keeps the session going"
        }
    }

    /// True when the process may be the way to an app's other processes. A terminal that screentime was
    /// started from is spared, the rest in it is not; but the children of a window manager are no app.
    var passesToDescendants: Bool { self == .ancestorOfOwn }
}

/// Who is never frozen. Protection beats every shield.
package struct Protection: Sendable {
    /// The agent, its guard and the services. Their ancestors are spared, too.
    package var ownPids: Set<Int32>
    /// Programs of ours (``ProgramName``, and what has an ``AppManifest``) in this directory are spared too,
    /// without their ancestors: an app may run a command of ours. Nil when we share a directory with others.
    package var ownDirectory: String?
    /// Single processes with their reasons: display server, window manager, session bus, …
    package var pids: [Int32: ProtectionReason]
    /// Who started the agent, ancestors of it then: see ``StarterChain``. What the environments of our
    /// processes say is added.
    package var starters: [ProcessIdentity] = []

    /// - Parameters:
    ///   - ownPids: the agent itself, its guard, and every service it knows of.
    ///   - ownDirectory: the directory of our executables; ignored when it is one that all programs share.
    ///   - displayServer: `X11Session.serverPids()`.
    ///   - windowManager: `X11Session.windowManagerPid()`; ask again at `.windowManagerChanged`.
    ///   - sessionBus: `SessionBus.pid(address:)`.
    ///   - notificationDaemon: the owner of org.freedesktop.Notifications.
    package init(
        ownPids: Set<Int32>, ownDirectory: String?, displayServer: Set<Int32> = [],
        windowManager: Int32? = nil, sessionBus: Int32? = nil, notificationDaemon: Int32? = nil
    ) {
        self.ownPids = ownPids
        let isShared = ownDirectory.map { Self.sharedDirectories.contains($0) } ?? true
        self.ownDirectory = isShared ? nil : ownDirectory
        pids = [1: .first]
        if let notificationDaemon { pids[notificationDaemon] = .notificationDaemon }
        if let sessionBus { pids[sessionBus] = .sessionBus }
        for pid in displayServer { pids[pid] = .displayServer }
        if let windowManager { pids[windowManager] = .windowManager }
    }

    /// Directories that hold everybody's programs: being in one makes nothing ours.
    static let sharedDirectories: Set<String> = [
        "", "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/usr/games",
    ]

    /// Programs without which a session cannot be used, by base name. A name counts only for a program
    /// file that belongs to root, so a game called `sshd` in a home directory is a game.
    static let systemNames: Set<String> = [
        // Display servers, compositors, shells, window managers
        "Xorg", "X", "Xvfb", "Xephyr", "Xwayland", "Xvnc", "Xtigervnc", "sway", "weston", "labwc", "wayfire",
        "Hyprland", "gnome-shell", "mutter", "plasmashell", "kwin_x11", "kwin_wayland", "cinnamon", "muffin",
        "xfwm4", "xfce4-panel", "xfdesktop", "marco", "mate-panel", "metacity", "openbox", "i3", "budgie-wm",
        "lxqt-panel", "lxpanel", "phosh", "phoc",
        // Session managers, display managers, login
        "gnome-session-binary", "gnome-session", "ksmserver", "startplasma-x11", "startplasma-wayland",
        "xfce4-session", "mate-session", "cinnamon-session-binary", "lxsession", "lxqt-session", "lightdm",
        "gdm", "gdm3", "gdm-session-worker", "gdm-x-session", "gdm-wayland-session", "sddm", "sddm-helper",
        "lxdm", "xdm", "xinit", "login", "sshd", "sshd-session", "sshd-auth",
        // System and session services
        "systemd", "systemd-logind", "(sd-pam)", "init", "elogind", "polkitd", "dbus-daemon", "dbus-broker",
        "dbus-broker-launch", "dbus-launch", "dbus-run-session", "pulseaudio", "pipewire", "pipewire-pulse",
        "pipewire-media-session", "wireplumber", "xdg-desktop-portal", "xdg-desktop-portal-gtk",
        "xdg-desktop-portal-gnome", "xdg-desktop-portal-kde", "xdg-desktop-portal-wlr",
        // Screen lock, accessibility, text input
        "xscreensaver", "light-locker", "swaylock", "i3lock", "gsd-screensaver-proxy", "kscreenlocker_greet",
        "at-spi-bus-launcher", "at-spi2-registryd", "orca", "onboard", "ibus-daemon", "fcitx", "fcitx5",
        // Notification daemons
        "dunst", "mako", "xfce4-notifyd", "mate-notification-daemon", "notification-daemon", "swaync",
    ]
}

/// The protection of every process in one table.
struct ProtectionJudge {
    private let protection: Protection
    private let ancestors: Set<Int32>
    /// Who has the windows of the shielded app is that app, also where its file has a name of ours.
    private let recognised: Set<ProcessIdentity>

    init(_ protection: Protection, _ table: ProcessTable, recognised: Set<ProcessIdentity> = []) {
        self.protection = protection
        self.recognised = recognised
        let starters = protection.starters + protection.ownPids.flatMap { StarterChain.read($0) }
        let living = starters.filter { table.records[$0.pid]?.identity == $0 }
        ancestors = Set(protection.ownPids.flatMap { table.ancestors(of: $0) } + living.map(\.pid))
    }

    /// The reason to spare `pid`; nil when it may be frozen. What it is comes before whose parent it is.
    func reason(_ pid: Int32) -> ProtectionReason? {
        if let reason = protection.pids[pid] { return reason }
        if protection.ownPids.contains(pid) || isProgramOfOurs(pid) { return .own }
        if let name = ProcessFacts.systemName(pid), Protection.systemNames.contains(name) {
            return .system(name: name)
        }
        return ancestors.contains(pid) ? .ancestorOfOwn : nil
    }

    func passes(_ record: ProcessRecord) -> Bool {
        reason(record.pid)?.passesToDescendants ?? true
    }

    private func isProgramOfOurs(_ pid: Int32) -> Bool {
        guard let directory = protection.ownDirectory, let path = ProcessFacts.executablePath(pid),
            ProcessFacts.directory(path) == directory
        else { return false }
        let name = ProcessFacts.baseName(path)
        guard ProgramName.all.contains(name) || InstalledApps.hasManifest(command: name, in: directory) else {
            return false
        }
        return ProcessIdentity(livingPid: pid).map { !recognised.contains($0) } ?? false
    }
}
