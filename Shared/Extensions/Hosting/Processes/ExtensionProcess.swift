import Contract
internal import CPosix
import ExtensionLink
import Glibc
package import JSON
import Loop
import Time
package import Units

/// One running extension program and the communication with it.
@LoopActor final class ExtensionProcess: RunningProgram {
    /// Process id of the outermost process.
    let outerPid: Int32
    let output: ProgramOutput
    let files: ProcessFiles
    /// The launcher's report; nil if none has arrived.
    private(set) var report: LaunchReport?
    /// When the program itself started, monotonic; nil if it has not.
    private(set) var began: Milliseconds?
    private let spawned: SpawnedProgram
    private let events: RunningProgramEvents
    private var watch: ProcessWatch?
    /// What it was killed for; nil if nothing was exceeded.
    private(set) var excess: Excess?
    /// Readable when the program that bubblewrap started has ended; -1 if unknown, or if it is the outermost
    /// process.
    private var innerExit: Int32 = -1
    private var frames = FrameReader()
    /// Bytes not sent yet start at `waitingStart`.
    private var waiting: [UInt8] = []
    private var waitingStart = 0
    private var socketToken: Reactor.Token?
    private var exitToken: Reactor.Token?
    private var reportToken: Reactor.Token?
    /// The events for which the socket is watched.
    private var watched = (reading: true, writing: false)
    private var openRequests = 0
    private var openBytes = 0
    /// Why the host killed it; nil if it ended by itself.
    private var killedBecause: String?
    private var endOfStreamSeen = false
    /// Whether the program has sent anything.
    private var hasSpoken = false

    /// - Parameter files: files of this process; removed with it.
    init(
        _ spawned: SpawnedProgram, _ output: ProgramOutput, _ files: ProcessFiles,
        _ budget: ExtensionBudget, _ events: RunningProgramEvents
    ) {
        outerPid = spawned.pid
        self.spawned = spawned
        self.output = output
        self.files = files
        self.events = events
        watch = ProcessWatch(budget, files) { [weak self] in self?.destroy($0) }
        socketToken = Reactor.shared.watch(descriptor: spawned.socket) { [weak self] in self?.ready() }
        // Retained until its exit was seen.
        exitToken = Reactor.shared.watch(descriptor: spawned.exitDescriptor) { [self] in reap() }
        reportToken = Reactor.shared.watch(descriptor: spawned.report) { [weak self] in self?.readReport() }
    }

    /// The program's own process id.
    var pid: Int32 { report?.pid ?? outerPid }

    /// A request begins: resources are measured from here.
    func mark() { watch?.mark() }

    func measure() -> MeasuredUse? {
        readReport()
        return watch?.look().map { MeasuredUse(processor: $0.processor, memoryBytes: $0.memoryBytes) }
    }

    var lines: [String] { output.lines }
    var home: String { files.home }
    var groups: [AppGroup] { files.groups }

    var confinement: ProgramConfinement? {
        report.map {
            ProgramConfinement(
                applied: (spawned.isInBubblewrap ? ["bubblewrap"] : []) + $0.applied, missing: $0.missing)
        }
    }

    /// Sends a request; `answered` is called with the answer.
    func send(_ id: Int64, _ method: String, _ params: RawJSON, deadline: Milliseconds) {
        send(WireMessage.request(id, method, params, deadline: deadline))
    }

    /// Ends it normally: closes the stream and, after a grace period, sends SIGKILL.
    func finish() {
        closeSocket()
        EventLoop.main.after(HostingLimits.grace) { [weak self] in
            self?.destroy("it did not end when it was no longer needed")
        }
    }

    /// Kills it with everything it started.
    func destroy(_ reason: String) {
        guard exitToken != nil else { return }
        killedBecause = killedBecause ?? reason
        closeSocket()
        kill(-outerPid, SIGKILL)
    }

    /// The same because it exceeds its budget; its host is informed once.
    func destroy(_ excess: Excess) {
        guard exitToken != nil, self.excess == nil else { return }
        self.excess = excess
        events.exceeded(excess)
        destroy(excess.sentence)
    }

    /// It closed its end: it is exiting, and the exit status follows, or it continues to run without use.
    private func closedItself() {
        closeSocket()
        EventLoop.main.after(HostingLimits.closed) { [weak self] in
            guard let self, exitToken != nil else { return }
            endOfStreamSeen = true
            kill(-outerPid, SIGKILL)
        }
    }

    private func closeSocket() {
        guard let token = socketToken else { return }
        Reactor.shared.forget(token)
        socketToken = nil
        close(spawned.socket)
    }

    // MARK: the launcher

