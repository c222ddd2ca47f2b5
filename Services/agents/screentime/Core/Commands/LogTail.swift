import CommandKit
import Contract
import Glibc
import Loop
import ServiceKit

/// Reads the log files of a directory and, woken by inotify(7), what is appended to them, across their
/// rotation.
@LoopActor final class LogTail {
    private struct File {
        var descriptor: Int32
        var inode: UInt
        var rest: [UInt8] = []
        var time = ""
    }

    /// Called with new lines.
    var onLines: (([LogLine]) -> Void)?
    private let directory: String
    private let service: String?
    private var files: [String: File] = [:]
    private let notify: Int32
    private var token: Reactor.Token?

    /// - Parameter follow: whether `watch` will be called; the watch begins here, before anything is read.
    init(_ directory: String, service: String?, follow: Bool) throws {
        self.directory = directory
        self.service = service
        notify = follow ? inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) : -1
        guard follow else { return }
        let mask = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)
        guard notify >= 0, inotify_add_watch(notify, directory, mask) >= 0 else {
            throw CommandError(
                ExitCode.unavailable,
                "the logs in '\(directory)' cannot be watched: \(String(cString: strerror(errno)))",
                remedy:
                    "Start the services, check SCREENTIME_LOG_DIR, or raise fs.inotify.max_user_instances.")
        }
    }

    deinit {
        for file in files.values { close(file.descriptor) }
        if notify >= 0 { close(notify) }
    }

    /// Everything there is, the rotated files first.
    func readAll() -> [LogLine] {
        let current = names()
        var lines: [LogLine] = []
        for name in current {
            for index in [3, 2, 1] {
                guard var old = open("\(name).\(index)") else { continue }
                lines += drain(&old)
                close(old.descriptor)
            }
            lines += readNew(name)
        }
        return lines
    }

    func watch() throws {
        token = Reactor.shared.watch(descriptor: notify) { [weak self] in self?.changed() }
        changed()
    }

    private func changed() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // Which file it was does not matter: each knows how far it was read.
        while read(notify, &buffer, buffer.count) > 0 {}
        let lines = names().flatMap(readNew)
        if !lines.isEmpty { onLines?(lines) }
    }

    /// Names of the current log files.
    private func names() -> [String] {
        guard let handle = opendir(directory) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let isWanted = service.map { name == $0 + ".log" } ?? name.hasSuffix(".log")
            if isWanted { names.append(name) }
        }
        return names.sorted()
    }

    private func open(_ name: String) -> File? {
        // O_NONBLOCK: opening a FIFO must not wait for a writer.
        let descriptor = Glibc.open("\(directory)/\(name)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        return File(descriptor: descriptor, inode: UInt(status.st_ino))
    }

    /// What was appended. After a rotation first the rest of the file that was moved away.
    private func readNew(_ name: String) -> [LogLine] {
        var lines: [LogLine] = []
        var status = stat()
        if var known = files[name] {
            skipRemoved(&known)
            lines = drain(&known)
            files[name] = known
            guard stat("\(directory)/\(name)", &status) == 0, UInt(status.st_ino) != known.inode else {
                return lines
            }
            // Lines written after the last read and before the rotation.
            lines += drain(&known)
            close(known.descriptor)
            files[name] = nil
        }
        guard var fresh = open(name) else { return lines }
        lines += drain(&fresh)
        files[name] = fresh
        return lines
    }

    /// Lines that were taken out of a file, by `screentime forget`, leave it shorter than it was read: what
    /// comes next is at its end.
    private func skipRemoved(_ file: inout File) {
        var status = stat()
        guard fstat(file.descriptor, &status) == 0, status.st_size < lseek(file.descriptor, 0, SEEK_CUR)
        else { return }
        lseek(file.descriptor, 0, SEEK_END)
        file.rest = []
    }

    private func drain(_ file: inout File) -> [LogLine] {
        var lines: [LogLine] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(file.descriptor, &buffer, buffer.count)
            guard count > 0 else { return lines }
            file.rest += buffer[..<count]
            var start = 0
            while let end = file.rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = LogLine(Array(file.rest[start..<end]), after: file.time)
                file.time = line.time
                lines.append(line)
                start = end + 1
            }
            file.rest.removeFirst(start)
        }
    }
}

/// Ctrl-C and SIGTERM as something to wait for.
@LoopActor final class InterruptSignals {
    var onInterrupt: (() -> Void)?
    private let signals: SignalDescriptor

    init() throws(ServiceError) {
        signals = try SignalDescriptor([SIGINT, SIGTERM])
        signals.watch { [weak self] _ in
            self?.onInterrupt?()
            self?.onInterrupt = nil
        }
    }
}
