import Contract
internal import FileAccess
import Glibc
import JSON
package import Loop

/// The newest lines of a process's log: `GET /log/NAME`, where NAME is a service, an agent or an extension
/// program, as `screentime logs NAME` has it: `{"lines": […]}`, the oldest first, each as it is in the file,
/// or as a text where it is no JSON. A file that was just rotated is preceded by the one before it.
@LoopActor package final class ServiceLogs {
    nonisolated static let path = "/log/"
    private let directory: String

    /// - Parameter directory: of all logs of this instance.
    package init(directory: String) { self.directory = directory }

    /// `notFound` if there is no such log, `unavailable` if it cannot be read.
    func answer(_ request: HTTPRequest) -> HTTPResponse {
        let name = String(request.path.dropFirst(Self.path.count))
        do throws(FileError) {
            guard let lines = try lines(of: name) else {
                return HTTPResponse(
                    ServiceError(
                        .notFound, "'\(VisibleText.shortened(name))' has no log here",
                        remedy: "See `screentime status` for the names."))
            }
            return HTTPResponse(
                Packed(Self.answer(lines), isText: true), type: "application/json", caching: "no-store",
                to: request)
        } catch {
            return HTTPResponse(
                ServiceError(
                    .unavailable,
                    "the log of '\(VisibleText.shortened(name))' cannot be read: \(error.message)",
                    remedy: "Check the owner and the mode of the files in SCREENTIME_LOG_DIR."))
        }
    }

    private func lines(of name: String) throws(FileError) -> [UInt8]? {
        guard let current = Self.entry(name, ".log"), let before = Self.entry(name, ".log.1"),
            let lines = try tail(current, max: ConsoleLimits.logBytesMax)
        else { return nil }
        let room = ConsoleLimits.logBytesMax - lines.count
        return (room > 0 ? try tail(before, max: room) ?? [] : []) + lines
    }

    private static func answer(_ lines: [UInt8]) -> [UInt8] {
        let values = lines.split(separator: UInt8(ascii: "\n")).map { line in
            // What a process printed as it crashed is shown, too.
            (try? RawJSON(bytes: Array(line)).bytes)
                ?? JSONValue.string(String(decoding: line, as: UTF8.self)).encoded()
        }
        return Array("{\"lines\":[".utf8) + values.joined(separator: ",".utf8) + Array("]}".utf8)
    }

    /// Nil for a name that is none of a log.
    private static func entry(_ name: String, _ ending: String) -> EntryName? {
        guard !name.isEmpty, !name.hasPrefix("."), name.utf8.count <= ConsoleLimits.nameBytesMax else {
            return nil
        }
        return EntryName(name + ending)
    }

    /// The last whole lines of a file, of at most `max` bytes; nil if there is none: a link is none.
    private func tail(_ name: EntryName, max: Int) throws(FileError) -> [UInt8]? {
        do throws(FileError) {
            let folder = try Directory(path: directory)
            let descriptor = try folder.plainFile(name, O_RDONLY)
            defer { close(descriptor) }
            let size = Int(lseek(descriptor, 0, SEEK_END))
            guard size > max else { return Self.bytes(descriptor, from: 0, count: size) }
            // From one byte before, so that a line that begins just there is whole.
            let bytes = Self.bytes(descriptor, from: size - max - 1, count: max + 1)
            guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return [] }
            return Array(bytes[(end + 1)...])
        } catch {
            guard error.code == ENOENT || error.code == ELOOP else { throw error }
            return nil
        }
    }

    /// Fewer if the file was cut meanwhile.
    private static func bytes(_ descriptor: Int32, from start: Int, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            while filled < count {
                let place = buffer.baseAddress.map { $0 + filled }
                let got = pread(descriptor, place, count - filled, start + filled)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { return }
                filled += got
            }
        }
    }
}
