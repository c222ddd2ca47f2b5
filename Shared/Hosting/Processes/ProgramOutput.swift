import Bus
import Contract
import Glibc
import JSON

/// What a program prints or logs, as JSON lines in its log file: lines that are such objects already keep
/// their members, any other text becomes a `message`; empty lines are none. A file has a bounded length, and
/// a program that prints faster than may be is made to wait: what counts is what is written to the log.
@BusActor final class ProgramOutput {
    /// The last lines, for `run-once`.
    private(set) var lines: [String] = []
    private let path: String
    private let id: String
    private let descriptor: Int32
    private var token: Reactor.Token?
    private var rest: [UInt8] = []
    private var allowance = HostingLimits.outputBytesPerSecondMax
    private var refill: TimerToken?
    /// The program's, once it is known.
    var pid: Int32?

    /// Owns `descriptor` from here on.
    init(_ descriptor: Int32, path: String, id: String) {
        self.descriptor = descriptor
        self.path = path
        self.id = id
        token = Reactor.shared.watch(descriptor: descriptor) { [weak self] in self?.ready() }
    }

    /// Takes what is left, a pipe of it at most, and closes. The program is gone.
    func finish() {
        if let refill { Reactor.shared.cancel(refill) }
        refill = nil
        while takeSome() {}
        forget()
        if !rest.isEmpty { write([rest[...]]) }
        rest = []
        close(descriptor)
    }

    private func forget() {
        if let token { Reactor.shared.forget(token) }
        token = nil
    }

    /// A little a turn: the host has others to look after.
    private func ready() {
        takeSome()
        if allowance <= 0 { wait() }
    }

    private func wait() {
        forget()
        guard refill == nil else { return }
        refill = Reactor.shared.after(milliseconds: 1_000) { [weak self] in
            guard let self else { return }
            refill = nil
            allowance += HostingLimits.outputBytesPerSecondMax
            guard allowance > 0 else { return wait() }
            allowance = min(allowance, HostingLimits.outputBytesPerSecondMax)
            token = Reactor.shared.watch(descriptor: descriptor) { [weak self] in self?.ready() }
        }
    }

    /// - Returns: whether there may be more.
    @discardableResult private func takeSome() -> Bool {
        var buffer = [UInt8](repeating: 0, count: HostingLimits.outputBytesPerTurnMax)
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { return true }
        if count < 0, errno == EAGAIN { return false }
        guard count > 0 else {
            forget()
            return false
        }
        take(buffer[..<count])
        return true
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        rest += bytes
        var whole: [ArraySlice<UInt8>] = []
        var start = 0
        while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if end > start { whole.append(rest[start..<end]) }
            start = end + 1
        }
        if !whole.isEmpty { write(whole) }
        rest.removeFirst(start)
        if rest.count > HostingLimits.logLineBytesMax {
            write([rest[...]])
            rest = []
        }
    }

    // MARK: the file

    private func write(_ lines: [ArraySlice<UInt8>]) {
        var bytes: [UInt8] = []
        let time = UTCTime.text(WallTime.nowMs)
        for line in lines {
            let cut = line.prefix(HostingLimits.logLineBytesMax)
            bytes += entry(cut, time) + [UInt8(ascii: "\n")]
            self.lines.append(String(decoding: cut, as: UTF8.self))
        }
        allowance -= bytes.count
        self.lines.removeFirst(max(0, self.lines.count - HostingLimits.outputLinesKept))
        let file: Int32
        // A full disk, or what is no plain file there, must not stop a service; the lines are lost, the state
        // is not.
        do throws(ServiceError) { file = try openPrivateFile(path, O_WRONLY | O_CREAT | O_APPEND) } catch {
            return
        }
        defer { close(file) }
        _ = Glibc.write(file, bytes, bytes.count)
        if lseek(file, 0, SEEK_END) > HostingLimits.logBytesMax { rename(path, path + ".1") }
    }

    private func entry(_ line: ArraySlice<UInt8>, _ time: String) -> [UInt8] {
        var members: [(String, JSONValue)] = [
            ("time", .string(time)), ("level", "info"), ("service", .string(id)),
        ]
        if let pid { members.append(("pid", .integer(Int64(pid)))) }
        // What is no object of JSON is a plain line.
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
