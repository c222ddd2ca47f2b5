import Contract
import FileAccess
import Glibc
import Loop
import ServiceKit

/// Copies of the pictures of notifications on the screen. The daemon opens paths with all rights of the
/// person, and blocks where opening blocks (a FIFO). It therefore gets only paths of our copies, which
/// contain what is drawn.
@LoopActor final class Pictures {
    private struct Copy {
        let path: String
        let bytes: Int
    }

    private let directory: String
    /// Other processes can exchange entries below it; links in it are not followed.
    private let state: String
    private var copies: [NotificationKey: Copy] = [:]
    private var order: [NotificationKey] = []
    private var made = 0

    /// Creates nothing before the first picture; it then deletes what an earlier process left.
    /// - Parameters:
    ///   - directory: for the copies; its parent must exist.
    ///   - state: the state directory.
    init(directory: String, state: String) {
        self.directory = directory
        self.state = state
    }

    /// - Returns: the copy's path.
    /// - Throws: `invalidArgument` with the reason if the picture cannot be used.
    func take(_ path: String, for key: NotificationKey) throws(ServiceError) -> String {
        drop(key)
        let picture: Picture
        do throws(FileError) { picture = try Picture(try read(path)) } catch {
            throw ServiceError(
                .invalidArgument, "the picture '\(path)' is not shown: \(error.message)",
                remedy: "Attach a regular file, PNG, JPEG or GIF, of up to \(Picture.bytesMax) bytes and "
                    + "\(Picture.sideMax) pixels each way.")
        }
        while let oldest = order.first, bytes + picture.bytes.count > NotifierLimits.picturesBytesMax {
            drop(oldest)
        }
        do throws(FileError) { return try write(picture, key) } catch {
            throw ServiceError(
                .storageFailed, "the picture '\(path)' is not shown: \(error.message)",
                remedy: "Check the runtime directory and the free space of its disk.")
        }
    }

    /// Deletes the copy when the notification is no longer on the screen.
    func drop(_ key: NotificationKey) {
        guard let copy = copies.removeValue(forKey: key) else { return }
        order.removeAll { $0 == key }
        unlink(copy.path)
    }

    func dropAll() {
        for key in order { drop(key) }
        rmdir(directory)
    }

    private var bytes: Int { copies.values.reduce(0) { $0 + $1.bytes } }

    private func write(_ picture: Picture, _ key: NotificationKey) throws(FileError) -> String {
        if made == 0 { try begin() }
        made += 1
        let path = "\(directory)/\(made).\(picture.kind.rawValue)"
        let file = try openPlain(path, O_WRONLY | O_CREAT | O_EXCL)
        defer { close(file) }
        copies[key] = Copy(path: path, bytes: picture.bytes.count)
        order.append(key)
        let written = picture.bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        guard written == picture.bytes.count else {
            let error = FileError("writing", path)
            drop(key)
            throw error
        }
        return path
    }

    /// Creates the directory, or empties it.
    private func begin() throws(FileError) {
        guard mkdir(directory, 0o700) != 0 else { return }
        guard errno == EEXIST else { throw FileError("making the directory", directory) }
        let own = try Directory(path: directory)
        for name in try own.entries() { _ = try own.remove(name) }
    }

    // MARK: reading

    /// Path of the state directory without links, which programs use in the paths of their files.
    private var realState: String {
        guard let real = realpath(state, nil) else { return state }
        defer { free(real) }
        return String(cString: real)
    }

    private func read(_ path: String) throws(FileError) -> [UInt8] {
        let file = try open(path)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Picture.bytesMax + 1)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(file, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            guard got >= 0 else { throw FileError("reading", path) }
            if got == 0 { break }
            count += got
        }
        return Array(bytes[..<count])
    }

    private func open(_ path: String) throws(FileError) -> Int32 {
        guard let state = [state, realState].first(where: { path.hasPrefix($0 + "/") }) else {
            return try openPlain(path, O_RDONLY)
        }
        var names: [EntryName] = []
        for part in path.dropFirst(state.count).split(separator: "/") {
            guard let name = EntryName(String(part)) else {
                throw FileError("'\(path)' is not a direct absolute path", code: EINVAL)
            }
            names.append(name)
        }
        guard let last = names.popLast() else { throw FileError("'\(path)' is a directory", code: EISDIR) }
        var place = try Directory(path: state)
        for name in names { place = try place.directory(name) }
        return try place.plainFile(last, O_RDONLY)
    }
}
