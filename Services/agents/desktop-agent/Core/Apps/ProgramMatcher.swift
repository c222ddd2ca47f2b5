import Contract
import Glibc

/// Recognises programs of shielded apps under other names: renamed and copied files, hard links, files in
/// memory. A program is compared only with those of shielded apps: first the size, then SHA-256, cached by
/// device, inode and time of change. A recognised program stays recognised whatever is shielded later, so
/// that use is attributed consistently. For one thread.
final class ProgramMatcher {
    private struct Original {
        let app: String
        let path: String
        /// The present file, then earlier versions that were hashed.
        var files: [ProgramFile]
        /// Whether the app's desktop entry or id names it; otherwise it was only seen running.
        let isNamed: Bool
    }

    private enum Digest { case known(String), unreadable, awaited }

    /// Named ones come first.
    private var originals: [Original] = []
    private var digests: [ProgramFile: Digest] = [:]
    private var recognised: [ProgramFile: String] = [:]
    private var queue: [FileDigest] = []

    /// Number of files whose digest or app is cached.
    static let filesMax = 4_096
    /// Number of versions of one program that are kept; the oldest is dropped.
    private static let versionsMax = 8
    /// Bytes hashed immediately on request; the rest of a larger file is hashed by `work`.
    static let bytesAtOnce = 4 << 20

    /// Whether `work` has anything to do.
    var hasWork: Bool { !queue.isEmpty }

    /// Sets the programs of the shielded apps: paths by app id.
    /// - Parameters:
    ///   - named: from desktop entries or ids.
    ///   - seen: seen running as the app.
    /// - Returns: whether they changed.
    func set(named: [String: Set<String>], seen: [String: Set<String>]) -> Bool {
        var next: [Original] = []
        for (paths, isNamed) in [(named, true), (seen, false)] {
            for (app, path) in paths.flatMap({ app, paths in paths.sorted().map { (app, $0) } }) {
                guard !Self.isInterpreter(path) else { continue }
                let old = originals.first { $0.app == app && $0.path == path }?.files ?? []
                let files = versions(of: path, before: old)
                guard !files.isEmpty else { continue }
                next.append(Original(app: app, path: path, files: files, isNamed: isNamed))
            }
        }
        next.sort { ($0.isNamed ? 0 : 1, $0.app) < ($1.isNamed ? 0 : 1, $1.app) }
        func key(_ all: [Original]) -> Set<String> {
            Set(all.map { "\($0.app) \($0.path) \($0.files[0].changed_ns)" })
        }
        defer { originals = next }
        return key(next) != key(originals)
    }

    /// The present file at `path`, and earlier ones that can still be compared. If the path no longer exists,
    /// its files stay, because it may have been renamed.
    private func versions(of path: String, before old: [ProgramFile]) -> [ProgramFile] {
        guard let now = ProgramFile(path: path), now != old.first else { return old }
        let earlier = old.filter { file in
            guard !file.isSame(now), case .known? = digests[file] else { return false }
            return true
        }
        return [now] + earlier.prefix(Self.versionsMax - 1)
    }

    /// The shielded app to which this program belongs; nil if none, or not known yet (`hasWork`).
    /// - Parameter named: the app that the window claims to be.
    func app(of program: RunningProgram, namedByWindow named: AppEntry?) -> String? {
        guard let file = ProgramFile(path: program.openPath) else { return nil }
        if let known = recognised[file] { return known }
        // A change of mode, a new link or an upgrade leaves another file than the one that was shielded.
        for index in originals.indices {
            originals[index].files = versions(of: originals[index].path, before: originals[index].files)
        }
        let same = originals.filter { $0.files.contains { $0.isSame(file) } }
        if let first = same.first { return notCopied(first, same, file, named) }
        let candidates = originals.flatMap { original in
            original.files.filter { $0.size == file.size }.map { (original, $0) }
        }
        // Programs installed by packages are what they are called, even if their content equals another's.
        guard !candidates.isEmpty, !Self.isInstalled(program),
            case .known(let digest) = self.digest(file, program.openPath)
        else { return nil }
        for (original, version) in candidates {
            guard case .known(digest) = self.digest(version, original.path) else { continue }
            if recognised.count >= Self.filesMax { recognised = [:] }
            recognised[file] = original.app
            return original.app
        }
        return nil
    }

