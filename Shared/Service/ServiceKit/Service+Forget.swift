package import Bus
package import Contract
import Glibc
internal import JSON
internal import Store
package import Units

/// Deletion on request, the same in every service. One write removes data from logged events, rows from
/// tables, and stored answers. After its commit the files are rewritten, so that no deleted byte remains.
extension Service {
    /// Setting that marks that something was deleted and the files are not rewritten yet.
    fileprivate static let scrubKey = "scrub"

    func answerForget() {
        later(PrivacyForget.self, repeats: .areDoneAgain) { [unowned self] params, context in
            let forgetting = try Forgetting(params)
            if params.rehearse == true { return try rehearse(forgetting) }
            return try await forget(forgetting, trace: context.trace)
        }
    }

    /// Refuses while a backup holds the commits, because its copy would keep the bytes.
    private func refuseDuringBackup(_ consequence: String) throws(ServiceError) {
        guard heldSnapshot != nil else { return }
        throw ServiceError(
            .conflict, "a backup is being made, so \(consequence)", remedy: "Try again when it has ended.")
    }

    /// Writes pending changes of this turn to the store, so that undoing the deletion does not undo them.
    private func settleTurn() throws {
        do { try completeTurn() } catch {
            failTurn(ServiceError(anything: error))
            throw error
        }
    }

    // MARK: what would go

    private func rehearse(_ forgetting: Forgetting) throws -> PrivacyForget.Result {
        try refuseDuringBackup("what would be forgotten is not known")
        endTurn()
        let report = ForgetReport(now: clock.now)
        var isDone = false
        do {
            try transact(trace: nil) { transaction in
                try remove(forgetting, report, transaction)
                isDone = true
                throw ServiceError(.conflict, "a dry run changes nothing", remedy: "")
            }
        } catch {
            guard isDone else { throw error }
        }
        return try result(report)
    }

    private func result(_ report: ForgetReport) throws -> PrivacyForget.Result {
        PrivacyForget.Result(
            removed: report.removed, left: report.left, words: report.gone.sorted(), until: report.now,
            sequence: try eventLog.head())
    }

    // MARK: doing it

    /// - Parameters:
    ///   - unreadableUntil: records that were set aside before are deleted, too.
    ///   - onlyIfAny: does not rewrite the files if nothing was deleted.
    package func forget(
        _ forgetting: Forgetting, trace: TraceContext? = nil, unreadableUntil: Instant = .max,
        onlyIfAny: Bool = false
    ) async throws -> PrivacyForget.Result {
        try refuseDuringBackup("nothing was forgotten")
        let report = ForgetReport(now: clock.now)
        let isDue = try Settings(database).get(Self.scrubKey) != nil
        try settleTurn()
        try transact(trace: trace) { transaction in
            try transaction.leaveBytes()
            try remove(forgetting, unreadableUntil: unreadableUntil, report, transaction)
        }
        try await committed()
        if forgetting.extent == .everything {
            // Events about the end of deleted rules name them, and are erased, too.
            try transact(trace: trace) { _ in
                guard let plan = forgetPlan?() else { return }
                try eraseEvents(report) { try plan.erases($0, forgetting) }
            }
            try await committed()
        }
        if onlyIfAny, !isDue, report.removed.isEmpty { return try keepUnscrubbed(report) }
        try scrub(forgetting, report)
        log.info("forgot what was asked", [("things", .number(report.removed.reduce(0) { $0 + $1.count }))])
        return try result(report)
    }

    /// Nothing was deleted, so the files are not rewritten.
    private func keepUnscrubbed(_ report: ForgetReport) throws -> PrivacyForget.Result {
        try transact(trace: nil) { _ in try Settings(database).set(Self.scrubKey, nil) }
        return try result(report)
    }

    /// - Parameter end: what was set aside before goes, too: nobody knows whom it is about, and when.
    private func remove(
        _ forgetting: Forgetting, unreadableUntil end: Instant = .max, _ report: ForgetReport,
        _ transaction: Transaction
    ) throws {
        let plan = forgetPlan?()
        if let plan { try eraseEvents(report) { try plan.erases($0, forgetting) } }
        try eraseAnswers(forgetting)
        report.removed("records that could not be read", try letGoOfUnreadable(until: end, transaction))
        try plan?.remove(forgetting, report, transaction)
    }

    /// Erases the data of logged events. Call inside a write.
    package func eraseEvents(
        _ report: ForgetReport, _ isIncluded: (StoredEventData) throws -> Bool
    ) throws {
        let count = try eventLog.erase { event in
            var whole = try AnyEvent.stored(event.body, in: "event")
            guard let data = whole.data else { return nil }
            let stored = StoredEventData(
                sequence: event.sequence, type: event.type, time: event.time, data: data)
            guard try isIncluded(stored) else { return nil }
            whole.data = RawJSON()
            return whole.encoded()
        }
        report.removed("events", count)
    }

    /// A stored answer only prevents a second effect of a repeated write. One that contains the names is
    /// deleted.
    private func eraseAnswers(_ forgetting: Forgetting) throws {
        let rows = try database.query("SELECT rowid, key, answer, at_ms FROM answer") {
            ($0.int64(0), $0.text(1), $0.bytes(2), $0.instant(3))
        }
        for (id, key, answer, at) in rows
        where forgetting.extent == .everything || forgetting.contains(at)
            || forgetting.words.occur(inBytes: Array(key.utf8)) || forgetting.words.occur(inBytes: answer)
        {
            try database.run("DELETE FROM answer WHERE rowid = ?1", id)
        }
    }

    // MARK: the bytes

    /// Commits what is open, and removes deleted data from the files and from memory.
    private func scrub(_ forgetting: Forgetting, _ report: ForgetReport) throws {
        try refuseDuringBackup("what was deleted is still in the bytes of the files")
        endTurn()
        do {
            try database.scrub()
            try Settings.clearScrub(database, Self.scrubKey)
        } catch { throw ServiceError(anything: error) }
        tracer.clear()
        report.removed("lines of logs", try log.removeLines(of: forgetting))
        for path in forgetPlan?().textFiles() ?? [] {
            report.removed("lines of logs", try forgetting.removeLines(from: path))
        }
    }

    /// At the start: completes a scrub if the process was killed between the commit and the scrub.
    static func finishScrub(_ database: Database) throws(StoreError) {
        guard try Settings(database).get(scrubKey) != nil else { return }
        try database.scrub()
        do { try Settings.clearScrub(database, scrubKey) } catch let error as StoreError { throw error } catch
        {
            throw StoreError(.misuse, message: "\(error)")
        }
    }
}

extension Transaction {
    /// Marks that deleted bytes remain. The files are rewritten with the next deletion or at the next start.
    package func leaveBytes() throws { try Settings(database).set(Service.scrubKey, "due") }
}

extension Settings {
    fileprivate static func clearScrub(_ database: Database, _ key: String) throws {
        try database.write { try Settings($0).set(key, nil) }
        try database.commit()
    }
}
