import Bus
import Contract
import Loop
import ServiceKit
import Units

/// Tells `report.changed` once per member and turn, in the transaction that changed what is reported.
@LoopActor final class ChangeNotice {
    private struct Pending {
        var from: Instant
        /// Of the first change of the turn.
        let trace: TraceContext
    }

    /// Use of a member changed; after it was told.
    var onTold: @LoopActor (_ member: String) -> Void = { _ in }
    private let service: Service
    private var pending: [String: Pending] = [:]

    /// Before the service starts: hooks run in the order in which they were registered, and this one
    /// has to come before the service's own, which commits.
    init(_ service: Service) {
        self.service = service
        _ = Reactor.shared.atEndOfTurn { [weak self] in self?.tell() }
        service.onStop.append { [weak self] in self?.tell() }
    }

    func note(_ member: String, from: Instant, _ transaction: Transaction) {
        let before = pending[member]
        transaction.onUndo { [weak self] in self?.pending[member] = before }
        pending[member, default: Pending(from: from, trace: transaction.trace)].from
            .formMinimum(from)
    }

    private func tell() {
        guard !pending.isEmpty else { return }
        let changes = pending.sorted { $0.key < $1.key }
        pending = [:]
        for (member, change) in changes {
            do throws(ServiceError) {
                try service.transact(trace: change.trace) { transaction in
                    _ = try transaction.emit(
                        ReportChanged(member: member, from: change.from), subject: member)
                    transaction.afterCommit { [weak self] in self?.onTold(member) }
                }
            } catch {
                // A store that refuses this refuses the commit too, and the changes come again.
                service.log.error("telling a change failed", [("error", .text(error.name.rawValue))])
            }
        }
    }
}

extension Instant {
    fileprivate mutating func formMinimum(_ other: Instant) { self = Swift.min(self, other) }
}
