/// The app id that a sandbox assigned to a process; the program cannot change it.
enum Sandbox {
    /// - Parameter group: the process's control group, if known.
    static func appID(of pid: Int32, group: String?) -> String? {
        group.flatMap { snapID(ofGroup: $0) }
            ?? ProcFile.text("/proc/\(pid)/root/.flatpak-info").flatMap { flatpakID(inInfo: $0) }
    }

    /// flatpak-metadata(5): the group Application of `/.flatpak-info`, which every Flatpak sandbox has in its
    /// root, names the app.
    static func flatpakID(inInfo text: String) -> String? {
        var isApplication = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("[") {
                isApplication = line == "[Application]"
            } else if isApplication, line.hasPrefix("name=") {
                return String(line.dropFirst("name=".count))
            }
        }
        return nil
    }

    /// Snap runs an app in a scope `snap.SNAP.APP-UUID.scope`, in older versions `snap.SNAP.APP.UUID.scope`.
    /// Its desktop file is `SNAP_APP.desktop`.
    static func snapID(ofGroup group: String) -> String? {
        let leaf = ProcessFacts.baseName(group)
        guard leaf.hasPrefix("snap."), leaf.hasSuffix(".scope") else { return nil }
        let parts = leaf.dropLast(".scope".count).split(separator: ".")
        guard parts.count > 2, parts[1] != "hook", parts[2] != "hook" else { return nil }
        var app = parts[2]
        // In the newer form the last five groups of hex digits are the UUID.
        if parts.count == 3 {
            let words = app.split(separator: "-")
            guard words.count > 5 else { return nil }
            app = app.dropLast(words.suffix(5).reduce(5) { $0 + $1.count })
        }
        return "\(parts[1])_\(app)"
    }
}
