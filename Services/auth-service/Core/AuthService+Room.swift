import Contract
import ServiceKit

/// Keeps room for one more app that asks. Authorizations that the person did not approve are removed when
/// space is needed, so that nobody can fill the table by asking.
extension AuthService {
    /// Makes room for a question of the process `pid` if there is none.
    /// - Throws: `limitExceeded` if all present ones are approved, or asked by processes with no more
    ///   questions than this one.
    func makeRoom(for pid: Int32, _ transaction: Transaction) throws {
        let present = try authorizations.all()
        guard present.count >= AuthLimits.authorizationsMax else { return }
        let unapproved = present.filter { $0.status != .approved }
        if let oldest = Self.oldest(unapproved.filter { !$0.pending }) {
            return try remove(oldest, transaction)
        }
        // No process waits for it: after a restart, or because its asker has exited.
        let abandoned = unapproved.filter { askingProcesses[$0.id].map(hasEnded) ?? true }
        guard let question = Self.oldest(abandoned) ?? newestOfGreatest(unapproved, but: pid) else {
            throw ServiceError(
                .limitExceeded,
                "\(present.count) apps are approved or asking, \(AuthLimits.authorizationsMax) are allowed",
                remedy: "Answer open questions, or revoke unused authorizations; see "
                    + "`screentime authorization list`.")
        }
        try remove(endAsking(question, .failure(Refusal.displaced), transaction), transaction)
    }

    /// Undecided ones come first, then those asked first.
    private static func oldest(_ authorizations: [Authorization]) -> Authorization? {
        authorizations.min {
            let (left, right) = ($0.decided != nil, $1.decided != nil)
            return left == right ? $0.requested < $1.requested : right
        }
    }

    /// The newest question of the process that asks the most, if `pid` would still ask less with one more.
    private func newestOfGreatest(_ asked: [Authorization], but pid: Int32) -> Authorization? {
        let questions = Dictionary(grouping: asked) { askingProcesses[$0.id] }
        guard let greatest = questions.values.max(by: { $0.count < $1.count }),
            greatest.count > (questions[pid]?.count ?? 0) + 1
        else { return nil }
        return greatest.max { $0.requested < $1.requested }
    }

    private func remove(_ authorization: Authorization, _ transaction: Transaction) throws {
        try authorizations.delete(id: authorization.id)
        // Copies do not contain undecided authorizations.
        guard authorization.decided != nil else { return }
        let nothing = Authorization(
            id: authorization.id, client: authorization.client, member: authorization.member,
            forWhom: authorization.forWhom, restrictions: true, requested: authorization.requested)
        try transaction.emit(AuthorizationChanged(authorization: nothing), subject: nothing.client)
        try service.household.note(nothing, transaction)
    }

    /// Records the process that waits for a question, or with nil that none does.
    func note(_ pid: Int32?, waitsFor id: String, _ transaction: Transaction?) {
        let before = askingProcesses[id]
        askingProcesses[id] = pid
        transaction?.onUndo { [weak self] in self?.askingProcesses[id] = before }
    }
}
