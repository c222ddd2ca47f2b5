package import Contract
import Glibc

/// Removes lines from a text file that other processes may be appending to. The file is changed in place, so
/// their descriptors stay valid. A line appended between reading and truncating may be lost.
package enum TextFile {
    /// - Returns: the number of removed lines.
    /// - Throws: `storageFailed`; a missing file has no lines.
    @discardableResult
    package static func remove(
        from path: String, where isIncluded: (ArraySlice<UInt8>) -> Bool
    ) throws(ServiceError) -> Int {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return 0 }
            throw failed("opening", path)
        }
        defer { close(descriptor) }
        let bytes = try read(descriptor, path)
        var kept: [UInt8] = []
        var count = 0
        var firstChange: Int?
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if isIncluded(line) {
                count += 1
                firstChange = firstChange ?? line.startIndex
            } else {
                kept += line
                if line.endIndex < bytes.count { kept.append(UInt8(ascii: "\n")) }
            }
        }
        guard let firstChange else { return 0 }
        try write(kept[min(firstChange, kept.count)...], at: firstChange, descriptor, path)
        guard ftruncate(descriptor, off_t(kept.count)) == 0, fsync(descriptor) == 0 else {
            throw failed("cutting", path)
        }
        return count
    }

    private static func read(_ descriptor: Int32, _ path: String) throws(ServiceError) -> [UInt8] {
        let size = Int(lseek(descriptor, 0, SEEK_END))
        var bytes = [UInt8](repeating: 0, count: max(0, size))
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(done))
            }
            guard count >= 0 || errno == EINTR else { throw failed("reading", path) }
            if count == 0 { break }
            done += max(0, count)
        }
        bytes.removeLast(bytes.count - done)
        return bytes
    }

    private static func write(
        _ bytes: ArraySlice<UInt8>, at start: Int, _ descriptor: Int32, _ path: String
    ) throws(ServiceError) {
        var rest = bytes
        var offset = start
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
            guard count >= 0 || errno == EINTR else { throw failed("writing", path) }
            rest = rest.dropFirst(max(0, count))
            offset += max(0, count)
        }
    }

    private static func failed(_ what: String, _ path: String) -> ServiceError {
        ServiceError(
            .storageFailed, "\(what) '\(path)' failed: \(String(cString: strerror(errno)))",
            remedy: "Check the disk and the permissions, and try again.")
    }
}

extension Forgetting {
    /// Removes from a log what is to be deleted: lines that contain a name, lines of the time range, or all.
    /// - Returns: the number of removed lines.
    @discardableResult
    package func removeLines(from path: String) throws(ServiceError) -> Int {
        var stretch: (from: [UInt8], to: [UInt8])?
        switch extent {
        case .everything: return try TextFile.remove(from: path) { _ in true }
        case .stretch(let from, let to):
            // Formatted instants sort like the instants.
            stretch = (Array(UTCTime.text(from).utf8), Array(UTCTime.text(to).utf8))
        case .subject: break
        }
        let key = Array(#"{"time":""#.utf8)
        return try TextFile.remove(from: path) { line in
            if let stretch, line.starts(with: key) {
                let time = line.dropFirst(key.count).prefix(stretch.from.count)
                if !time.lexicographicallyPrecedes(stretch.from), time.lexicographicallyPrecedes(stretch.to) {
                    return true
                }
            }
            return !words.isEmpty && words.occur(inBytes: Array(line))
        }
    }
}
