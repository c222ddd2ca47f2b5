internal import CSQLite

/// How far a checkpoint goes.
package enum CheckpointMode: Sendable {
    /// Moves the pages that no reader needs, without waiting.
    case passive
    /// Moves all pages and empties the log.
    case truncate

    var code: Int32 {
        switch self {
        case .passive: SQLITE_CHECKPOINT_PASSIVE
        case .truncate: SQLITE_CHECKPOINT_TRUNCATE
        }
    }
}

/// Recording commits in the sidecar, and checkpoints, which run only after the sidecar is synced.
extension Database {
    /// Why the sidecar is older than the store; nil if it is not. Commits are safe meanwhile, but checkpoints
    /// wait, and later damage would not be detected.
    package var recordingFailure: StoreError? { connection.recordingFailure }

    /// Updates the sidecar to the last commit. A failure is recorded and retried with the next commit; the
    /// commit itself is on disk.
    func recordCommit() {
        guard let recorder = connection.recorder, connection.isIdle,
            let frames = connection.framesToRecord
        else { return }
        do throws(StoreError) {
            try recorder.advance(to: frames)
            try writeState(recorder)
            connection.framesToRecord = nil
            connection.recordingFailure = nil
            guard frames >= nextCheckpointFrames else { return }
            // If a reader holds old pages, the checkpoint is retried later and not with every commit.
            nextCheckpointFrames = frames + StoreLimits.checkpointFrames / 4
            if try checkpoint(.passive) { nextCheckpointFrames = StoreLimits.checkpointFrames }
        } catch {
            connection.recordingFailure = error
        }
    }

    private func writeState(_ recorder: CommitRecorder) throws(StoreError) {
        let run = knowsRuns ? "(SELECT id FROM run ORDER BY first DESC LIMIT 1)" : "''"
        let position = try first(
            """
            SELECT (SELECT epoch FROM log),
                coalesce((SELECT max(sequence) FROM event), (SELECT trimmed FROM log), 0), \(run)
            """
        ) { (epoch: $0.text(0), head: $0.int64(1), run: $0.text(2)) }
        try recorder.write(
            epoch: position?.epoch ?? "", run: position?.run ?? "", head: position?.head ?? 0)
    }

    /// Moves pages from the log into the main file.
    /// - Returns: whether all were moved; a reader can hold some back.
    @discardableResult
    package func checkpoint(_ mode: CheckpointMode) throws(StoreError) -> Bool {
        guard !batchIsOpen else {
            throw StoreError(.misuse, message: "a checkpoint of \(path) while a batch is open")
        }
        if connection.framesToRecord != nil { recordCommit() }
        if let failure = recordingFailure { throw failure }
        // Moved pages must be covered by a state that is on disk.
        try connection.recorder?.sync()
        var frames: Int32 = 0
        var moved: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(connection.raw, "main", mode.code, &frames, &moved)
        if code == SQLITE_BUSY { return false }
        try connection.check(code, sql: nil, tried: "a checkpoint")
        guard mode == .truncate else { return frames == moved }
        nextCheckpointFrames = StoreLimits.checkpointFrames
        if let recorder = connection.recorder {
            recorder.logIsEmpty()
            try writeState(recorder)
        }
        return true
    }

    /// Compares the sidecar on disk with what was written to it. The next commit replaces a damaged or
    /// missing one.
    /// - Returns: what is wrong with it; nil if nothing is.
    package func checkSidecar() -> String? { connection.recorder?.checkSidecar() }

    /// Writes the newest state of the sidecar to disk; called when the service is idle.
    package func syncRecord() throws(StoreError) {
        if let failure = recordingFailure { throw failure }
        try connection.recorder?.sync()
    }

    /// Moves the log into the main file and closes it; statements of this store throw from then on.
    /// - Returns: false if another program reads the file, so that the log remains.
    @discardableResult
    package func close() throws(StoreError) -> Bool {
        let isWhole = try checkpoint(.truncate)
        try syncRecord()
        connection.close()
        return isWhole
    }
}
