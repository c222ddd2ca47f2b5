package import Bus
package import Contract
package import Loop
import Time
package import Units

/// Answers the driver of the virtual clock on behalf of one process. The answer can wait until the process is
/// idle: nothing due, nothing open, and all events that the driver knows of applied.
@LoopActor package final class ClockEndpoint {
    /// What only the process can report; this class adds the clock's part.
    package typealias Report = @LoopActor () -> ClockState
    private typealias Answer = @LoopActor (Result<ClockState, ServiceError>) -> Void

    /// Longest wait of an answer in real milliseconds.
    package static let waitMax: Milliseconds = 10_000

    private struct Waiting {
        var heads: [Position]
        /// Number of turns to wait: what one turn starts may be visible only in the next.
        var turns: Int
        var timer: TimerToken
        var answer: @LoopActor (ClockState) -> Void
    }

    private let clock: SystemClock?
    private let stateDirectory: String
    private let report: Report
    private var nextID = 1
    private var waiting: [Int: Waiting] = [:]
    private let loop: EventLoop
    private var hook: EventLoop.Hook?
    /// Driver requests without an answer.
    package private(set) var openCount = 0

    /// Create it after the hook that commits, so that what it sees at the end of a turn is committed.
    /// - Parameter clock: nil in tests that have their own clock, which cannot be moved from outside.
    package init(
        _ clock: SystemClock?, on loop: EventLoop, stateDirectory: String, report: @escaping Report
    ) {
        self.clock = clock
        self.loop = loop
        self.stateDirectory = stateDirectory
        self.report = report
        hook = loop.atEndOfTurn { [weak self] in self?.endTurn() }
    }

    isolated deinit { if let hook { loop.forget(hook) } }

    /// Registers the clock methods with `server`.
    package func open(_ server: RequestServer) {
        answer(ClockStatus.self, server) { [weak self] wait, reply in
            self?.send(wait, reply)
        }
        answer(ClockTick.self, server) { [weak self] wait, reply in
            guard let self else { return }
            clock?.fire()
            send(wait, reply)
        }
        answer(ClockEnter.self, server) { [weak self] _, reply in
            guard let self else { return }
            do throws(ServiceError) {
                try enter()
                send(ClockWait(), reply)
            } catch { reply(.failure(error)) }
        }
    }

    private func answer<M: Method>(
        _ method: M.Type, _ server: RequestServer,
        _ handler: @escaping @LoopActor (M.Params, @escaping Answer) -> Void
    ) where M.Result == ClockState {
        server.answer(method, traced: false) { [weak self] params, context, reply in
            guard context.client == nil else {
                return reply.fail(
                    ServiceError(
                        .accessDenied, "\(M.name) can be called by the person only, not by apps",
                        remedy: "Use `screentime clock`."))
            }
            self?.openCount += 1
            handler(params) { result in
                self?.openCount -= 1
                switch result {
                case .success(let state): reply.succeed(state)
                case .failure(let error): reply.fail(error)
                }
            }
        }
    }

    // MARK: entering

    private func enter() throws(ServiceError) {
        guard let clock, !clock.isVirtual else { return }
        if let holds = report().holds {
            throw ServiceError(
                .conflict, holds,
                remedy: "Use a new state directory: a virtual clock needs an empty one.")
        }
        guard let page = try ClockPage.find(in: stateDirectory) else {
            throw ServiceError(
                .notFound, "there is no virtual clock in '\(stateDirectory)'",
                remedy: "Make one with `screentime clock start-virtual`.")
        }
        clock.enter(page)
    }

    // MARK: answering

    private func send(_ wait: ClockWait, _ reply: @escaping Answer) {
        let id = nextID
        nextID += 1
        let delay = min(max(0, wait.wait ?? 0), Self.waitMax)
        let timer = loop.after(delay) { [weak self] in
            guard let self, waiting[id] != nil else { return }
            end(id, state())
        }
        waiting[id] = Waiting(heads: wait.heads ?? [], turns: 2, timer: timer) { reply(.success($0)) }
        anotherTurn()
    }

    private func endTurn() {
        guard !waiting.isEmpty else { return }
        let ready = waiting.filter { $0.value.turns <= 1 }
        for (id, one) in waiting where one.turns > 1 {
            waiting[id]?.turns -= 1
            anotherTurn()
        }
        guard !ready.isEmpty else { return }
        let now = state()
        for (id, one) in ready where isStill(now, one.heads) { end(id, now) }
    }

    /// Makes the loop run another turn before it blocks.
    private func anotherTurn() { loop.after(0) {} }

    private func end(_ id: Int, _ state: ClockState) {
        guard let one = waiting.removeValue(forKey: id) else { return }
        loop.cancel(one.timer)
        one.answer(state)
    }

    private func isStill(_ state: ClockState, _ heads: [Position]) -> Bool {
        guard state.open.isEmpty else { return false }
        return state.follows.allSatisfy { followed in
            guard let head = heads.first(where: { $0.service == followed.service }) else { return true }
            return followed.connected && followed.sequence >= head.sequence
        }
    }

    private func state() -> ClockState {
        var state = report()
        state.pid = Int64(Peer.own.pid)
        state.isVirtual = clock?.isVirtual ?? false
        state.now = clock?.now ?? WallTime.now
        state.nextDue = clock?.nextDue
        return state
    }
}
