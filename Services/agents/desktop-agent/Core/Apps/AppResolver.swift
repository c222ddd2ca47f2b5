import Contract
import Rules

/// Identifies the app of a window. For one thread.
package final class AppResolver {
    private let read: () -> [AppEntry]
    private let cgroups: CgroupTree
    private let matcher = ProgramMatcher()
    private lazy var index = AppIndex(entries)
    /// Executables, by app, that have the name of the app's program and ran as this app. A script of that
    /// name often starts the real program.
    private var seen: [String: Set<String>] = [:]
    /// All installed apps as last read.
    private(set) lazy var entries = readInstalled()

    /// The same as identities.
    var installed: [AppIdentity] { entries.map { AppIdentity($0, .desktopFileID, nil) } }

    /// Display name of an installed app, in the person's language; nil if there is none with this id.
    func name(of app: String) -> String? { index.byID[app].map { VisibleText.escaped($0.name) } }

    /// Reads the desktop files on first use.
    package convenience init() { self.init(cgroups: CgroupTree(), reading: DesktopFiles.readAll) }

    init(cgroups: CgroupTree, reading read: @escaping () -> [AppEntry]) {
        self.read = read
        self.cgroups = cgroups
    }

    /// No app has the canary's id, whatever a desktop file says.
    private func readInstalled() -> [AppEntry] { read().filter { $0.id != CanaryApp.id } }

    /// Reads the desktop files again after a change.
    package func reload() {
        entries = readInstalled()
        index = AppIndex(entries)
    }

    /// The programs of the shielded apps, as paths or names.
    private(set) var shieldedPrograms: Set<String> = []

    /// Sets the shielded apps, whose programs are recognised under other names, too.
    /// - Parameters:
    ///   - programs: ids of apps without a desktop entry, shielded or not.
    ///   - isShielded: whether an app is shielded.
    /// - Returns: whether a window may now belong to another app.
    func setShielded(programs: [String], _ isShielded: (AppIdentity) -> Bool) -> Bool {
        var named: [String: Set<String>] = [:], running: [String: Set<String>] = [:]
        for id in programs {
            let path = String(id.dropFirst(Subject.programPrefix.count))
            if isShielded(AppIdentity(program: path, .executablePath)) { named[id] = [path] }
        }
        var byName: Set<String> = []
        for entry in entries where isShielded(AppIdentity(entry, .desktopFileID, nil)) {
            if let path = entry.programPath { named[entry.id] = [path] }
            running[entry.id] = seen[entry.id]
            if let program = entry.program { byName.insert(program) }
        }
        shieldedPrograms = byName.union(named.values.joined()).union(running.values.joined())
        return matcher.set(named: named, seen: running)
    }

    /// Whether comparisons are pending; call `compare` until none is left.
    var isComparing: Bool { matcher.hasWork }

    /// Continues comparing for some milliseconds.
    /// - Returns: whether a window may now belong to another app.
    func compare() -> Bool { matcher.work() }

    /// The app of an X11 window; nil if unknown.
    package func app(of window: Window) -> AppIdentity? {
        app(windowClass: window.windowClass, instance: window.instance, pid: window.pid)
    }

    /// The app of a process without a window; nil if unknown.
    package func app(ofProcess pid: Int32) -> AppIdentity? {
        app(windowClass: "", instance: "", pid: pid)
    }

    /// The app by all available evidence; empty texts mean unknown.
    /// - Parameter waylandAppID: the app id that a Wayland window claims.
    package func app(
        waylandAppID: String = "", windowClass: String = "", instance: String = "", pid: Int32?
    ) -> AppIdentity? {
        let running = pid.flatMap { RunningProgram(pid: $0) }
        let script = running.flatMap { ProgramMatcher.isInterpreter($0.path) ? pid : nil }
            .flatMap { RunningProgram(scriptOf: $0) }
        let programs = [running, script].map { $0.map { ProcessFacts.baseName($0.path) } ?? "" }
        let firstWord = String(instance.prefix { $0 != " " })
        let group = pid.flatMap { cgroups.group(of: $0) }
        let scopeIDs = group.map { AppScope.ids(ofGroup: $0) } ?? []
        if let id = pid.flatMap({ Sandbox.appID(of: $0, group: group) }) {
            return AppIdentity(index.byID[id] ?? AppEntry(sandboxed: id), .sandbox, running?.path)
        }
        let lowercase = [windowClass.lowercased(), firstWord.lowercased()]
        // In the order of AppIdentity.Evidence.
        let steps: [(AppIdentity.Evidence, [String: AppEntry], [String])] = [
            (.waylandAppID, index.byID, [waylandAppID]),
            (.startupClass, index.byStartupClass, [windowClass]),
            (.startupInstance, index.byStartupClass, [firstWord]),
            (.startupClassAnyCase, index.byLowercaseClass, lowercase),
            (.desktopFileID, index.byLowercaseID, [lowercase[0]]),
            (.executableName, index.byProgram, programs),
            (.scope, index.byID, scopeIDs),
        ]
        var found: AppIdentity?
        for (evidence, table, keys) in steps where found == nil {
            let entry = keys.lazy.compactMap { table[$0] }.first
            found = entry.map { AppIdentity($0, evidence, running?.path) }
        }
        if found == nil { found = running.map { AppIdentity(program: $0.path, .executablePath) } }
        if found?.id == CanaryApp.id {
            found = running.map { AppIdentity(program: $0.path, .executablePath) }
        }
        return sameProgram(running, as: found) ?? sameProgram(script, as: found) ?? found
    }

    /// The shielded app whose program runs under another name; nil if none.
    private func sameProgram(_ running: RunningProgram?, as found: AppIdentity?) -> AppIdentity? {
        guard let running, let found else { return nil }
        note(running, of: found)
        let named = found.isNamedByWindow ? index.byID[found.id] : nil
        guard let id = matcher.app(of: running, namedByWindow: named), id != found.id else { return nil }
        if let entry = index.byID[id] { return AppIdentity(entry, .sameProgram, running.path) }
        guard id.hasPrefix(Subject.programPrefix) else {
            return AppIdentity(AppEntry(sandboxed: id), .sameProgram, running.path)
        }
        return AppIdentity(program: String(id.dropFirst(Subject.programPrefix.count)), .sameProgram)
    }

    /// Number of apps whose programs are recorded.
    private static let appsSeenMax = 1_000

    private func note(_ running: RunningProgram, of app: AppIdentity) {
        guard let program = index.byID[app.id]?.program, program == ProcessFacts.baseName(running.path),
            seen.count < Self.appsSeenMax || seen[app.id] != nil
        else { return }
        seen[app.id, default: []].insert(running.path)
    }
}

