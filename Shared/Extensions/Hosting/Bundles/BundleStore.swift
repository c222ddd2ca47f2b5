import Bus
package import Contract
internal import FileAccess
import Glibc
package import Loop
package import ServiceKit
import Synchronization

/// The copies of installed bundles, from which programs run: `<state>/bundles/<id>/<hash>/<name of the
/// directory>`. A copy is never changed; reinstalling creates another one.
package final class BundleStore: Sendable {
    private let root: String
    private let stateDirectory: String
    /// Copies that are verified to be as installed, each with the kernel's metadata of its files.
    private let known = Mutex<[String: String]>([:])
    /// Concurrent installations of the same bundle find a complete copy or none.
    private let placing = Mutex(())

    package init(_ configuration: Configuration) throws(ServiceError) {
        stateDirectory = configuration.stateDirectory
        root = stateDirectory + "/bundles"
        for path in [new, removed] { try makeDirectories(path, mode: 0o755) }
    }

    // Cannot collide: no extension's id begins with a dot.
    private var new: String { root + "/.new" }
    private var removed: String { root + "/.removed" }

    /// Path of a built-in bundle, which is not a copy.
    package static func builtIn(_ id: String, in stateDirectory: String) -> String {
        "\(stateDirectory)/bundles/\(id)/built-in"
    }

    // MARK: a copy

    /// A copy that is not in its final place yet.
    package struct Staged: Sendable {
        let name: EntryName
        let directory: String
        /// Path of the copy.
        package let path: String
        /// Its hash, hexadecimal, see ``BundleCopy``.
        package let hash: String
    }

    /// Copies a bundle. This is slow: do not call it on the loop's thread.
    /// - Parameters:
    ///   - path: absolute; a link at its end is followed.
    ///   - executable: the name of the program's file.
    /// - Throws: `invalidArgument` or `notFound` with what is wrong with the bundle; `limitExceeded`.
    package func stage(_ path: String, executable: String) throws(ServiceError) -> Staged {
        let directory = path.split(separator: "/").last.map(String.init) ?? ""
        let (program, name) = (try HostFiles.entry(executable), try HostFiles.entry(directory))
        let staged = try stored { () throws(FileError) in
            try Directory(path: new).makeUniqueDirectory(mode: 0o755)
        }
        let place = "\(new)/\(staged.text)"
        do throws(ServiceError) {
            let source = try stored { () throws(FileError) in
                OpenDirectory(path: path, try Directory(path: realPath(path) ?? path))
            }
            let holder = try stored { () throws(FileError) in
                OpenDirectory(path: place, try Directory(path: new).directory(staged))
            }
            let hash = try BundleCopy.copy(source, to: try holder.making(name), executable: program)
            return Staged(name: staged, directory: directory, path: "\(place)/\(directory)", hash: hash)
        } catch {
            try discard(staged)
            throw error
        }
    }

    /// Moves a copy to its final place. Slow, too.
    /// - Returns: its path.
    package func place(_ staged: Staged, id: String, executable: String) throws(ServiceError) -> String {
        let (entry, hash) = (try HostFiles.entry(id), try HostFiles.entry(staged.hash))
        let name = try HostFiles.entry(staged.directory)
        let path = "\(root)/\(id)/\(staged.hash)/\(staged.directory)"
        let own = try stored { () throws(FileError) in
            let own = try Directory(path: root).making(entry, mode: 0o755)
            return OpenDirectory(path: "\(root)/\(id)/\(staged.hash)", try making(hash, in: own))
        }
        try placing.withLock { _ throws(ServiceError) in
            while try !settle(name, of: staged.name, in: own) {
                // The existing copy is the same, unless somebody changed it. A copy that cannot be read was
                // changed, too.
                if (try? self.hash(of: path, executable: executable)) == staged.hash { break }
                try stored { () throws(FileError) in
                    _ = try Directory(path: removed).moveAside(name, from: own.directory)
                }
            }
        }
        try discard(staged)
        let stamp = try stamp(path)
        known.withLock { $0[path] = stamp }
        return path
    }

    /// Anything else with this name is removed.
    private func making(_ hash: EntryName, in own: borrowing Directory) throws(FileError) -> Directory {
        do throws(FileError) { return try own.making(hash, mode: 0o755) } catch {
            guard [ENOTDIR, ELOOP].contains(error.code) else { throw error }
            _ = try Directory(path: removed).moveAside(hash, from: own)
            return try own.making(hash, mode: 0o755)
        }
    }

    /// - Returns: false if there is one of this name already.
    private func settle(
        _ name: EntryName, of staged: EntryName, in own: OpenDirectory
    ) throws(ServiceError) -> Bool {
        try stored { () throws(FileError) in
            do throws(FileError) {
                try Directory(path: new).directory(staged).rename(name, to: name, in: own.directory)
                return true
            } catch {
                guard error.code == EEXIST else { throw error }
                return false
            }
        }
    }

    /// Deletes a copy that is not installed.
    package func discard(_ staged: Staged) throws(ServiceError) { try discard(staged.name) }

    private func discard(_ staged: EntryName) throws(ServiceError) {
        try stored { () throws(FileError) in try Directory(path: new).removeTree(staged) }
    }

    /// Locks the copy that a process is about to run from; nil if it is not a copy.
    static func lock(_ program: ExtensionRecord) throws(ServiceError) -> OpenDirectory? {
        guard program.hash != nil, let end = program.path.lastIndex(of: "/") else { return nil }
        let path = String(program.path[..<end])
        return try stored { () throws(FileError) in
            let directory = try Directory(path: path)
            // Other locks only test whether it is in use.
            _ = try directory.lock(.shared)
            return OpenDirectory(path: path, directory)
        }
    }

    // MARK: as it was installed

    /// Whether the copy is verified to be as installed. A built-in bundle is not a copy.
    package func isKnown(_ program: ExtensionRecord) -> Bool {
        guard program.hash != nil else { return program.source == nil }
        // An unreadable copy is not verified; starting it reports why.
        guard let stamp = try? stamp(program.path) else { return false }
        return known.withLock { $0[program.path] } == stamp
    }

    /// Checks that the copy an extension runs from exists.
    /// - Throws: `notFound` with the path and the reason.
    package func find(_ program: ExtensionRecord) throws(ServiceError) {
        guard access(program.executable, F_OK) != 0 else { return }
        throw ServiceError(
            .notFound, "'\(program.executable)' cannot be opened: \(String(cString: strerror(errno)))",
            remedy: "Install the extension again, or remove it.")
    }

    /// Reads the whole copy. This is slow: do not call it on the loop's thread.
    /// - Throws: `storageDamaged` if it is not what was installed.
    package func verify(_ program: ExtensionRecord) throws(ServiceError) {
        guard let installed = program.hash else { return }
        let stamp = try stamp(program.path)
        let name = program.executable.split(separator: "/").last.map(String.init) ?? ""
        let present = try hash(of: program.path, executable: name)
        guard present == installed else {
            throw ServiceError(
                .storageDamaged,
                "the installed copy of '\(program.id)' was changed: its hash is \(present), and was \(installed)",
                remedy: "Install it again from '\(program.source ?? program.path)'.")
        }
        known.withLock { $0[program.path] = stamp }
    }

    private func hash(of path: String, executable: String) throws(ServiceError) -> String {
        try BundleCopy.copy(try open(path), to: nil, executable: try HostFiles.entry(executable))
    }

    private func open(_ path: String) throws(ServiceError) -> OpenDirectory {
        do throws(FileError) { return OpenDirectory(path: path, try Directory(path: path)) } catch {
            throw ServiceError(
                .notFound, "the installed copy '\(path)' cannot be opened: \(error.message)",
                remedy: "Install the extension again, or remove it.")
        }
    }

    /// The kernel's metadata of every file; changing a file changes it.
    private func stamp(_ path: String) throws(ServiceError) -> String {
        var lines: [String] = []
        var waiting = [try open(path)]
        while let place = waiting.popLast() {
            try stored { () throws(FileError) in
                for name in try place.directory.entries().sorted() {
                    guard let status = try place.directory.status(name) else { continue }
                    let change = status.st_ctim
                    lines.append(
                        "\(place.path)/\(name.text) \(status.st_ino) \(status.st_mode) \(status.st_size) "
                            + "\(change.tv_sec).\(change.tv_nsec)")
                    if status.st_mode & S_IFMT == S_IFDIR { waiting.append(try place.inner(name)) }
                }
            }
        }
        return lines.joined(separator: "\n")
    }

    // MARK: the end of copies

    /// Moves copies aside that no installed extension uses, no replaced store needs and no process runs from;
    /// ``empty()`` deletes them. Do not call it while something is being installed.
    /// - Parameter paths: the copies to keep.
    /// - Returns: whether no copy remains for a later call.
    func setAside(allBut paths: Set<String>) throws(ServiceError) -> Bool {
        let kept = Set(paths.map { $0.split(separator: "/").suffix(3).joined(separator: "/") })
        return try stored { () throws(FileError) in
            let all = try Directory(path: root)
            let removed = try Directory(path: removed)
            let needed = try ReplacedCopies(stateDirectory: stateDirectory).kept()
            var isDone = true
            for id in try all.entries() where !id.text.hasPrefix(".") {
                let own = try all.directory(id)
                for hash in try own.entries() where hash.text != "built-in" {
                    let place = "\(id.text)/\(hash.text)"
                    if needed.contains(place) { continue }
                    let others = try Self.others(in: hash, of: own, but: kept, place)
                    if others?.isEmpty == true { continue }
                    if HostFiles.isInUse(hash, in: own) {
                        isDone = false
                    } else if let others {
                        let copies = try own.directory(hash)
                        for name in others { _ = try removed.moveAside(name, from: copies) }
                    } else {
                        _ = try removed.moveAside(hash, from: own)
                    }
                }
                try all.removeIfEmpty(id)
            }
            let new = try Directory(path: new)
            for name in try new.entries() { _ = try removed.moveAside(name, from: new) }
            return isDone
        }
    }

    /// Copies with the same contents under unused names; nil if all are unused.
    private static func others(
        in hash: EntryName, of own: borrowing Directory, but kept: Set<String>, _ place: String
    ) throws(FileError) -> [EntryName]? {
        guard kept.contains(where: { $0.hasPrefix(place + "/") }) else { return nil }
        return try own.directory(hash).entries().filter { !kept.contains("\(place)/\($0.text)") }
    }

    /// Deletes what was moved aside. This is slow: do not call it on the loop's thread.
    func empty() throws(ServiceError) {
        try stored { () throws(FileError) in _ = try HostFiles.empty(try Directory(path: removed)) }
    }
}

