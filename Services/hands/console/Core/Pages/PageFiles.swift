package import Contract
internal import FileAccess
import Glibc
package import Loop

/// The files of the pages: everything that a browser loads from here and that is not an answer of a service.
///
/// A file is read again when it has changed, so that whoever writes pages sees them at once.
@LoopActor package final class PageFiles {
    /// Paths at which the page itself is; which of them is shown is the page's matter.
    package static let pages: Set<String> = [
        "/", "/today", "/reports", "/downtime", "/limits", "/requests", "/apps", "/habits", "/worklog",
        "/encouragement", "/bus", "/welcome", "/sign-in",
    ]
    private static let folders: Set<String> = ["app", "style", "locales", "icons", "vendor"]
    private static let single: Set<String> = ["favicon.ico", "favicon.svg", "manifest.webmanifest"]

    /// What was answered: of which files, the first of which is the one asked for, and how they were then.
    private struct Kept {
        let files: [[String]]
        let states: [FileState]
        let packed: Packed
    }

    private let root: Directory
    private var kept: [String: Kept] = [:]
    private var keptBytes = 0

    /// - Parameter path: the directory of the pages, which has `index.html`.
    /// - Throws: `unavailable` if it cannot be read.
    package init(path: String) throws(ServiceError) {
        do throws(FileError) {
            root = try Directory(path: path)
            _ = try Self.open(["index.html"], in: root)
        } catch {
            throw ServiceError(
                .unavailable, "the pages of the console cannot be read: \(error.message)",
                remedy: "Install them (scripts/install.sh), or set SCREENTIME_CONSOLE_WEB to their directory."
            )
        }
    }

    /// - Returns: nil if there is nothing at the request's path.
    func answer(_ request: HTTPRequest) -> HTTPResponse? {
        let path = Self.pages.contains(request.path) ? "/index.html" : request.path
        guard let parts = Self.parts(path), let name = parts.last, let kind = MediaType.of(name) else {
            return nil
        }
        // What was removed or cannot be read is not there.
        guard let packed = try? packed(path, parts, kind) else { return nil }
        return HTTPResponse(packed, type: kind.name, caching: "no-cache", to: request)
    }

    /// The page that somebody meant who typed an address by hand: `/Today/` is `/today`, and any other name
    /// is `/`. Nil for what no browser opens as a page, and for paths of several components.
    static func page(near request: HTTPRequest) -> String? {
        guard request.method == "GET", request.fields["accept"]?.includes("text/html") == true else {
            return nil
        }
        let names = request.path.split(separator: "/")
        guard names.count == 1, let name = names.first else { return nil }
        let page = "/" + name.lowercased()
        return pages.contains(page) ? page : "/"
    }

    /// The components of a path that may be served; nil for any other path.
    static func parts(_ path: String) -> [String]? {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= ConsoleLimits.depthMax, parts.allSatisfy(isPlain), let first = parts.first
        else { return nil }
        guard parts.count > 1 else { return first == "index.html" || single.contains(first) ? parts : nil }
        return folders.contains(first) ? parts : nil
    }

    /// Letters, digits, `-`, `_` and `.`, but not first.
    nonisolated static func isPlain(_ part: String) -> Bool {
        guard !part.isEmpty, part.utf8.count <= ConsoleLimits.nameBytesMax,
            part.utf8.first != UInt8(ascii: ".")
        else { return false }
        return part.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    private func packed(_ path: String, _ parts: [String], _ kind: MediaType.Kind) throws(FileError) -> Packed
    {
        // What was removed meanwhile is read again, and so found missing where it is still wanted.
        if let kept = kept[path], (try? states(of: kept.files)) == kept.states { return kept.packed }
        let (own, state) = try read(parts)
        var (bytes, files, states) = (own, [parts], [state])
        if kind.isStyleSheet {
            let sheet = StyleSheet(own)
            bytes = []
            for name in sheet.imports {
                files.append(Array(parts.dropLast()) + [name])
                let (imported, state) = try read(files[files.count - 1])
                states.append(state)
                bytes += imported
            }
            bytes += sheet.rules
        }
        let packed = Packed(bytes, isText: kind.isText)
        keep(path, Kept(files: files, states: states, packed: packed))
        return packed
    }

    private func states(of files: [[String]]) throws(FileError) -> [FileState] {
        var states: [FileState] = []
        for parts in files {
            let descriptor = try Self.open(parts, in: root)
            defer { close(descriptor) }
            states.append(try FileState(descriptor, parts.joined(separator: "/")))
        }
        return states
    }

    private func read(_ parts: [String]) throws(FileError) -> ([UInt8], FileState) {
        let path = parts.joined(separator: "/")
        let descriptor = try Self.open(parts, in: root)
        defer { close(descriptor) }
        let state = try FileState(descriptor, path)
        return (try FileState.read(descriptor, state, path), state)
    }

    private func keep(_ path: String, _ new: Kept) {
        if let old = kept[path] { keptBytes -= Self.bytes(old.packed) }
        if keptBytes + Self.bytes(new.packed) > ConsoleLimits.filesBytesMax { (kept, keptBytes) = ([:], 0) }
        kept[path] = new
        keptBytes += Self.bytes(new.packed)
    }

    private static func bytes(_ packed: Packed) -> Int { packed.bytes.count + (packed.zipped?.count ?? 0) }

    /// Follows no link, at any depth.
    /// - Returns: a descriptor that the caller owns.
    private static func open(_ parts: [String], in root: borrowing Directory) throws(FileError) -> Int32 {
        guard let first = parts.first, let name = EntryName(first) else {
            throw FileError("a path without a name", code: ENOENT)
        }
        guard parts.count > 1 else { return try root.plainFile(name, O_RDONLY) }
        return try open(Array(parts.dropFirst()), in: root.directory(name))
    }
}

/// By which a change of a file is noticed.
struct FileState: Equatable {
    let inode: UInt64
    let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    /// - Throws: also if it has more than ``ConsoleLimits/fileBytesMax`` bytes.
    init(_ descriptor: Int32, _ path: String, max: Int = ConsoleLimits.fileBytesMax) throws(FileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError("reading about", path) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= max else {
            throw FileError("'\(path)' is no file of at most \(max) bytes", code: EFBIG)
        }
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }

    /// The file's bytes, at most as many as it had.
    static func read(_ descriptor: Int32, _ state: FileState, _ path: String) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: state.size)
        var count = 0
        while count < bytes.count {
            let read = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count, off_t(count))
            }
            guard read >= 0 else { throw FileError("reading", path) }
            if read == 0 { break }
            count += read
        }
        return Array(bytes.prefix(count))
    }
}
