internal import Contract
internal import JSON
internal import Loop
internal import Store
import Units

/// How the service keeps its store safe beside committing: the sidecar, and the end.
extension Service {
    /// Milliseconds from a commit to the sync of the sidecar; a power cut may hide what came in between.
    private static let recordSyncDelay: Milliseconds = 1_000

    /// After a commit that succeeded.
    func storeCommitted() {
        let failure = database.recordingFailure
        if failure != nil || health.degradedBy["store"] != nil {
            health.setDegraded(
                "store",
                failure.map { "the file that proves the store whole is behind: \($0.message) (\($0.remedy))" }
            )
        }
        syncRecordWhenIdle()
    }

    /// At most once a second, so that no commit waits for it.
    private func syncRecordWhenIdle() {
        guard !recordSyncIsDue else { return }
        recordSyncIsDue = true
        Reactor.shared.after(Self.recordSyncDelay) { [weak self] in
            guard let self else { return }
            recordSyncIsDue = false
            do throws(StoreError) { try database.syncRecord() } catch {
                log.warning(
                    "syncing what proves the store whole failed; it is tried again after the next commit",
                    [("error", .text(error.message))])
            }
        }
    }

    /// One of two states is enough to open the store, but the other may have been the newer one.
    func saySidecar() {
        guard let path = database.sidecarFinding else { return }
        let sentence =
            "one of the two states in \(path) was damaged when \(name.rawValue) started: the store was compared "
            + "with the other, which may be older, so what was committed last may be missing (after a power "
            + "cut nothing is; otherwise check the disk; this is said until the next start)"
        log.error("one of the two states that prove the store whole was damaged", [("file", .text(path))])
        setDegraded("store.sidecar", sentence)
    }

    /// Whoever met a damaged row is answered with it; the service itself says so too, until a check of the
    /// whole store finds nothing.
    func noteDamage(_ error: any Error) {
        guard let error = error as? StoreError, error.kind == .damaged else { return }
        sayDamaged(error.message)
    }

    /// What a damaged store says is not to be relied upon, so nothing of what it decides is.
    /// - Parameter finding: nil: the store is whole.
    func sayDamaged(_ finding: String?) {
        setNotActing(
            "store.damaged",
            finding.map {
                "what is decided by \(database.path) may be wrong, because it is damaged: \($0) ("
                    + DamagedStore.remedy(name, in: configuration.stateDirectory) + ")"
            })
    }

    /// The end: everything is in the main file, and nothing but it and its sidecar is left.
    func closeStore() {
        do throws(StoreError) {
            if try !database.close() {
                log.warning("another program reads the store, so its log stays beside it")
            }
        } catch {
            log.error(
                "closing the store failed; its log has what was committed", [("error", .text(error.message))])
        }
    }
}
