internal import Contract
internal import JSON
internal import Loop
internal import Store
import Units

/// How the service protects its store besides committing: the sidecar, and an orderly close.
extension Service {
    /// Milliseconds from a commit to the sync of the sidecar. A power cut may hide losses of that period.
    private static let recordSyncDelay: Milliseconds = 1_000

    /// Call after a successful commit that wrote something.
    func storeCommitted() {
        let failure = database.recordingFailure
        if failure != nil || health.degradedBy[Self.storeKey] != nil {
            health.setDegraded(
                Self.storeKey,
                failure.map { "the sidecar of the store is outdated: \($0.message) (\($0.remedy))" }
            )
        }
        if failure != nil { tryStoreLater() }
        syncRecordWhenIdle()
    }

    /// Call after a commit that the store refused.
    func storeRefused(_ failure: ServiceError) {
        setNotActing(Self.storeKey, "new data is not stored: \(failure.message) (\(failure.remedy))")
        tryStoreLater()
    }

    private static let storeKey = "store"

    // MARK: memory

    /// Keeps a step that failed. Until it succeeds, memory has what the store has not, so nothing is written.
    func keepUndo(_ step: @escaping @LoopActor () throws -> Void, _ error: any Error) {
        noteDamage(error)
        let reason = ServiceError(anything: error).message
        log.error("undoing a change in memory failed; it will be retried", [("error", .text(reason))])
        setNotActing(
            Self.memoryKey,
            "new data is refused, and its decisions may be wrong: a change that was not stored could not be "
                + "undone in memory: \(reason) (check the disk; it is tried again by itself)")
        failedUndos.append(step)
        tryStoreLater()
    }

    private static let memoryKey = "memory"

    /// Repeats the undo steps that failed.
    /// - Throws: `storageFailed` if one fails again.
    func restoreMemory() throws(ServiceError) {
        while let step = failedUndos.first {
            do { try step() } catch { throw memoryError(error) }
            failedUndos.removeFirst()
            if failedUndos.isEmpty { setNotActing(Self.memoryKey, nil) }
        }
    }

    /// The error of every request of the turn in which memory could not be restored.
    func memoryError(_ cause: any Error) -> ServiceError {
        ServiceError(
            .storageFailed,
            "\(name.rawValue) could not read its store again: \(ServiceError(anything: cause).message)",
            remedy: "Check the disk; nothing of this request was stored.")
    }

    // MARK: trials

    /// A service that nobody asks to write anything would otherwise report a failure for ever that has ended.
    private func tryStoreLater() {
        guard !storeTrialIsDue, !stopping else { return }
        storeTrialIsDue = true
        loop.after(storeTrialDelay) { [weak self] in self?.tryStore() }
    }

    private func tryStore() {
        storeTrialIsDue = false
        guard degradedBy(Self.storeKey) != nil || !failedUndos.isEmpty, !stopping else { return }
        do {
            // Each time another value: SQLite writes nothing where nothing changes.
            try transact(trace: nil) { transaction in
                try Settings(transaction.database).set("storeTried", String(loop.nowNs))
            }
        } catch {
            storeRefused(error)
        }
    }

    /// At most once a second, so that no commit waits for the sync.
    private func syncRecordWhenIdle() {
        guard !recordSyncIsDue else { return }
        recordSyncIsDue = true
        loop.after(Self.recordSyncDelay) { [weak self] in
            guard let self else { return }
            recordSyncIsDue = false
            do throws(StoreError) { try database.syncRecord() } catch {
                log.warning(
                    "syncing the sidecar of the store failed; it will be retried after the next commit",
                    [("error", .text(error.message))])
            }
        }
    }

    /// One state is enough to open the store, but the damaged one may have been newer.
    func reportSidecar() {
        guard let path = database.sidecarFinding else { return }
        let sentence =
            "one of the two states in \(path) was damaged when \(name.rawValue) started. The store was "
            + "compared with the other, which may be older, so the last commits may be missing (after a "
            + "power cut nothing is; otherwise check the disk; reported until the next start)"
        log.error("one of the two states in the sidecar was damaged", [("file", .text(path))])
        setDegraded("store.sidecar", sentence)
    }

    /// Closes the store: all data is in the main file, and only that file and its sidecar remain.
    func closeStore() {
        do throws(StoreError) {
            if try !database.close() {
                log.warning("another program reads the store, so its write-ahead log remains")
            }
        } catch {
            log.error(
                "closing the store failed; its log has the commits", [("error", .text(error.message))])
        }
    }
}
