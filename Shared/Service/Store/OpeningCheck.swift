/// Compares the files of a store with its sidecar before SQLite sees them.
struct OpeningCheck {
    enum Finding {
        /// The store was written by a program without sidecars, or is new.
        case noSidecar
        /// The committed content is there.
        case whole(CommitRecorder)
        /// It is not: data was lost or changed, or another store replaced this one.
        case differs(CommittedState, why: String)
    }

    let path: String
    let files: any StoreFiles
    /// Bytes of the main file.
    let bytes: Int64
    let log: WriteAheadLog.Contents
    /// Larger stores are not read completely.
    let bytesMax: Int64

    func run() throws(StoreError) -> Finding {
        guard let sidecar = try Sidecar.open(beside: path, in: files) else {
            try makeDurable(from: 0)
            return .noSidecar
        }
        let state = sidecar.newest
        let main = try files.open(existing: path)
        let header = try main.read(at: 0, count: 100)
        guard StoreFile.pageBytes(header) == state.pageBytes else {
            return .differs(state, why: "its header states another page size")
        }
        let isInLog = state.frames > 0 && log.salts == state.salts
        guard !isInLog || log.pages.count >= state.frames else {
            return .differs(
                state, why: "its log holds \(log.pages.count) of \(state.frames) committed pages")
        }
        let frames = isInLog ? state.frames : 0
        let isSmall = Int64(state.pages * state.pageBytes) <= bytesMax
        // A missing log was either moved completely into the main file, or lost.
        let isLogGone = state.frames > 0 && !isInLog
        let pages = try StoredPages(
            main: main, in: files, pageBytes: state.pageBytes, log: log, frames: frames)
        let hashes: [UInt64]
        if isSmall || isLogGone {
            hashes = try pages.hashes(count: state.pages)
            guard hashes.reduce(0, &+) == state.sum else {
                let what = isLogGone ? "the log that held the last commits is gone, and " : ""
                return .differs(state, why: "\(what)its pages are not those of the last commit")
            }
        } else {
            guard frames > 0 || bytes >= Int64(state.pages * state.pageBytes) else {
                return .differs(state, why: "the file was cut")
            }
            hashes = try pages.hashesInLog(count: state.pages)
        }
        let recorder = CommitRecorder(main: main, in: files, sidecar, hashes: hashes)
        if log.pages.isEmpty { recorder.logIsEmpty() }
        if log.pages.count > frames {
            try makeDurable(from: frames)
            try recorder.advance(to: log.pages.count)
        }
        return .whole(recorder)
    }

    /// Writes the committed frames that the sidecar does not count to disk. The process that died before it
    /// recorded them may not have synced them; and if a sync failed, no later one writes them unless they are
    /// written again (fsync(2)). Commits that follow them would otherwise be lost with them.
    private func makeDurable(from frames: Int) throws(StoreError) {
        guard log.pages.count > frames else { return }
        let file = try files.open(existing: path + "-wal", .updating)
        let frameBytes = WriteAheadLog.frameHeaderBytes + log.pageBytes
        // The header was synced before the first frame that the sidecar counts.
        var offset = frames == 0 ? 0 : WriteAheadLog.headerBytes + frames * frameBytes
        let end = WriteAheadLog.headerBytes + log.pages.count * frameBytes
        while offset < end {
            let bytes = try file.read(at: offset, count: min(Self.bytesAtOnce, end - offset))
            guard !bytes.isEmpty else {
                throw StoreError(.damaged, message: "\(file.path) ends before its last commit")
            }
            try file.write(bytes, at: offset)
            offset += bytes.count
        }
        try file.sync()
    }

    private static let bytesAtOnce = 1 << 18
}