    /// Reads what the launcher has reported so far.
    func readReport() {
        guard let token = reportToken else { return }
        while true {
            switch LaunchReport.receive(spawned.report) {
            case .later: return
            case .packet(var packet):
                packet.pid = report?.pid ?? packet.pid
                if packet.failure == nil || report == nil {
                    report = packet
                } else {
                    report?.failure = packet.failure
                }
                output.pid = pid
                if let program = report?.pid { begin(program) }
                events.launched()
            case .end:
                Reactor.shared.forget(token)
                reportToken = nil
                close(spawned.report)
                if report != nil, report?.failure == nil { began = MonotonicClock.now }
                return events.launched()
            }
        }
    }

    private func begin(_ program: Int32) {
        watch?.begin(program)
        guard innerExit < 0, program != outerPid else { return }
        innerExit = pidfd_open(program, 0)
    }

    // MARK: the stream

    private func send(_ message: [UInt8]) {
        guard socketToken != nil else { return }
        guard message.count <= Wire.messageBytesMax else {
            return destroy("\(message.count) bytes for it are more than a message may have")
        }
        waiting += Wire.frame(message)
        flush()
    }

    /// Whether it leaves so much unread that nothing more is read from it; its requests wait, too.
    private var isFull: Bool { waiting.count - waitingStart > HostingLimits.waitingBytesMax }

    /// Whether its open requests are small enough to read more. Its host relays requests of other programs,
    /// too, one after the other.
    private var hasRoom: Bool { openBytes <= HostingLimits.openRequestBytesMax }

