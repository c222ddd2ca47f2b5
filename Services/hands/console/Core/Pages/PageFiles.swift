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

    /// A kept answer, and the files it was made of, as they were when they were read.
    private struct Kept {
        let files: [File]
        let packed: Packed
    }

    private struct File {
        /// The components of its path.
        let parts: [String]
        let state: FileState
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
        if let kept = kept[path], areUnchanged(kept.files) { return kept.packed }
        let (bytes, file) = try read(parts)
        var kept = Kept(files: [file], packed: Packed(bytes, isText: kind.isText))
        if path.hasSuffix(".css"), let names = StyleSheet.imports(bytes) {
            // The browser then reads the imports itself, and names what is missing; not kept, since that may
            // be there at the next request.
            guard let joined = try? joined(names, of: file) else { return kept.packed }
            kept = joined
        }
        keep(path, kept)
        return kept.packed
    }

    /// What a style sheet imports, in one answer.
    /// - Throws: if one cannot be read, or imports others, or they are too large together.
    private func joined(_ names: [String], of sheet: File) throws(FileError) -> Kept {
        var all: [UInt8] = []
        var files = [sheet]
        for name in names {
            let (bytes, file) = try read(Array(sheet.parts.dropLast()) + [name])
            all += bytes + [UInt8(ascii: "\n")]
            files.append(file)
            guard !StyleSheet.mayImport(bytes), all.count <= ConsoleLimits.fileBytesMax else {
                throw FileError("'\(name)' cannot be joined with other style sheets", code: EINVAL)
            }
        }
        return Kept(files: files, packed: Packed(all, isText: true))
    }

    /// What cannot be looked at any more has changed, too.
    private func areUnchanged(_ files: [File]) -> Bool {
        do throws(FileError) {
            for file in files where try state(of: file.parts) != file.state { return false }
            return true
        } catch { return false }
    }

    private func state(of parts: [String]) throws(FileError) -> FileState {
        let descriptor = try Self.open(parts, in: root)
        defer { close(descriptor) }
        return try FileState(descriptor, parts.joined(separator: "/"))
    }

    private func read(_ parts: [String]) throws(FileError) -> ([UInt8], File) {
        let path = parts.joined(separator: "/")
        let descriptor = try Self.open(parts, in: root)
        defer { close(descriptor) }
        let state = try FileState(descriptor, path)
        return (try FileState.read(descriptor, state, path), File(parts: parts, state: state))
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
