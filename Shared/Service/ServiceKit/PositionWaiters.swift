import Bus
import Contract
import Loop

/// The requests that wait until a service has committed or applied the events that they name (`not_before`).
/// Looks at them only when a log has moved.
@LoopActor final class PositionWaiters {
    private struct Waiter {
        var positions: [Position]
        var open: OpenRequest?
        var proceed: @LoopActor (ServiceError?) -> Void
        var timer: TimerToken
    }

    private unowned let service: Service
    private var waiting: [Int: Waiter] = [:]
    private var nextID = 1
    /// Positions of all logs at the last wake-up.
    private var wokenAt: [Int64] = []

    init(_ service: Service) { self.service = service }

    var isEmpty: Bool { waiting.isEmpty }

    /// Runs `proceed` when all positions that a request names are reached, or with an error at its deadline
    /// or when it must not wait longer.
    func wait(_ context: RequestContext, _ proceed: @escaping @LoopActor (ServiceError?) -> Void) {
        guard !service.hasReached(context.notBefore) else { return proceed(nil) }
        let id = nextID
        nextID += 1
        let left = context.deadline - service.loop.now
        let timer = service.loop.after(left) { [weak self] in self?.giveUp(id) }
        // A position that was passed at the last wake-up may be reached again after a rebuild.
        if service.reached != wokenAt { wokenAt = [] }
        waiting[id] = Waiter(
            positions: context.notBefore, open: context.open, proceed: proceed, timer: timer)
        context.open?.suspend { [weak self] error in self?.end(id, error) }
    }

    /// Call at the end of each turn.
    func wake() {
        guard !waiting.isEmpty else { return }
        let reached = service.reached
        guard reached != wokenAt else { return }
        wokenAt = reached
        for (id, waiter) in waiting where service.hasReached(waiter.positions) { end(id, nil) }
    }

    /// Forgets them all without an answer.
    func close() {
        waiting.values.forEach { service.loop.cancel($0.timer) }
        waiting = [:]
    }

    private func end(_ id: Int, _ error: ServiceError?) {
        guard let waiter = waiting.removeValue(forKey: id) else { return }
        service.loop.cancel(waiter.timer)
        waiter.open?.resume()
        waiter.proceed(error)
    }

    private func giveUp(_ id: Int) {
        guard let waiter = waiting[id] else { return }
        let missing = waiter.positions.filter { !service.hasReached([$0]) }
            .map { "\($0.service.rawValue) \($0.sequence)" }.joined(separator: ", ")
        end(
            id,
            ServiceError(
                .deadlineExceeded, "\(service.name.rawValue) has not applied \(missing) yet",
                remedy: "Repeat the request; `screentime status` shows how far it is."))
    }
}

extension Service {
    /// Whether all positions are reached.
    func hasReached(_ positions: [Position]) -> Bool {
        positions.allSatisfy { position in
            if position.service == name { return head >= position.sequence }
            guard let follower = followers[position.service] else { return true }
            return follower.reached >= position.sequence
        }
    }

    /// Sequences up to which this log is committed and the followed ones are applied.
    fileprivate var reached: [Int64] { [head] + followers.values.map(\.reached) }
}
