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

    /// Create it before the service starts: hooks run in order of registration, and this one must run before
    /// the service's own hook, which commits.
    init(_ service: Service) {
        self.service = service
        _ = Reactor.shared.atEndOfTurn { [weak self] in self?.publish() }
        service.onStop.append { [weak self] in self?.publish() }
    }

    func note(_ member: String, from: Instant, _ transaction: Transaction) {
        let before = pending[member]
        transaction.onUndo { [weak self] in self?.pending[member] = before }
        pending[member, default: Pending(from: from, trace: transaction.trace)].from
            .formMinimum(from)
    }

    private func publish() {
        guard !pending.isEmpty else { return }
        let changes = pending.sorted { $0.key < $1.key }
        pending = [:]
        for (member, change) in changes {
            do throws(ServiceError) {
                try service.transact(trace: change.trace) { transaction in
                    _ = try transaction.emit(
                        ReportChanged(member: member, from: change.from), subject: member)
                    transaction.afterCommit { [weak self] in self?.onPublished(member) }
                }
            } catch {
                // If the store refuses this, the commit fails, too, and the changes are delivered again.
                service.log.error("publishing a change failed", [("error", .text(error.name.rawValue))])
            }
        }
    }
}

extension Instant {
    fileprivate mutating func formMinimum(_ other: Instant) { self = Swift.min(self, other) }
}
