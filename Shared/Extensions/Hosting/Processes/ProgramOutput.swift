import Bus
import Contract
import Glibc
import JSON
import Loop
import Time

/// Writes the output of a program as JSON lines to its log file. Lines that are JSON objects keep their
/// members, other text becomes a `message`, and empty lines are dropped. The file has a bounded length, and a
/// program that prints too fast is blocked. Other programs have their turn after a few lines.
@LoopActor final class ProgramOutput {
    /// The last lines, for `extension run-once`.
    private(set) var lines: [String] = []
    private let path: String
    private let id: String
    private let descriptor: Int32
    private var token: Reactor.Token?
    /// Bytes read that are no entries yet; complete lines end at `wholeEnd`.
    private var rest: [UInt8] = []
    private var wholeEnd = 0
    private var allowance = HostingLimits.outputBytesPerSecondMax
    private var isRefilled = false
    private var pause: TimerToken?
    private var isFinished = false
    /// The program's process id, once it is known.
    var pid: Int32?

    /// Takes ownership of `descriptor`.
    init(_ descriptor: Int32, path: String, id: String) {
        self.descriptor = descriptor
        self.path = path
        self.id = id
        watch()
    }

    /// Reads the rest after the program ended, and closes. If too much is left, only the last lines are
    /// logged.
    func finish() {
        isFinished = true
        if let pause { EventLoop.main.cancel(pause) }
        pause = nil
        forget()
        while readMore() {}
        close(descriptor)
        var whole = rest.split(separator: UInt8(ascii: "\n"))
        let left = whole.count - HostingLimits.outputLinesAtEndMax
        if left > 0 {
            whole.removeFirst(left)
            write([Array("\(left) lines before the last ones are left out".utf8)[...]])
        }
        write(whole)
        rest = []
    }

    private func watch() {
        token = Reactor.shared.watch(descriptor: descriptor) { [weak self] in self?.turn() }
    }

    private func forget() {
        if let token { Reactor.shared.forget(token) }
        token = nil
    }

    /// Continues in the next turn of the loop, or in a second.
    private func turnAgain(isPaused: Bool) {
        forget()
        let body: @LoopActor () -> Void = { [weak self] in
            guard let self, !isFinished else { return }
            pause = nil
            turn()
        }
        if isPaused {
            pause = EventLoop.main.after(1_000, body)
        } else {
            EventLoop.main.inNextTurn(body)
        }
    }

    private func turn() {
        if isRefilled {
            allowance = HostingLimits.outputBytesPerSecondMax
            isRefilled = false
        }
        if wholeEnd == 0, !readMore() {
            // EAGAIN: the watch calls again. Otherwise it is the end.
            if errno != EAGAIN { forget() } else if token == nil { watch() }
            return
        }
        takeLines()
        guard allowance > 0 else {
            isRefilled = true
            return turnAgain(isPaused: true)
        }
        if wholeEnd > 0 { return turnAgain(isPaused: false) }
        if token == nil { watch() }
    }

    /// False if there is nothing to read now (errno is EAGAIN), or at the end.
    private func readMore() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                if count == 0 { errno = 0 }
                return false
            }
            rest += buffer[..<count]
            if let end = buffer[..<count].lastIndex(of: UInt8(ascii: "\n")) {
                wholeEnd = rest.count - count + end + 1
            }
            return true
        }
    }

    /// Makes entries of some complete lines, and of the start of a line that is too long.
    private func takeLines() {
        var (start, taken): (Int, [ArraySlice<UInt8>]) = (0, [])
        while start < wholeEnd, taken.count < HostingLimits.outputLinesPerTurnMax, allowance > 0 {
            let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) ?? wholeEnd
            if end > start { taken.append(rest[start..<end]) }
            allowance -= end - start + HostingLimits.outputLineBytes
            start = end + 1
        }
        write(taken)
        rest.removeFirst(start)
        wholeEnd -= start
        if wholeEnd == 0, rest.count > HostingLimits.logLineBytesMax {
            allowance -= rest.count
            write([rest[...]])
            rest = []
        }
    }

    // MARK: the file

    private func write(_ lines: [ArraySlice<UInt8>]) {
        guard !lines.isEmpty else { return }
        var bytes: [UInt8] = []
        let time = JSONValue.string(UTCTime.text(WallTime.now))
        for line in lines {
            let cut = line.prefix(HostingLimits.logLineBytesMax)
            bytes += entry(cut, time) + [UInt8(ascii: "\n")]
            self.lines.append(String(decoding: cut, as: UTF8.self))
        }
        self.lines.removeFirst(max(0, self.lines.count - HostingLimits.outputLinesKept))
        let file: Int32
        // A full disk, or a path that is no regular file, must not stop a service: the lines are lost, the
        // state is not.
        do throws(ServiceError) { file = try openPrivateFile(path, O_WRONLY | O_CREAT | O_APPEND) } catch {
            return
        }
        defer { close(file) }
        _ = Glibc.write(file, bytes, bytes.count)
        if lseek(file, 0, SEEK_END) > HostingLimits.logBytesMax { _ = rotateLog(path, file) }
    }

    private func entry(_ line: ArraySlice<UInt8>, _ time: JSONValue) -> [UInt8] {
        var members: [(String, JSONValue)] = [
            ("time", time), ("level", "info"), ("service", .string(id)),
        ]
        if let pid { members.append(("pid", .integer(Int64(pid)))) }
        // A line that is no JSON object is plain text.
        let said = line.first == UInt8(ascii: "{") ? try? JSONValue.decode(Array(line)) : nil
        if let said = said?.objectValue, said.contains(where: { $0.key == "message" }) {
            let own = ["time", "level"].compactMap { key in
                said.first { $0.key == key && $0.value.stringValue != nil }.map { ($0.key, $0.value) }
            }
            for (key, value) in own {
                if let index = members.firstIndex(where: { $0.0 == key }) { members[index].1 = value }
            }
            members += said.filter { !["time", "level", "service", "pid"].contains($0.key) }.map {
                ($0.key, $0.value)
            }
        } else {
            members.append(("message", .string(String(decoding: line, as: UTF8.self))))
        }
        return JSONValue.object(members).encoded()
    }
}