    private func flush() {
        while waitingStart < waiting.count {
            let count = waiting[waitingStart...].withUnsafeBytes {
                Glibc.send(spawned.socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            // EAGAIN waits for room; the end of the process reports any other error.
            guard count > 0 else { break }
            waitingStart += count
        }
        // Not for each part that was sent, because the rest may be long.
        if waitingStart * 2 > waiting.count {
            waiting.removeFirst(waitingStart)
            waitingStart = 0
        }
        watchSocket()
    }

    private func watchSocket() {
        let wanted = (reading: !isFull && hasRoom, writing: waitingStart < waiting.count)
        guard let token = socketToken, wanted != watched else { return }
        watched = wanted
        Reactor.shared.forget(token)
        socketToken = Reactor.shared.watch(
            descriptor: spawned.socket, readable: wanted.reading, writable: wanted.writing
        ) { [weak self] in
            self?.ready()
        }
    }

    private func ready() {
        receive()
        if socketToken != nil { flush() }
    }

    /// Reads in one turn of the loop; the rest follows in later turns. A program that sends without pause
    /// must not keep its host from timers, other programs and answers.
    private static let readsPerTurnMax = 16

    /// - Parameter readsMax: `.max` for a process that has ended: what it left is bounded.
    private func receive(readsMax: Int = readsPerTurnMax) {
        let until = readsMax == .max ? .max : MonotonicClock.now + HostingLimits.messagesMax
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var reads = 0
        while socketToken != nil {
            guard receiveMessages(until), reads < readsMax, readsMax == .max || !isFull else { return }
            reads += 1
            let count = read(spawned.socket, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { return closedItself() }
            hasSpoken = true
            frames.append(buffer[..<count])
        }
    }

    /// Handles messages that were read. False if time is up or there is no room, and more follows in another
    /// turn; or if it was killed.
    private func receiveMessages(_ until: Milliseconds) -> Bool {
        do throws(WireError) {
            while hasRoom || until == .max, let message = try frames.next() {
                receive(try WireMessage.read(message), message.count)
                guard MonotonicClock.now >= until else { continue }
                EventLoop.main.inNextTurn { [weak self] in self?.ready() }
                return false
            }
            return hasRoom || until == .max
        } catch {
            destroy("it does not keep to the protocol: \(error.reason)")
            return false
        }
    }

    private func receive(_ message: WireMessage, _ bytes: Int) {
        switch message {
        case .answer(let id, let result): events.answered(id, result)
        case .request(let id, let method, let params, let deadline):
            guard openRequests < HostingLimits.openRequestsMax else {
                return send(WireMessage.answer(id, .failure(Self.tooMany)))
            }
            openRequests += 1
            openBytes += bytes
            let request = ProgramRequest(method: method, params: params, deadline: deadline)
            events.asked(request) { [weak self] result in
                self?.answer(id, result, bytes)
            }
        }
    }

    private func answer(_ id: Int64, _ result: Result<RawJSON, ServiceError>, _ bytes: Int) {
        let waits = !hasRoom
        openRequests -= 1
        openBytes -= bytes
        send(WireMessage.answer(id, result))
        // Messages that were read before have no other trigger.
        if waits, hasRoom { EventLoop.main.inNextTurn { [weak self] in self?.ready() } }
    }

    private static let tooMany = ServiceError(
        .tooManyRequests, "openRequestsMax of an extension is \(HostingLimits.openRequestsMax)",
        remedy: "Wait for some answers first.")

    // MARK: the end

    /// Why it never became the program: the launcher's report, or the last output: of bubblewrap if the
    /// launcher had not started, of the loader if it had.
    private func startFailure(_ end: ProcessEnd) -> String? {
        guard end.fault == .notBegun else { return nil }
        return "it could not be started: \(report?.failure ?? output.lines.last ?? end.reason)"
    }

    private func reap() {
        // Its last messages count: an answer may precede the end.
        if killedBecause == nil { receive(readsMax: .max) }
        readReport()
        // Kills what it started; before waiting, so that the group's number is still its own.
        kill(-outerPid, SIGKILL)
        var raw: Int32 = 0
        guard waitpid(outerPid, &raw, WNOHANG) == outerPid else { return }
        for token in [exitToken, reportToken].compactMap({ $0 }) { Reactor.shared.forget(token) }
        if reportToken != nil { close(spawned.report) }
        exitToken = nil
        reportToken = nil
        close(spawned.exitDescriptor)
        closeSocket()
        awaitProgram(raw)
    }

    /// The program that bubblewrap started was killed with it, and may end a moment later.
    private func awaitProgram(_ status: Int32) {
        guard innerExit >= 0 else { return end(status) }
        exitToken = Reactor.shared.watch(descriptor: innerExit) { [self] in
            if let exitToken { Reactor.shared.forget(exitToken) }
            exitToken = nil
            close(innerExit)
            innerExit = -1
            end(status)
        }
    }

    private func end(_ status: Int32) {
        watch?.end()
        output.finish()
        var end = ProcessEnd(
            status: status, isInBubblewrap: spawned.isInBubblewrap, closedItself: endOfStreamSeen)
        if began == nil || (end.isOfLoader && !hasSpoken) { end.fault = .notBegun }
        events.ended(end.because(killedBecause ?? startFailure(end)))
        clear()
    }

    private func clear() {
        Task { [self] in
            do throws(ServiceError) {
                try await files.end()
                events.cleared(nil)
            } catch {
                events.cleared(error)
            }
        }
    }
}

/// A request of a program to its host.
package struct ProgramRequest {
    /// Method of the bus or of the host.
    package var method: String
    /// Its parameters.
    package var params: RawJSON?
    /// Time left from receipt; nil if it named none.
    package var deadline: Milliseconds?

    package init(method: String, params: RawJSON?, deadline: Milliseconds? = nil) {
        self.method = method
        self.params = params
        self.deadline = deadline
    }
}

/// How a process ended.
package struct ProcessEnd: Equatable {
    /// The reason as a sentence.
    package private(set) var reason: String
    /// It exceeded the size of a file.
    private(set) var isForFileSize = false
    /// What failed.
    package internal(set) var fault = Fault.program
    /// The exit status of ld.so(8) if a library of the program is missing or unreadable.
    private(set) var isOfLoader = false

    /// What failed: the program, its start, or writing the journal.
    package enum Fault: Sendable { case program, notBegun, journal }

    /// An end with a reason.
    package init(reason: String, fault: Fault) {
        self.reason = reason
        self.fault = fault
    }

    /// - Parameter isInBubblewrap: bubblewrap exits with 128 plus the signal's number.
    init(status: Int32, isInBubblewrap: Bool, closedItself: Bool) {
        let code = (status >> 8) & 0xff
        let signal = isInBubblewrap && code > 128 ? code - 128 : status & 0x7f
        isForFileSize = signal == SIGXFSZ
        isOfLoader = signal == 0 && code == 127
        if signal == 0, code == Wire.journalExitCode {
            reason = "its return could not be noted on the disk; its log has more"
            fault = .journal
        } else if signal == 0 {
            reason = "it ended with code \(code)"
        } else if signal == SIGKILL, closedItself {
            reason = "it closed its connection"
        } else if let meaning = Self.meanings[signal] {
            reason = "it was ended by signal \(signal): \(meaning)"
        } else {
            reason = "it was ended by signal \(signal)"
        }
    }

    /// The same end with a better reason, if one is known.
    func because(_ known: String?) -> ProcessEnd {
        var end = self
        if let known { end.reason = known }
        return end
    }

    private static let meanings = [
        SIGILL: "Swift stopped it at an error of the program; its log has more",
        SIGTRAP: "Swift stopped it at an error of the program; its log has more",
        SIGABRT: "it called abort, or memory ran out",
        SIGSEGV: "it used invalid memory",
        SIGXFSZ: "it wrote more than \(HostingLimits.fileBytesMax) bytes into one file (fileBytesMax)",
    ]
}