/// A bundle that was copied, read from its copy.
package struct CopiedBundle: Sendable {
    /// The copy's content.
    package let bundle: ExtensionBundle
    let source: String
    let hash: String

    /// Its record before it ever ran.
    package func record(client: String) -> ExtensionRecord {
        var record = bundle.record(client: client)
        record.source = source
        record.hash = hash
        return record
    }
}

extension BundleStore {
    /// Copies a bundle on another thread than the loop's, and reads the copy, because the original may
    /// change.
    package func copy(
        _ written: ExtensionBundle, client: String?, besides loop: EventLoop
    ) async throws(ServiceError) -> CopiedBundle {
        try await loop.inBackground { [self] () throws(ServiceError) in
            let program = written.executableName
            let staged = try stage(written.path, executable: program)
            do throws(ServiceError) {
                let read = try ExtensionBundle(path: staged.path, client: client)
                // Another program would be a link in the copy, which is not verified.
                guard read.id == written.id, read.executableName == program else {
                    throw ServiceError(
                        .conflict, "'\(written.path)' was changed while it was copied",
                        remedy: "Install it again.")
                }
            } catch {
                try discard(staged)
                throw error
            }
            let path = try place(staged, id: written.id, executable: program)
            return CopiedBundle(
                bundle: try ExtensionBundle(path: path, client: client), source: written.path,
                hash: staged.hash)
        }
    }
}
