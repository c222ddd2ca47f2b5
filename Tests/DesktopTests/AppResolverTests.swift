import Contract
import Glibc
import Testing

@testable import DesktopCore

@Suite struct AppResolverTests {
    /// As installed on a Debian desktop.
    private static let entries = [
        AppEntry(id: "chromium", name: "Chromium", startupClass: "chromium", program: "chromium",
            categories: ["Network", "WebBrowser"]),
        AppEntry(id: "firefox-esr", name: "Firefox", startupClass: "firefox-esr", program: "firefox-esr",
            categories: ["Network"]),
        AppEntry(
            id: "org.gnome.Maps", name: "Maps", startupClass: nil, program: "gnome-maps", categories: []),
        AppEntry(id: "debian-xterm", name: "XTerm", startupClass: nil, program: "xterm",
            categories: ["System", "TerminalEmulator"]),
        AppEntry(id: "sleeper-long", name: "Sleeper 2", startupClass: nil, program: "sleep", categories: []),
        AppEntry(id: "sleeper", name: "Sleeper", startupClass: nil, program: "sleep", categories: []),
    ]
    private let resolver = AppResolver(cgroups: CgroupTree(), reading: { entries })

    @Test(arguments: [
        ("org.gnome.Maps", "", "", "org.gnome.Maps", AppIdentity.Evidence.waylandAppID),
        ("", "firefox-esr", "Navigator", "firefox-esr", .startupClass),
        ("", "Chromium", "chromium (DATADIR)", "chromium", .startupInstance),
        ("", "CHROMIUM", "", "chromium", .startupClassAnyCase),
        ("", "", "Firefox-ESR", "firefox-esr", .startupClassAnyCase),
        ("", "org.gnome.maps", "maps", "org.gnome.Maps", .desktopFileID),
    ])
    func whatAWindowSaysIsTriedInOrder(
        appID: String, windowClass: String, instance: String, wanted: String, evidence: AppIdentity.Evidence
    ) throws {
        let app = try #require(resolver.app(
            waylandAppID: appID, windowClass: windowClass, instance: instance, pid: nil))
        #expect(app.id == wanted && app.resolvedBy == evidence)
    }

    @Test func theProgramTellsWhenTheWindowDoesNot() throws {
        let child = try Child(["sleep", "1000"])
        _ = try eventually("start") { () -> Bool? in
            ProcessFacts.executablePath(child.pid)?.hasSuffix("/sleep") == true ? true : nil
        }
        let app = try #require(resolver.app(windowClass: "Nobody", pid: child.pid))
        #expect(app.id == "sleeper" && app.resolvedBy == .executableName)
        #expect(app.executablePath?.hasSuffix("/sleep") == true)
    }

    @Test func withoutADesktopFileThePathIsTheApp() throws {
        let none = AppResolver(cgroups: CgroupTree(), reading: { [] })
        let path = try #require(ProcessFacts.executablePath(getpid()))
        let app = try #require(none.app(ofProcess: getpid()))
        #expect(app.id == "exe:" + path && app.resolvedBy == .executablePath)
        #expect(app.name == ProcessFacts.baseName(path))
    }

    @Test func whatCannotBeNamedIsNil() {
        #expect(resolver.app(pid: nil) == nil)
        #expect(resolver.app(windowClass: "Nobody", instance: "nobody", pid: nil) == nil)
    }

    @Test(arguments: [
        ("/user.slice/user@3001.service/app.slice/app-org.probe.Two-99.scope", ["org.probe.Two"]),
        ("/app.slice/app-gnome-org.gnome.Maps-1234.scope", ["org.gnome.Maps", "gnome-org.gnome.Maps"]),
        ("/app.slice/app-gnome-firefox\\x2desr-1234.scope", ["firefox-esr", "gnome-firefox-esr"]),
        ("/app.slice/app-org.gnome.Maps@abc.service", ["org.gnome.Maps"]),
        ("/app.slice/app-KDE-chromium.service", ["chromium", "KDE-chromium"]),
        ("/app.slice/app-flatpak-org.x.Y-321.scope", ["org.x.Y", "flatpak-org.x.Y"]),
        ("/app.slice/dbus-:1.2-org.gnome.Maps@0.service", ["org.gnome.Maps", ":1.2-org.gnome.Maps"]),
        ("/app.slice/run-1.scope", []), ("/app.slice", []), ("/app.slice/app-.scope", []),
    ])
    func aScopeNamesItsApp(group: String, ids: [String]) {
        #expect(AppScope.ids(ofGroup: group) == ids)
    }

    @Test(arguments: [
        ("/user.slice/snap.firefox.firefox-1f2e3d4c-aaaa-bbbb-cccc-0123456789ab.scope", "firefox_firefox"),
        ("/x/snap.my-tools.edit-now-1f2e3d4c-aaaa-bbbb-cccc-0123456789ab.scope", "my-tools_edit-now"),
        ("/x/snap.firefox.firefox.1f2e3d4c-aaaa-bbbb-cccc-0123456789ab.scope", "firefox_firefox"),
        ("/x/snap.firefox.hook.configure.1f2e3d4c-aaaa-bbbb-cccc-0123456789ab.scope", nil),
        ("/x/snap.firefox.scope", nil), ("/x/app-firefox-1.scope", nil),
    ] as [(String, String?)])
    func aSnapsScopeNamesItsDesktopFile(group: String, id: String?) {
        #expect(Sandbox.snapID(ofGroup: group) == id)
    }

    @Test func aFlatpakSandboxNamesItsApp() {
        let info = "[Instance]\nname=wrong\n\n[Application]\nname=org.x.Y\nruntime=runtime/z\n"
        #expect(Sandbox.flatpakID(inInfo: info) == "org.x.Y")
        #expect(Sandbox.flatpakID(inInfo: "[Instance]\nname=wrong\n") == nil)
    }

    @Test(.enabled(if: TestScope.isPossible, "no writable cgroup v2 hierarchy"))
    func aProcessInAnAppScopeIsThatApp() throws {
        let scope = try TestScope()
        let child = try Child(["cat", "/dev/zero"])
        try scope.add(child.pid)
        let only = try #require(AppScope.ids(ofGroup: scope.group).first)
        let entry = AppEntry(id: only, name: "Scoped", startupClass: nil, program: nil, categories: ["Game"])
        let app = AppResolver(cgroups: CgroupTree(), reading: { [entry] }).app(ofProcess: child.pid)
        #expect(app?.id == only && app?.resolvedBy == .scope && app?.categories == ["Game"])
    }

    @Test(arguments: [
        ("/usr/bin/gnome-maps %U", "gnome-maps"), ("env GDK_BACKEND=x11 /opt/game/run --fast", "run"),
        ("\"/opt/My Game/start\" %f", "start"), ("python3 /usr/share/x/app.py", nil), ("sh -c 'x'", nil),
        ("A=1 tool", "tool"), ("", nil), ("flatpak run org.x.Y", nil),
    ] as [(String, String?)])
    func theProgramOfACommandIsFound(command: String, program: String?) {
        #expect(AppEntry.program(ofCommand: command) == program)
    }

    /// Only the agent knows which process is its canary.
    @Test func nothingClaimsTheCanarysId() {
        let claim = AppEntry(
            id: CanaryApp.id, name: "Game", startupClass: "Game", program: "sleep", categories: [])
        let resolver = AppResolver(cgroups: CgroupTree(), reading: { [claim] })
        #expect(resolver.entries.isEmpty)
        resolver.reload()
        #expect(resolver.app(windowClass: "Game", pid: getpid())?.id.hasPrefix("exe:") == true)
    }

    @Test func reloadSeesWhatChanged() {
        final class Source { var entries: [AppEntry] = [] }
        let source = Source()
        let resolver = AppResolver(cgroups: CgroupTree(), reading: { source.entries })
        #expect(resolver.app(windowClass: "chromium", pid: nil) == nil)
        source.entries = Self.entries
        #expect(resolver.app(windowClass: "chromium", pid: nil) == nil)
        resolver.reload()
        #expect(resolver.app(windowClass: "chromium", pid: nil)?.name == "Chromium")
    }

    @Test(.enabled(if: access("/usr/share/applications/debian-xterm.desktop", R_OK) == 0, "no xterm entry"))
    func aRealTerminalIsFoundAmongTheInstalledApps() throws {
        let desktop = try TestDesktop()
        let watch = try Watch(desktop)
        let before_kB = residentShare_kB()
        let resolver = AppResolver()
        let terminal = try desktop.openTerminal("PlainTerm", watchedBy: watch)
        let app = try #require(resolver.app(of: terminal.window))
        print("desktop files cost \(residentShare_kB() - before_kB) kB PSS at the first question")
        #expect(app.id == "debian-xterm" && app.resolvedBy == .startupClassAnyCase)
        #expect(app.categories.contains("TerminalEmulator"))
        #expect(app.name == "XTerm")
    }

    /// Our proportional share of memory now.
    private func residentShare_kB() -> Int {
        let lines = fileText("/proc/self/smaps_rollup").split(separator: "\n")
        let line = lines.first { $0.hasPrefix("Pss:") }
        return line.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
    }
}
