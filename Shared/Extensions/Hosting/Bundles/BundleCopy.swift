import Contract
internal import CPosix
internal import FileAccess
import Glibc

/// Reads all files of a bundle, computes their hash, and copies them.
///
/// The hash is SHA-256 over every entry, directories in the byte order of their names: its kind, its path in
/// the bundle followed by a zero, for a file its contents and their length, for a link its target.
struct BundleCopy {
    private let executable: EntryName
    private var hash = SHA256()
    private var bytes: Int64 = 0
    private var names = 0
    private var files = 0
    /// Up to this many files are synced one by one, which takes a few milliseconds each; otherwise the whole
    /// file system is synced, which takes as long as everything else that is to be written.
    private static let syncedEachMax = 500

    private init(_ executable: EntryName) { self.executable = executable }

    /// - Parameters:
    ///   - target: an empty directory; nil to copy nothing.
    ///   - executable: the program's file. If it is a link, its target is copied; other links stay links, and
    ///     lead a confined program nowhere beyond its confinement.
    /// - Returns: the hash, hexadecimal.
    /// - Throws: `invalidArgument` with what cannot be read or does not belong into a bundle;
    ///   `limitExceeded`.
    static func copy(
        _ source: OpenDirectory, to target: OpenDirectory?, executable: EntryName
    ) throws(ServiceError) -> String {
        var copy = BundleCopy(executable)
        try copy.add(source, to: target, path: [], depth: HostingLimits.treeDepthMax)
        if let target, copy.files > syncedEachMax, syncfs(target.directory.descriptor) != 0 {
            throw ServiceError(FileError("syncing", target.path))
        }
        return copy.hash.finish()
    }

    private mutating func add(
        _ source: OpenDirectory, to target: OpenDirectory?, path: [UInt8], depth: Int
    ) throws(ServiceError) {
        let entries = try reading { () throws(FileError) in
            try source.directory.entries(max: HostingLimits.bundleNamesMax + 1)
        }
        names += entries.count
        guard names <= HostingLimits.bundleNamesMax, depth > 0 else {
            throw ServiceError(
                .limitExceeded,
                "'\(source.path)' has more than \(HostingLimits.bundleNamesMax) files (bundleNamesMax), or more "
                    + "than \(HostingLimits.treeDepthMax) directories within each other (treeDepthMax)",
                remedy: "Leave out of the bundle what its program does not need.")
        }
        for name in entries.sorted() {
            let inner = path + (path.isEmpty ? [] : [UInt8(ascii: "/")]) + name.utf8
            switch try kind(of: name, in: source, isTop: path.isEmpty) {
            case .directory:
                hash.add([UInt8(ascii: "d")] + inner + [0])
                let made = try target.map { target throws(ServiceError) in try target.making(name) }
                let below = try reading { () throws(FileError) in try source.inner(name) }
                try add(below, to: made, path: inner, depth: depth - 1)
            case .file(let isFollowed):
                let file = try reading { () throws(FileError) in
                    try isFollowed
                        ? source.directory.followedFile(name) : source.directory.plainFile(name, O_RDONLY)
                }
                defer { close(file) }
                try add(file: file, name, to: target, path: inner)
            case .link:
                let leads = try reading { () throws(FileError) in try source.directory.linkTarget(name) }
                hash.add([UInt8(ascii: "l")] + inner + [0] + leads + [0])
                guard let target else { continue }
                try stored { () throws(FileError) in try target.directory.makeLink(name, to: leads) }
            }
        }
    }

    private enum Kind {
        case directory, link
        case file(isFollowed: Bool)
    }

    private func kind(of name: EntryName, in source: OpenDirectory, isTop: Bool) throws(ServiceError) -> Kind
    {
        let status = try reading { () throws(FileError) in try source.directory.status(name) }
        switch (status?.st_mode ?? 0) & S_IFMT {
        case S_IFDIR: return .directory
        case S_IFREG: return .file(isFollowed: false)
        case S_IFLNK: return isTop && name == executable ? .file(isFollowed: true) : .link
        default:
            throw ServiceError(
                .invalidArgument, "'\(source.path)/\(name.text)' is neither a file, a directory nor a link",
                remedy: "Take it out of the bundle.")
        }
    }

    private mutating func add(
        file: Int32, _ name: EntryName, to target: OpenDirectory?, path: [UInt8]
    ) throws(ServiceError) {
        var status = stat()
        let isProgram = fstat(file, &status) == 0 && status.st_mode & 0o111 != 0
        let copy = try target.map { target throws(ServiceError) in
            try stored { () throws(FileError) in
                try target.directory.plainFile(name, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            }
        }
        defer { if let copy { close(copy) } }
        hash.add([UInt8(ascii: isProgram ? "x" : "f")] + path + [0])
        try add(contents: file, name, copy)
        guard let copy else { return }
        files += 1
        // Readable also for another user who runs it; the state directory restricts access.
        guard fchmod(copy, isProgram ? 0o755 : 0o644) == 0,
            files > Self.syncedEachMax || fdatasync(copy) == 0
        else {
            throw ServiceError(FileError("writing", name.text))
        }
    }

    private mutating func add(contents file: Int32, _ name: EntryName, _ copy: Int32?) throws(ServiceError) {
        var length: Int64 = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.unreadable(FileError("reading", name.text)) }
            if count == 0 { break }
            length += Int64(count)
            bytes += Int64(count)
            guard bytes <= HostingLimits.bundleBytesMax else {
                throw ServiceError(
                    .limitExceeded,
                    "the bundle has more than \(HostingLimits.bundleBytesMax) bytes (bundleBytesMax)",
                    remedy: "Leave out of it what its program does not need, such as debug information.")
            }
            hash.add(buffer[..<count])
            if let copy { try Self.write(buffer[..<count], copy) }
        }
        hash.add(Array("\(length)\0".utf8))
    }

    private static func write(_ bytes: ArraySlice<UInt8>, _ file: Int32) throws(ServiceError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ServiceError(FileError("writing", "the copy of a bundle")) }
            rest = rest.dropFirst(count)
        }
    }

    private func reading<Result: ~Copyable>(
        _ body: () throws(FileError) -> Result
    ) throws(ServiceError) -> Result {
        do throws(FileError) { return try body() } catch { throw Self.unreadable(error) }
    }

    private static func unreadable(_ error: FileError) -> ServiceError {
        ServiceError(
            error.code == ENOENT ? .notFound : .invalidArgument, error.message,
            remedy: "Correct the bundle, and install it again.")
    }
}