    /// Handles the original file, which is recognised under its own name anyway. A window that claims another
    /// app is believed if that app is started by the same program (an app in a browser), or if several
    /// shielded apps are: nothing else distinguishes them.
    private func notCopied(
        _ first: Original, _ same: [Original], _ file: ProgramFile, _ named: AppEntry?
    ) -> String? {
        guard first.isNamed else { return nil }
        guard let named else { return first.app }
        let isItsOwn = named.programPath.flatMap { ProgramFile(path: $0) }?.isSame(file) ?? false
        let isShared = Set(same.filter(\.isNamed).map(\.app)).count > 1
        return isItsOwn || isShared ? nil : first.app
    }

    /// Hashes the next piece.
    /// - Returns: whether a file was finished, so that lookups may have new results.
    func work() -> Bool {
        guard let next = queue.first else { return false }
        return finish(next, next.step(bytesMax: Self.bytesAtOnce))
    }

    private func digest(_ file: ProgramFile, _ path: String) -> Digest {
        if let known = digests[file] { return known }
        if digests.count >= Self.filesMax { digests = [:] }
        guard let making = FileDigest(file, path: path) else {
            // The file was replaced, which says nothing about this one.
            guard ProgramFile(path: path) == file else { return .unreadable }
            digests[file] = .unreadable
            return .unreadable
        }
        digests[file] = .awaited
        queue.append(making)
        _ = finish(making, making.step(bytesMax: Self.bytesAtOnce))
        return digests[file] ?? .awaited
    }

    private func finish(_ digest: FileDigest, _ step: FileDigest.Step) -> Bool {
        switch step {
        case .more: return false
        case .done(let text): digests[digest.file] = .known(text)
        case .failed: digests[digest.file] = .unreadable
        }
        queue.removeAll { $0 === digest }
        return true
    }
}

extension ProgramMatcher {
    /// Programs that run other programs: a copy of one does not identify what it runs.
    private static let interpreters: Set<String> = AppEntry.launchers.union([
        "ksh", "fish", "busybox", "tclsh", "wish", "php", "guile", "lua", "luajit", "wine64", "deno", "bun",
        "love", "godot", "dosbox", "scummvm", "retroarch",
    ])

    static func isInterpreter(_ path: String) -> Bool {
        let real = ProcFile.realPath(path) ?? path
        let name = ProcessFacts.baseName(real)
        let stem = name.prefix { $0.isLetter }
        let isVersioned = name.dropFirst(stem.count).allSatisfy { $0.isNumber || $0 == "." || $0 == "-" }
        if interpreters.contains(name) || isVersioned && interpreters.contains(String(stem)) { return true }
        if ExecutableFormat.isLoader(real), name.includes(".so") { return true }
        // Electron and similar: the app is data beside the program.
        let resources = ProcessFacts.directory(real) + "/resources/"
        return ["app.asar", "app", "default_app.asar"].contains { access(resources + $0, F_OK) == 0 }
    }

    /// Directories of packages, writable only by root.
    private static let installedUnder = [
        "/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/", "/opt/", "/snap/", "/nix/store/", "/gnu/store/",
        "/var/lib/flatpak/",
    ]

    static func isInstalled(_ program: RunningProgram) -> Bool {
        guard installedUnder.contains(where: program.path.hasPrefix), !program.path.hasPrefix("/usr/local/")
        else { return false }
        var status = stat()
        guard stat(program.openPath, &status) == 0 else { return false }
        return status.st_uid == 0 && status.st_mode & (S_IWGRP | S_IWOTH) == 0
    }
}
