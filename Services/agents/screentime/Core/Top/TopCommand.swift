import Bus
import CommandKit
import Contract
import Glibc
import Loop
import Schedules
import Units

extension Screentime {
    static let topCommand = Command(
        "top",
        options: [
            .member, Option("--once", nil, "Print it once; also if standard output is no terminal."),
        ],
        summary: "Show today's use, what is shielded, and what is open, live.",
        details: "It is drawn when something changes, and each minute. q, or Ctrl-C, leaves."
    ) { invocation in
        let session = try invocation.session()
        let member = try await session.memberID(invocation.value("--member")) ?? "uid-\(getuid())"
        let params = ReportQuery.Params(
            fallbackZone: MachineZone.name, members: [member], segment: .daily, by: .app,
            metric: .duration)
        let reading = TopReading(session: session, params: params, member: member)
        let first = try await reading.read()
        guard Console.isTerminal, !invocation.has("--once") else {
            let columns = Console.tableColumns ?? Console.columns
            TopScreen.lines(first, columns: columns, rows: .max, isLive: false)
                .forEach { Console.print($0) }
            return ExitCode.ok
        }
        let live = try LiveTop(reading, first)
        defer { live.close() }
        try await live.run()
        return ExitCode.ok
    }
}

/// Draws again when a service says that something changed, at most once a second, and each minute.
@LoopActor private final class LiveTop {
    private static let topics: [(ServiceName, String)] = [
        (.activity, "usage."), (.shield, "shield."), (.shield, "exception."),
    ]
    private static let pause: Milliseconds = 1_000

    private let reading: TopReading
    private let terminal: TopTerminal
    private var state: TopState
    private var sockets: [any SubscriberSocket] = []
    private var timer: TimerToken?
    private var isReading = false
    private var mustRead = false
    private var end: CheckedContinuation<Void, any Error>?

    init(_ reading: TopReading, _ first: TopState) throws {
        (self.reading, state) = (reading, first)
        for (service, topic) in Self.topics {
            let socket = try reading.session.configuration.runtime.subscriber(
                queuedMax: Limits.queuedMessagesMax)
            try socket.setSubscribed(topic, true)
            try socket.connect(to: service.rawValue)
            sockets.append(socket)
        }
        terminal = try TopTerminal()
        for socket in sockets { socket.onReady = { [weak self, weak socket] in self?.drain(socket) } }
        terminal.onSize = { [weak self] in self?.draw() }
        terminal.onLeave = { [weak self] in self?.leave(nil) }
    }

    func close() {
        if let timer { EventLoop.main.cancel(timer) }
        sockets.forEach { $0.close() }
        terminal.close()
    }

    /// Returns when the person leaves.
    /// - Throws: what a service refuses or does not answer.
    func run() async throws {
        draw()
        wait(.minute)
        try await withCheckedThrowingContinuation { end = $0 }
    }

    private func leave(_ error: (any Error)?) {
        guard let end else { return }
        self.end = nil
        if let error { end.resume(throwing: error) } else { end.resume() }
    }

    /// What the events say is read from the services, so that a lost one does not matter.
    private func drain(_ socket: (any SubscriberSocket)?) {
        do { while try socket?.receive({ _, _ in }) == true {} } catch {
            // Interrupted by a signal: the socket is still ready, and read again.
            return
        }
        guard !isReading else { return mustRead = true }
        wait(Self.pause)
    }

    private func wait(_ time: Milliseconds) {
        if let timer { EventLoop.main.cancel(timer) }
        timer = EventLoop.main.after(time) { [weak self] in self?.refresh() }
    }

    private func refresh() {
        (timer, isReading, mustRead) = (nil, true, false)
        Task { @LoopActor in
            do { state = try await reading.read() } catch { return leave(error) }
            isReading = false
            draw()
            wait(mustRead ? Self.pause : .minute)
        }
    }

    private func draw() {
        let size = terminal.size
        terminal.show(TopScreen.lines(state, columns: size.columns, rows: size.rows, isLive: true))
    }
}
