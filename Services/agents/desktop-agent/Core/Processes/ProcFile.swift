import Glibc

/// Reads small text files of `/proc` and the cgroup tree. Each read is one open, read and close. A file that
/// is missing or not readable is nil, because processes exit at any time.
enum ProcFile {
    /// Largest read in bytes; a longer file is truncated.
    static let bytesMax = 64 * 1024

    /// The bytes of the file at `path`, at most `limit`.
    static func bytes(_ path: String, limit: Int = bytesMax) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var result: [UInt8] = []
        while result.count < limit {
            let size = min(4096, limit - result.count)
            let chunk = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                count = max(0, read(descriptor, UnsafeMutableRawPointer(buffer.baseAddress), buffer.count))
            }
            guard !chunk.isEmpty else { break }
            result += chunk
        }
        return result
    }

    /// The text of the file at `path`, without a trailing newline.
    static func text(_ path: String) -> String? {
        guard var content = bytes(path) else { return nil }
        if content.last == UInt8(ascii: "\n") { content.removeLast() }
        return String(decoding: content, as: UTF8.self)
    }

    /// The target of the symbolic link at `path`.
    static func linkTarget(_ path: String) -> String? {
        let target = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            let count = buffer.baseAddress.map { readlink(path, $0, buffer.count) } ?? 0
            return buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        }
        return target.isEmpty ? nil : String(decoding: target, as: UTF8.self)
    }

    /// The path with all symbolic links resolved; nil if nothing is there.
    static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Writes `text` with one write, as the kernel's control files require. Returns 0 or the errno.
    static func write(_ text: String, to path: String) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        let written = Glibc.write(descriptor, text, text.utf8.count)
        return written == text.utf8.count ? 0 : errno
    }

    /// The numeric names in the directory at `path`: processes in `/proc`, threads in `/proc/PID/task`.
    static func numbers(in path: String) -> [Int32] {
        names(in: path).compactMap { Int32($0) }
    }

    /// All names in the directory at `path` except `.` and `..`.
    static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var result: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { result.append(name) }
        }
        return result
    }
}
