import Bus
import Contract
import Loop
import ServiceKit
import Units

/// Publishes `report.changed` once per member and turn, in the transaction that changed what is reported.
@LoopActor final class ChangeNotice {
    private struct Pending {
        var from: Instant
        /// Trace of the first change of the turn.
        let trace: TraceContext
    }

    /// Called when use of a member changed, after the event was emitted.
    var onPublished: @LoopActor (_ member: String) -> Void = { _ in }
    private let service: Service
    private var pending: [String: Pending] = [:]

    init(_ service: Service) { self.service = service }

    func note(_ member: String, from: Instant, _ transaction: Transaction) {
        let before = pending[member]
        transaction.onUndo { [weak self] in self?.pending[member] = before }
        pending[member, default: Pending(from: from, trace: transaction.trace)].from
            .formMinimum(from)
    }

    /// Emits what was noted in this turn; called before its commit.
    func publish() throws {
        let changes = pending.sorted { $0.key < $1.key }
        pending = [:]
        for (member, change) in changes {
            try service.transact(trace: change.trace) { transaction in
                try transaction.emit(ReportChanged(member: member, from: change.from), subject: member)
                transaction.afterCommit { [weak self] in self?.onPublished(member) }
            }
        }
    }
}

extension Instant {
    fileprivate mutating func formMinimum(_ other: Instant) { self = Swift.min(self, other) }
}
