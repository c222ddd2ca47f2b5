package import Contract
internal import FileAccess
import Glibc

/// Copies the files of an app group: regular files and directories, without links, lock files and files that
/// are only partially written. Programs may change all of it meanwhile, and cannot redirect the copy.
///
/// The sum is SHA-256 over every entry, directories in the byte order of their names: its kind, its path in
/// the group followed by a zero, and for a file the hash of its contents and their length.
package struct GroupCopy {
    /// What was copied, or would have been.
    package struct Contents: Equatable, Sendable {
        /// Number of files.
        package var files: Int64 = 0
        /// Bytes of all files.
        package var bytes: Int64 = 0
        /// Hexadecimal.
        package var sum = ""
    }

    /// How often a file is read again that is written meanwhile.
    private static let triesMax = 5
    /// Endings of lock files of preferences, and of their replacements that are not complete.
    private static let passing = [".plist.lock", ".plist.new"]

    private var contents = Contents()
    private var hash = SHA256()
    private var names: Int64 = 0
    private let group: String

    private init(_ group: String) { self.group = group }

    /// The groups of built-in apps in a directory that has one directory per group; empty if it does not
    /// exist.
    package static func ofSystem(in parent: String) throws(ServiceError) -> [String] {
        do throws(FileError) {
            let groups = try Directory(path: parent)
            var names: [String] = []
            for entry in try groups.entries() where EntryName(entry.text) == entry {
                // A file is no group, and a link would lead elsewhere.
                let kind = try groups.status(entry).map { $0.st_mode & S_IFMT } ?? S_IFREG
                if kind != S_IFREG, BuiltInClient.owns(group: entry.text) { names.append(entry.text) }
            }
            return names.sorted()
        } catch {
            if error.code == ENOENT { return [] }
            throw cannot(error, parent)
        }
    }

    /// - Parameters:
    ///   - parent: the directory that contains the group's.
    ///   - target: the directory to create the copy in, which must not contain it; nil to copy nothing.
    /// - Throws: `limitExceeded`, `storageFull` or `storageFailed`, with the path and what to do.
    package static func copy(
        _ group: String, from parent: String, to target: String?
    ) throws(ServiceError) -> Contents {
        let name = try HostFiles.entry(group)
        let source = try open(parent, name)
        let made = try target.map { target throws(ServiceError) in
            try doing("\(target)/\(group)") { () throws(FileError) in
                OpenDirectory(path: "\(target)/\(group)", try Directory(path: target).making(name))
            }
        }
        var copy = GroupCopy(group)
        if let source { try copy.add(source, to: made, path: [], depth: HostingLimits.treeDepthMax) }
        copy.contents.sum = copy.hash.finish()
        return copy.contents
    }

    /// Nil if there is none.
    private static func open(_ parent: String, _ name: EntryName) throws(ServiceError) -> OpenDirectory? {
        let path = "\(parent)/\(name.text)"
        do throws(FileError) {
            return OpenDirectory(path: path, try Directory(path: parent).directory(name))
        } catch {
            if error.code == ENOENT { return nil }
            throw cannot(error, path)
        }
    }

    // MARK: directories

    private mutating func add(
        _ source: OpenDirectory, to target: OpenDirectory?, path: [UInt8], depth: Int
    ) throws(ServiceError) {
        let entries = try Self.doing(source.path) { () throws(FileError) in
            try source.directory.entries(max: Int(HostingLimits.namesMax) + 1)
        }
        names += Int64(entries.count)
        guard names <= HostingLimits.namesMax, depth > 0 else {
            throw tooMuch(
                "\(HostingLimits.namesMax) files and directories (namesMax), or \(HostingLimits.treeDepthMax) "
                    + "directories within each other (treeDepthMax)")
        }
        for name in entries.sorted() where !Self.passing.contains(where: name.text.hasSuffix) {
            let status = try Self.present(source.path) { () throws(FileError) in
                try source.directory.status(name)
            }
            let inner = path + (path.isEmpty ? [] : [UInt8(ascii: "/")]) + name.utf8
            switch (status??.st_mode ?? 0) & S_IFMT {
            case S_IFDIR: try add(below: name, source, to: target, path: inner, depth: depth)
            case S_IFREG: try add(file: name, source, to: target, path: inner)
            default: break
            }
        }
        guard let target else { return }
        try Self.doing(target.path) { () throws(FileError) in
            guard fsync(target.directory.descriptor) == 0 else { throw FileError("syncing", target.path) }
        }
    }

    private mutating func add(
        below name: EntryName, _ source: OpenDirectory, to target: OpenDirectory?, path: [UInt8], depth: Int
    ) throws(ServiceError) {
        let opened = try Self.present("\(source.path)/\(name.text)") { () throws(FileError) in
            try source.inner(name)
        }
        guard let opened else { return }
        hash.add([UInt8(ascii: "d")] + path + [0])
        let made = try target.map { target throws(ServiceError) in
            try Self.doing(target.path) { () throws(FileError) in
                OpenDirectory(
                    path: "\(target.path)/\(name.text)", try target.directory.making(name, mode: 0o700))
            }
        }
        try add(opened, to: made, path: path, depth: depth - 1)
    }

    // MARK: files

    private mutating func add(
        file name: EntryName, _ source: OpenDirectory, to target: OpenDirectory?, path: [UInt8]
    ) throws(ServiceError) {
        let place = "\(source.path)/\(name.text)"
        for _ in 0..<Self.triesMax {
            // Opened by name each time, because preferences are replaced, not changed.
            let file = try Self.present(place) { () throws(FileError) in
                try source.directory.plainFile(name, O_RDONLY)
            }
            guard let file else { return }
            defer { close(file) }
            let copy = try target.map { target throws(ServiceError) in
                try Self.doing("\(target.path)/\(name.text)") { () throws(FileError) in
                    try target.directory.plainFile(name, O_WRONLY | O_CREAT | O_TRUNC)
                }
            }
            defer { if let copy { close(copy) } }
            let before = Self.stamp(file)
            try checkRoom(for: before.last ?? 0)
            let (sum, length) = try read(file, place, to: copy)
            guard before == Self.stamp(file), before.last == length else { continue }
            hash.add([UInt8(ascii: "f")] + path + Array("\0\(sum)\0\(length)\0".utf8))
            contents.files += 1
            contents.bytes += length
            return
        }
        throw ServiceError(
            .storageFailed, "'\(place)' is written continuously, so no complete copy could be made",
            remedy: "End the app that writes to it, and try again.")
    }

    /// Values that differ after the file was written to. The time of change is not among them, because it
    /// also differs when the file is unlinked.
    private static func stamp(_ file: Int32) -> [Int64] {
        var status = stat()
        guard fstat(file, &status) == 0 else { return [] }
        return [Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec), Int64(status.st_size)]
    }

    private func read(
        _ file: Int32, _ place: String, to copy: Int32?
    ) throws(ServiceError) -> (sum: String, length: Int64) {
        var hash = SHA256()
        var length: Int64 = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.cannot(FileError("reading", place), place) }
            if count == 0 { break }
            length += Int64(count)
            try checkRoom(for: length)
            hash.add(buffer[..<count])
            if let copy { try Self.write(buffer[..<count], copy, place) }
        }
        if let copy, fdatasync(copy) != 0 {
            throw Self.cannot(FileError("writing the copy of", place), place)
        }
        return (hash.finish(), length)
    }

    private func checkRoom(for length: Int64) throws(ServiceError) {
        guard contents.bytes + length > HostingLimits.groupBytesMax else { return }
        throw tooMuch("\(HostingLimits.groupBytesMax) bytes (groupBytesMax)")
    }

    private static func write(
        _ bytes: ArraySlice<UInt8>, _ copy: Int32, _ place: String
    ) throws(ServiceError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(copy, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw cannot(FileError("writing the copy of", place), place) }
            rest = rest.dropFirst(count)
        }
    }

    // MARK: errors

    private func tooMuch(_ what: String) -> ServiceError {
        ServiceError(
            .limitExceeded, "the app group '\(group)' has more than \(what)", remedy: "Remove files there.")
    }

    private static func cannot(_ error: FileError, _ path: String) -> ServiceError {
        ServiceError(
            error.code == ENOSPC || error.code == EDQUOT ? .storageFull : .storageFailed,
            "copying '\(path)' failed: \(error.message)",
            remedy: "Check the space and the permissions there, then try again.")
    }

    private static func doing<Result: ~Copyable>(
        _ path: String, _ body: () throws(FileError) -> Result
    ) throws(ServiceError) -> Result {
        do throws(FileError) { return try body() } catch { throw cannot(error, path) }
    }

    /// Nil if it was replaced or removed meanwhile.
    private static func present<Result>(
        _ path: String, _ body: () throws(FileError) -> Result
    ) throws(ServiceError) -> Result? {
        do throws(FileError) { return try body() } catch {
            if [ENOENT, ENOTDIR, ELOOP, EINVAL, ENXIO].contains(error.code) { return nil }
            throw cannot(error, path)
        }
    }
}
