import Bus
package import Contract
internal import FileAccess
import Glibc
package import ServiceKit
import Synchronization

/// The copies of installed bundles, which are what is run: `<state>/bundles/<id>/<hash>/<name of the
/// directory>`. A copy is never changed; what is installed again is another one.
package final class BundleStore: Sendable {
    private let root: String
    private let stateDirectory: String
    /// Copies that are as they were installed, each with what the kernel says of its files.
    private let known = Mutex<[String: String]>([:])
    /// Who installs the same at the same time finds a whole copy, or none.
    private let placing = Mutex(())

    package init(_ configuration: Configuration) throws(ServiceError) {
        stateDirectory = configuration.stateDirectory
        root = stateDirectory + "/bundles"
        for path in [new, removed] { try makeDirectories(path, mode: 0o755) }
    }

    // No extension's id begins with a dot.
    private var new: String { root + "/.new" }
    private var removed: String { root + "/.removed" }

    /// Where the bundles are that come with the system, and that are no copies.
    package static func builtIn(_ id: String, in stateDirectory: String) -> String {
        "\(stateDirectory)/bundles/\(id)/built-in"
    }

    // MARK: a copy

    /// A copy that has no place yet.
    package struct Staged: Sendable {
        let name: EntryName
        let directory: String
        package let path: String
        package let hash: String
    }

    /// Copies a bundle. This takes long: it is not for the thread of the sockets.
    /// - Parameters:
    ///   - path: absolute; a link at its end is followed.
    ///   - executable: the name of the program's file.
    /// - Throws: `invalidArgument` or `notFound` naming what is wrong with the bundle; `limitExceeded`.
    package func stage(_ path: String, executable: String) throws(ServiceError) -> Staged {
        let directory = path.split(separator: "/").last.map(String.init) ?? ""
        let (program, name) = (try HostFiles.entry(executable), try HostFiles.entry(directory))
        let staged = try stored { () throws(FileError) in
            try Directory(path: new).makeFresh(mode: 0o755)
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

    /// Gives a copy its place. Takes long, too.
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
                // The copy that is there is the same, unless somebody changed it. One that cannot be read
                // was changed, too.
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

    /// Whatever else has its name goes.
    private func making(_ hash: EntryName, in own: borrowing Directory) throws(FileError) -> Directory {
        do throws(FileError) { return try own.making(hash, mode: 0o755) } catch {
            guard [ENOTDIR, ELOOP].contains(error.code) else { throw error }
            _ = try Directory(path: removed).moveAside(hash, from: own)
            return try own.making(hash, mode: 0o755)
        }
    }

    /// - Returns: false: there is one of this name already.
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

    package func discard(_ staged: Staged) throws(ServiceError) { try discard(staged.name) }

    private func discard(_ staged: EntryName) throws(ServiceError) {
        try stored { () throws(FileError) in try Directory(path: new).removeTree(staged) }
    }

    /// Keeps the copy that a process is about to run from; nil: it is no copy.
    static func lock(_ program: ExtensionRecord) throws(ServiceError) -> OpenDirectory? {
        guard program.hash != nil, let end = program.path.lastIndex(of: "/") else { return nil }
        let path = String(program.path[..<end])
        return try stored { () throws(FileError) in
            let directory = try Directory(path: path)
            // Nobody else locks it but to see whether it is in use.
            _ = try directory.lock(.shared)
            return OpenDirectory(path: path, directory)
        }
    }

    // MARK: as it was installed

    /// Whether the copy is known to be as it was installed. What comes with the system is no copy.
    package func isKnown(_ program: ExtensionRecord) -> Bool {
        guard program.hash != nil else { return program.source == nil }
        // What cannot be read is not known; who starts it hears why.
        guard let stamp = try? stamp(program.path) else { return false }
        return known.withLock { $0[program.path] } == stamp
    }

    /// Whether what an extension runs from is there at all.
    /// - Throws: `notFound` with the path and why.
    package func find(_ program: ExtensionRecord) throws(ServiceError) {
        guard access(program.executable, F_OK) != 0 else { return }
        throw ServiceError(
            .notFound, "'\(program.executable)' is not there: \(String(cString: strerror(errno)))",
            remedy: "Install the extension again, or remove it.")
    }

    /// Reads the whole copy. This takes long: it is not for the thread of the sockets.
    /// - Throws: `storageDamaged` when it is not what was installed.
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
                .notFound, "the installed copy '\(path)' is not there any more: \(error.message)",
                remedy: "Install the extension again, or remove it.")
        }
    }

    /// What the kernel says of every file: who changes one changes this, too.
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

    /// Takes copies out of the way that no installed extension has, no store that a restore kept aside needs
    /// and no process runs from; ``empty()`` deletes them. Only while nothing is being installed.
    /// - Parameter paths: of the copies that stay.
    /// - Returns: whether none is left for another time.
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

    /// The copies of the same contents under names that nobody has; nil: nobody has any of them.
    private static func others(
        in hash: EntryName, of own: borrowing Directory, but kept: Set<String>, _ place: String
    ) throws(FileError) -> [EntryName]? {
        guard kept.contains(where: { $0.hasPrefix(place + "/") }) else { return nil }
        return try own.directory(hash).entries().filter { !kept.contains("\(place)/\($0.text)") }
    }

    /// Deletes what was set aside. This takes long: it is not for the thread of the sockets.
    func empty() throws(ServiceError) {
        try stored { () throws(FileError) in _ = try HostFiles.empty(try Directory(path: removed)) }
    }
}

/// A bundle that was copied, read from its copy.
package struct CopiedBundle: Sendable {
    package let bundle: ExtensionBundle
    let source: String
    let hash: String

    /// Its row before anything ran.
    package func record(client: String) -> ExtensionRecord {
        var record = bundle.record(client: client)
        record.source = source
        record.hash = hash
        return record
    }
}

extension BundleStore {
    /// Copies a bundle, and reads the copy: what was read before may have been changed since.
    package func take(
        _ written: ExtensionBundle, client: String?
    ) async throws(ServiceError) -> CopiedBundle {
        try await inBackground { [self] () throws(ServiceError) in
            let program = written.executableName
            let staged = try stage(written.path, executable: program)
            do throws(ServiceError) {
                let read = try ExtensionBundle(path: staged.path, client: client)
                // Another program would be a link of the copy, which nobody compares with anything.
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
