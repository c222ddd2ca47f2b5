import Contract

/// Names the app behind a window. One thread only.
package final class AppResolver {
    private let read: () -> [AppEntry]
    private let cgroups: CgroupTree
    private lazy var index = AppIndex(entries)
    /// All installed apps, as read last.
    private(set) lazy var entries = read()

    /// Reads the desktop files at the first question.
    package convenience init() { self.init(cgroups: CgroupTree(), reading: DesktopFiles.readAll) }

    init(cgroups: CgroupTree, reading read: @escaping () -> [AppEntry]) {
        self.read = read
        self.cgroups = cgroups
    }

    /// Reads the desktop files again: an app came, went or changed.
    package func reload() {
        entries = read()
        index = AppIndex(entries)
    }

    /// The app of an X11 window; nil when it cannot be named.
    package func app(of window: Window) -> AppIdentity? {
        app(windowClass: window.windowClass, instance: window.instance, pid: window.pid)
    }

    /// The app of a process without a window; nil when it cannot be named.
    package func app(ofProcess pid: Int32) -> AppIdentity? {
        app(windowClass: "", instance: "", pid: pid)
    }

    /// The app, by all that is known; empty texts are unknown.
    /// - Parameter waylandAppID: what a Wayland window calls itself.
    package func app(
        waylandAppID: String = "", windowClass: String = "", instance: String = "", pid: Int32?
    ) -> AppIdentity? {
        let path = pid.flatMap { ProcessFacts.executablePath($0) }
        let program = path.map { ProcessFacts.baseName($0) }
        let firstWord = String(instance.prefix { $0 != " " })
        let group = pid.flatMap { cgroups.group(of: $0) }
        let scopeIDs = group.map { AppScope.ids(ofGroup: $0) } ?? []
        let sandboxID = pid.flatMap { Sandbox.appID(of: $0, group: group) }
        let lowercase = [windowClass.lowercased(), firstWord.lowercased()]
        // In the order of AppIdentity.Evidence.
        let steps: [(AppIdentity.Evidence, [String: AppEntry], [String])] = [
            (.waylandAppID, index.byID, [waylandAppID]),
            (.startupClass, index.byStartupClass, [windowClass]),
            (.startupInstance, index.byStartupClass, [firstWord]),
            (.startupClassAnyCase, index.byLowercaseClass, lowercase),
            (.desktopFileID, index.byLowercaseID, [lowercase[0]]),
            (.executableName, index.byProgram, [program ?? ""]),
            (.scope, index.byID, scopeIDs),
        ]
        var found: (AppEntry, AppIdentity.Evidence)? = sandboxID.map { id in
            (index.byID[id] ?? AppEntry(sandboxed: id), .sandbox)
        }
        for (evidence, table, keys) in steps where found == nil {
            found = keys.lazy.compactMap { table[$0] }.first.map { ($0, evidence) }
        }
        if let (entry, evidence) = found {
            return AppIdentity(
                id: VisibleText.escaped(entry.id), name: VisibleText.escaped(entry.name),
                categories: entry.categories, resolvedBy: evidence,
                executablePath: path)
        }
        guard let path, let program else { return nil }
        return AppIdentity(
            id: "exe:" + VisibleText.escaped(path), name: VisibleText.escaped(program), categories: [],
            resolvedBy: .executablePath,
            executablePath: path)
    }
}

/// The apps by each thing they are looked up with. Where two claim the same, the one with the shorter id
/// wins, then the first by name: `debian-xterm` before `debian-xterm-profile`.
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

/// The app's id inside the name of its scope or service
/// (systemd.io/DESKTOP_ENVIRONMENTS: `app[-<launcher>]-<ID>-<RANDOM>.scope` and
/// `app[-<launcher>]-<ID>[@<RANDOM>].service`), or of the service in which a message bus started it
/// (`dbus-<bus>-<ID>@<RANDOM>.service`).
enum AppScope {
    /// The ids that the last part of `group` may mean, the likeliest first; empty when it is no app's.
    static func ids(ofGroup group: String) -> [String] {
        let leaf = ProcessFacts.baseName(group)
        let isStartedByBus = leaf.hasPrefix("dbus-") && leaf.hasSuffix(".service")
        guard CgroupTree.isAppScope(group) || isStartedByBus else { return [] }
        let isScope = leaf.hasSuffix(".scope")
        let head = isStartedByBus ? "dbus-" : "app-"
        let tail = isScope ? ".scope" : ".service"
        var name = leaf.dropFirst(head.count).dropLast(tail.count)
        if !isScope, let at = name.firstIndex(of: "@") { name = name[..<at] }
        // A minus inside an id or a launcher is written \x2d, so each minus here divides.
        var parts = name.split(separator: "-").map { unescaped($0) }
        if isScope, parts.count > 1 { parts.removeLast() }
        guard let id = parts.last else { return [] }
        return parts.count > 1 ? [id, parts.joined(separator: "-")] : [id]
    }

    /// Undoes systemd's `\xHH`.
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
