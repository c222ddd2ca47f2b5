import Glibc

/// Reads the small text files of `/proc` and of the cgroup tree. Each read is one open, read and close;
/// a file that is gone or refused is nil, because processes end at any moment and that is no fault.
enum ProcFile {
    /// The longest text read in one piece, in bytes. A longer file is cut there.
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

    /// The text of the file at `path`, without the newline at its end.
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

    /// The path of what `path` leads to, without symbolic links; nil when there is nothing.
    static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Writes `text` in one write, as the control files of the kernel want it. Returns 0 or the errno.
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

    /// All names in the directory at `path` but `.` and `..`.
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
