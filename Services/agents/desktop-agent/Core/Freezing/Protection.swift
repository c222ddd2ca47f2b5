import Contract
import ServiceKit

/// Why a process is never frozen.
package enum ProtectionReason: Hashable, Sendable, CustomStringConvertible {
    /// A process of this project.
    case own
    /// An ancestor of the agent or a service, now or when it was started. Stopping a terminal stops what was
    /// started in it, and the person could no longer stop that.
    case ancestorOfOwn
    case displayServer
    case windowManager
    case sessionBus
    case notificationDaemon
    /// Process 1.
    case first
    /// A program of the desktop or system, by name.
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

    /// Whether the process may lead to further processes of an app. A terminal from which screentime was
    /// started is protected, its other children are not; but the children of a window manager are not one
    /// app.
    var passesToDescendants: Bool { self == .ancestorOfOwn }
}

/// The processes that are never frozen. Protection has precedence over every shield.
package struct Protection: Sendable {
    /// The agent, its guard and the services. Their ancestors are protected, too.
    package var ownPids: Set<Int32>
    /// Programs of this project (``ProgramName``, and those with an ``AppManifest``) in this directory are
    /// protected, but not their ancestors: an app may run one of our commands. Nil if the directory is shared
    /// with other programs.
    package var ownDirectory: String?
    /// Single processes with their reasons: display server, window manager, session bus, …
    package var pids: [Int32: ProtectionReason]
    /// The agent's ancestors when it was started; see ``StarterChain``. The environments of this project's
    /// processes add to them.
    package var starters: [ProcessIdentity] = []

    /// - Parameters:
    ///   - ownPids: the agent, its guard, and every known service.
    ///   - ownDirectory: the directory of our executables; ignored if all programs share it.
    ///   - displayServer: `X11Session.serverPids()`.
    ///   - windowManager: `X11Session.windowManagerPid()`; read it again at `.windowManagerChanged`.
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

    /// Shared directories: a program in one of them is not necessarily ours.
    static let sharedDirectories: Set<String> = [
        "", "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/usr/games",
    ]

    /// Programs without which a session cannot be used, by base name. A name counts only for a program file
    /// owned by root, so a game called `sshd` in a home directory is not protected.
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
        "xscreensaver", "light-locker", "swaylock", "i3lock", "slock", "xtrlock", "xsecurelock",
        "gsd-screensaver-proxy", "kscreenlocker_greet",
        "at-spi-bus-launcher", "at-spi2-registryd", "orca", "onboard", "ibus-daemon", "fcitx", "fcitx5",
        // Compositors and settings of X sessions
        "picom", "compton", "xcompmgr", "xsettingsd", "xfsettingsd", "mate-settings-daemon", "gsd-xsettings",
        // What the first app that needs it starts, and all others use
        "ssh-agent", "gpg-agent", "dirmngr", "scdaemon", "keyboxd", "gnome-keyring-daemon", "kwalletd5",
        "kwalletd6", "gvfsd", "gvfsd-fuse", "gvfsd-metadata", "gvfs-udisks2-volume-monitor", "dconf-service",
        "gconfd-2", "ibus-x11", "ibus-dconf", "ibus-portal", "ibus-engine-simple",
        // Notification daemons
        "dunst", "mako", "xfce4-notifyd", "mate-notification-daemon", "notification-daemon", "swaync",
    ]
}

/// The protection of every process in one table.
struct ProtectionJudge {
    private let protection: Protection
    private let ancestors: Set<Int32>
    /// A process that owns windows of the shielded app is that app, even if its file has one of our names.
    private let recognised: Set<ProcessIdentity>
    /// Processes of other apps, which may be descendants of this one's.
    private let apart: Set<Int32>

    init(
        _ protection: Protection, _ table: ProcessTable, recognised: Set<ProcessIdentity> = [],
        apart: Set<Int32> = []
    ) {
        self.protection = protection
        self.apart = apart
        self.recognised = recognised
        let starters = protection.starters + protection.ownPids.flatMap { StarterChain.read($0) }
        let living = starters.filter { table.records[$0.pid]?.identity == $0 }
        ancestors = Set(protection.ownPids.flatMap { table.ancestors(of: $0) } + living.map(\.pid))
    }

    /// The reason to protect `pid`; nil if it may be frozen. Its own role has precedence over its children's.
    func reason(_ pid: Int32) -> ProtectionReason? {
        if let reason = protection.pids[pid] { return reason }
        if protection.ownPids.contains(pid) || isProgramOfOurs(pid) { return .own }
        if let name = ProcessFacts.systemName(pid), Protection.systemNames.contains(name) {
            return .system(name: name)
        }
        return ancestors.contains(pid) ? .ancestorOfOwn : nil
    }

    /// Whether a process is another app, or belongs to one. It is neither frozen nor refused.
    func isApart(_ pid: Int32) -> Bool { apart.contains(pid) }

    func mayFreeze(_ pid: Int32) -> Bool { !isApart(pid) && reason(pid) == nil }

    func passes(_ record: ProcessRecord) -> Bool {
        !isApart(record.pid) && (reason(record.pid)?.passesToDescendants ?? true)
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