extension AppIdentity {
    init(_ entry: AppEntry, _ evidence: Evidence, _ path: String?) {
        self.init(
            id: VisibleText.escaped(entry.id), name: VisibleText.escaped(entry.name),
            categories: entry.categories, resolvedBy: evidence,
            executablePath: path)
    }

    /// An app without a desktop entry.
    init(program path: String, _ evidence: Evidence) {
        self.init(
            id: Subject.programPrefix + VisibleText.escaped(path),
            name: VisibleText.escaped(ProcessFacts.baseName(path)), categories: [],
            resolvedBy: evidence, executablePath: path)
    }
}

/// The apps by each lookup key. If two apps have the same key, the shorter id wins, then the first by name:
/// `debian-xterm` before `debian-xterm-profile`.
private struct AppIndex {
    private(set) var byID: [String: AppEntry] = [:]
    private(set) var byLowercaseID: [String: AppEntry] = [:]
    private(set) var byStartupClass: [String: AppEntry] = [:]
    private(set) var byLowercaseClass: [String: AppEntry] = [:]
    private(set) var byProgram: [String: AppEntry] = [:]

    init(_ entries: [AppEntry]) {
        for entry in entries.sorted(by: { ($0.id.utf8.count, $0.id) < ($1.id.utf8.count, $1.id) }) {
            Self.put(entry, under: entry.id, in: &byID)
            Self.put(entry, under: entry.id.lowercased(), in: &byLowercaseID)
            Self.put(entry, under: entry.startupClass, in: &byStartupClass)
            Self.put(entry, under: entry.startupClass?.lowercased(), in: &byLowercaseClass)
            Self.put(entry, under: entry.program, in: &byProgram)
        }
    }

    private static func put(_ entry: AppEntry, under key: String?, in table: inout [String: AppEntry]) {
        guard let key, !key.isEmpty, table[key] == nil else { return }
        table[key] = entry
    }
}

/// The app's id in the name of its scope or service (systemd.io/DESKTOP_ENVIRONMENTS:
/// `app[-<launcher>]-<ID>-<RANDOM>.scope` and `app[-<launcher>]-<ID>[@<RANDOM>].service`), or of the service
/// in which a message bus started it (`dbus-<bus>-<ID>@<RANDOM>.service`).
enum AppScope {
    /// Possible ids in the last part of `group`, the most likely first; empty if it belongs to no app.
    static func ids(ofGroup group: String) -> [String] {
        let leaf = ProcessFacts.baseName(group)
        let isStartedByBus = leaf.hasPrefix("dbus-") && leaf.hasSuffix(".service")
        guard CgroupTree.isAppScope(group) || isStartedByBus else { return [] }
        let isScope = leaf.hasSuffix(".scope")
        let head = isStartedByBus ? "dbus-" : "app-"
        let tail = isScope ? ".scope" : ".service"
        var name = leaf.dropFirst(head.count).dropLast(tail.count)
        if !isScope, let at = name.firstIndex(of: "@") { name = name[..<at] }
        // A hyphen inside an id or launcher is escaped as \x2d, so each hyphen here is a separator.
        var parts = name.split(separator: "-").map { unescaped($0) }
        if isScope, parts.count > 1 { parts.removeLast() }
        guard let id = parts.last else { return [] }
        return parts.count > 1 ? [id, parts.joined(separator: "-")] : [id]
    }

    /// Decodes systemd's `\xHH`.
    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.dropFirst().prefix(2)
            if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"), digits.count == 2,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
