internal import Contract
internal import JSON
internal import Loop
internal import Store
import Time
import Units

/// A snapshot for a backup; commits wait while it is held.
struct HeldSnapshot {
    let id: String
    let snapshot: Snapshot
    /// On the monotonic clock: commits resume then at the latest.
    let end: Milliseconds
    let timer: TimerToken
}

/// Consistent copies of all stores while the services run: each service takes a snapshot and then commits
/// nothing until all have one. No cursor in a copy is therefore ahead of its owner's log.
extension Service {
    /// Longest time in milliseconds that commits wait for the other services.
    private static let holdMax: Milliseconds = 5_000

    var holdsCommits: Bool { heldSnapshot != nil }

    func answerStoreMethods() {
        // These methods report committed state, and must not wait for commits that they hold back.
        later(BackupHold.self, waitsForCommit: false, repeats: .areDoneAgainWithoutTrace) {
            [unowned self] params, _ in try hold(params.id)
        }
        later(BackupCopy.self, waitsForCommit: false, repeats: .areDoneAgainWithoutTrace) {
            [unowned self] params, _ in try await copy(params)
        }
        later(StoreCheck.self, waitsForCommit: false) { [unowned self] _, _ in try await checkStore() }
    }

    private func hold(_ id: String) throws -> BackupHold.Result {
        if heldSnapshot?.id == id { return BackupHold.Result(epoch: eventLog.epoch, head: head) }
        if let held = heldSnapshot {
            let seconds = max(1, (held.end - loop.now + 999) / .second)
            throw ServiceError(
                .conflict, "another backup holds the commits of \(name.rawValue), for \(seconds) s at most",
                remedy: "Try again when it has ended.")
        }
        endTurn()
        let snapshot = try database.snapshot()
        let timer = loop.after(Self.holdMax) { [weak self] in self?.holdTooLong() }
        heldSnapshot = HeldSnapshot(
            id: id, snapshot: snapshot, end: loop.now + Self.holdMax, timer: timer)
        return BackupHold.Result(epoch: eventLog.epoch, head: head)
    }

    private func holdTooLong() {
        guard holdsCommits else { return }
        log.warning("a backup held commits too long; commits resumed without it")
        dropSnapshot()
    }

    /// Resumes commits.
    func dropSnapshot() {
        guard let held = heldSnapshot else { return }
        heldSnapshot = nil
        loop.cancel(held.timer)
        held.snapshot.close()
        endTurn()
    }

    private func copy(_ params: BackupCopy.Params) async throws -> BackupCopy.Result {
        guard let held = heldSnapshot, held.id == params.id else {
            throw ServiceError(
                .conflict, "\(name.rawValue) holds no snapshot for this backup",
                remedy: "Commits are held for \(Self.holdMax / .second) s at most. Try again.")
        }
        guard let path = params.path else {
            dropSnapshot()
            return BackupCopy.Result()
        }
        guard path.hasPrefix("/") else {
            throw ServiceError(
                .invalidParams, "'path' is not an absolute path",
                remedy: "Send the absolute path of a file that does not exist.")
        }
        heldSnapshot = nil
        loop.cancel(held.timer)
        endTurn()
        let snapshot = held.snapshot
        let copied = await loop.onOwnThread { () -> Result<(sum: UInt64, bytes: Int64), StoreError> in
            defer { snapshot.close() }
            do throws(StoreError) { return .success(try snapshot.copy(to: path)) } catch {
                return .failure(error)
            }
        }
        let copy: (sum: UInt64, bytes: Int64)
        do throws(StoreError) { copy = try copied.get() } catch {
            guard error.kind == .full else { throw ServiceError(error) }
            throw ServiceError(
                .storageFull, "the disk of '\(path)' is full",
                remedy: "Free some space there, or choose another directory.")
        }
        return BackupCopy.Result(bytes: copy.bytes, sum: String(copy.sum, radix: 16))
    }

    // MARK: checking

    /// Compares every page with what was committed and runs SQLite's integrity check, on another thread.
    func checkStore() async throws -> StoreCheck.Result {
        endTurn()
        let sidecarFinding = database.checkSidecar().map {
            "the sidecar of the store: \($0); the next commit writes it again, no backup is needed "
                + "for it"
        }
        let snapshot = try database.snapshot()
        let places = try cursors.all().map {
            LogPlace(service: $0.source, epoch: $0.cursor.epoch, sequence: $0.cursor.sequence)
        }
        let head = head
        let checked = await loop.onOwnThread { () -> Result<[String], StoreError> in
            defer { snapshot.close() }
            do throws(StoreError) { return .success(try snapshot.findings()) } catch {
                return .failure(error)
            }
        }
        let findings: [String]
        do throws(StoreError) { findings = try checked.get() } catch { throw ServiceError(error) }
        reportDamage(findings.first)
        return StoreCheck.Result(
            findings: findings + (sidecarFinding.map { [$0] } ?? []), bytes: snapshot.state.bytes,
            epoch: eventLog.epoch, head: head, cursors: places)
    }

    private static let dailyCheck = "store.check"

    /// Once a day in machine time. Pages of large files are compared only here.
    /// - Parameter pause: until the next check.
    func checkStoreDaily(after pause: Milliseconds = .day) {
        loop.after(pause) { [weak self] in
            Task { @LoopActor in
                guard let self, !self.stopping else { return }
                let pause = await self.checkStoreOfToday()
                if !self.stopping { self.checkStoreDaily(after: pause) }
            }
        }
    }

    /// Checks the store, and reports a check that could not read it.
    /// - Returns: the pause until the next check: a store that could not be read is checked again after an
    ///   hour, so that one failed read is not reported for a day.
    func checkStoreOfToday() async -> Milliseconds {
        do {
            let result = try await checkStore()
            setDegraded(Self.dailyCheck, nil)
            if !result.findings.isEmpty {
                log.error(
                    "the store is damaged", [("finding", .text(result.findings.joined(separator: "; ")))])
            }
            return .day
        } catch {
            let error = ServiceError(anything: error)
            log.error("the daily check of the store failed", [("error", .text(error.message))])
            setDegraded(
                Self.dailyCheck,
                "the daily check of the store could not read it: \(error.message) (\(error.remedy))")
            return .hour
        }
    }
}
