/// Updates the sidecar of an open store: after each commit it reads the new frames of the log and adjusts the
/// sum over all pages by the pages in them.
///
/// Why it is safe: a state is written only after its commit was synced, and it is synced before a checkpoint
/// moves any page of it. At any opening, even after a power cut, the state on disk is therefore found by
/// overlaying the main file with the frames that it counts; everything else in the log is newer.
final class CommitRecorder {
    private let path: String
    private let files: any StoreFiles
    private var sidecar: Sidecar
    /// The file was found damaged or missing: the next state creates it again.
    private var sidecarIsBroken = false
    /// Open as long as SQLite has the file open (see ``OpenFile``).
    private let main: any OpenFile
    private var log: (any OpenFile)?
    private(set) var state: CommittedState
    /// Whether the state counts commits that the sidecar does not have; then no page may be moved.
    private(set) var isAhead = false
    /// The hash of each page. `unknown` if the page was not read yet and its present version is in the main
    /// file.
    private var hashes: [UInt64]

    static let unknown = UInt64.max
    private static let framesAtOnce = 64

    /// - Parameter hashes: for all pages of the sidecar's state. Pages with `unknown` are read from the main
    ///   file when they change, so none of them may be in the log.
    init(main: any OpenFile, in files: any StoreFiles, _ sidecar: Sidecar, hashes: [UInt64]) {
        path = main.path
        self.files = files
        self.sidecar = sidecar
        self.main = main
        state = sidecar.newest
        self.hashes = hashes
    }

    /// Measures a store whose pages are all in its main file, and creates its sidecar.
    convenience init(
        measuring path: String, in files: any StoreFiles, pageBytes: Int, pages: Int, _ identity: Identity
    ) throws(StoreError) {
        let main = try files.open(existing: path)
        let hashes = try StoredPages(
            main: main, in: files, pageBytes: pageBytes, log: WriteAheadLog.Contents(), frames: 0
        ).hashes(count: pages)
        var state = CommittedState()
        state.epoch = identity.epoch
        state.run = identity.runs.first ?? ""
        state.head = identity.head
        state.pageBytes = pageBytes
        state.pages = pages
        state.sum = hashes.reduce(0, &+)
        let sidecar = try Sidecar.create(beside: path, in: files, state)
        self.init(main: main, in: files, sidecar, hashes: hashes)
    }

    // MARK: after a commit

    /// Applies the frames that were committed since the last state.
    /// - Parameter frames: committed frames in the log. A call that failed may be repeated.
    func advance(to frames: Int) throws(StoreError) {
        isAhead = true
        let log = try openLog()
        let header = WriteAheadLog.Header(try log.read(at: 0, count: WriteAheadLog.headerBytes))
        var next = header.salts == state.salts ? state.frames : 0
        let frameBytes = WriteAheadLog.frameHeaderBytes + state.pageBytes
        while next < frames {
            let count = min(Self.framesAtOnce, frames - next)
            let bytes = try log.read(
                at: WriteAheadLog.headerBytes + next * frameBytes, count: count * frameBytes)
            guard bytes.count == count * frameBytes else {
                throw StoreError(.damaged, message: "\(path)-wal ends before its last commit")
            }
            for frame in Self.frames(in: bytes, frameBytes: frameBytes) { try take(frame) }
            next += count
        }
        state.salts = header.salts
        state.frames = frames
    }

    /// SQLite has created the log by the time the store is open. It ignores whether its name is durable.
    func syncLogName() throws(StoreError) {
        try openLog()
        try files.syncDirectory(of: path)
    }

    @discardableResult
    private func openLog() throws(StoreError) -> any OpenFile {
        let log = if let log { log } else { try files.open(existing: path + "-wal") }
        self.log = log
        return log
    }

    private struct Frame {
        let page: Int
        /// Pages of the database after the commit that this frame ends; 0 within a transaction.
        let pagesCount: Int
        let hash: UInt64
    }

    private static func frames(in bytes: [UInt8], frameBytes: Int) -> [Frame] {
        bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: frameBytes).map { start in
                let page = bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self).bigEndian
                let count = bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self).bigEndian
                let content = bytes[(start + WriteAheadLog.frameHeaderBytes)..<(start + frameBytes)]
                return Frame(
                    page: Int(page), pagesCount: Int(count),
                    hash: PageHash.of(Int(page), UnsafeRawBufferPointer(rebasing: content)))
            }
        }
    }

    private func take(_ frame: Frame) throws(StoreError) {
        if frame.page > hashes.count {
            // New pages start with a contribution of 0.
            hashes += [UInt64](repeating: 0, count: frame.page - hashes.count)
        }
        try replace(frame.page, by: frame.hash)
        guard frame.pagesCount > 0 else { return }
        while hashes.count > frame.pagesCount {
            try replace(hashes.count, by: 0)
            hashes.removeLast()
        }
        state.pages = frame.pagesCount
    }

    private func replace(_ page: Int, by hash: UInt64) throws(StoreError) {
        var old = hashes[page - 1]
        if old == Self.unknown {
            let bytes = try main.read(at: (page - 1) * state.pageBytes, count: state.pageBytes)
            old = PageHash.of(page, bytes[...])
        }
        hashes[page - 1] = hash
        state.sum = state.sum &- old &+ hash
    }

    // MARK: the file

    func write(epoch: String, run: String, head: Int64) throws(StoreError) {
        state.epoch = epoch
        state.run = run
        state.head = head
        if sidecarIsBroken {
            state.number = sidecar.newest.number + 1
            sidecar = try Sidecar.create(beside: path, in: files, state)
            sidecarIsBroken = false
        } else {
            try sidecar.write(state)
        }
        isAhead = false
    }

    /// What is wrong with the sidecar on disk; nil if it holds what was written.
    func checkSidecar() -> String? {
        let finding = sidecar.finding()
        sidecarIsBroken = finding != nil
        return finding
    }

    /// Whether only one state of the sidecar was valid when it was opened.
    var sidecarWasHalfBroken: Bool { sidecar.wasHalfBroken }

    /// Call when all pages are in the main file and the log is empty.
    func logIsEmpty() {
        state.salts = 0
        state.frames = 0
    }

    func sync() throws(StoreError) { try sidecar.sync() }

    // MARK: snapshots

    func snapshot() throws(StoreError) -> Snapshot {
        try Snapshot(path: path, in: files, state, main: main, hashes: hashes)
    }

    /// Whether the hash of a page is known and differs from the hash that was read.
    static func isOther(_ known: UInt64, than found: UInt64) -> Bool { known != unknown && known != found }
}
