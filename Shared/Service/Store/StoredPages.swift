/// The pages of a store as its files contain them: those in the first frames of the log, the others in the
/// main file.
struct StoredPages {
    private let main: any OpenFile
    private let log: (any OpenFile)?
    private let frameOfPage: [Int: Int]
    private let pageBytes: Int
    /// Number of pages read at once; 1 MiB with pages of 4 KiB.
    private static let pagesAtOnce = 256

    /// - Parameter frames: the number of frames of the log to use; 0 does not read the log.
    init(
        main: any OpenFile, in files: any StoreFiles, pageBytes: Int, log contents: WriteAheadLog.Contents,
        frames: Int
    ) throws(StoreError) {
        self.pageBytes = pageBytes
        self.main = main
        frameOfPage = contents.frameOfPage(frames: frames)
        log = frames > 0 ? try files.open(existing: main.path + "-wal") : nil
    }

    /// The hashes of pages 1...count. A page in neither file counts as zeros.
    func hashes(count: Int) throws(StoreError) -> [UInt64] {
        var hashes: [UInt64] = []
        hashes.reserveCapacity(count)
        for first in stride(from: 0, to: count, by: Self.pagesAtOnce) {
            let pages = min(Self.pagesAtOnce, count - first)
            let bytes = try main.read(at: first * pageBytes, count: pages * pageBytes)
            for offset in 0..<pages {
                let page = first + offset + 1
                if let frame = frameOfPage[page] {
                    hashes.append(try hash(page, inFrame: frame))
                } else {
                    let start = min(offset * pageBytes, bytes.count)
                    let end = min(start + pageBytes, bytes.count)
                    hashes.append(PageHash.of(page, bytes[start..<end]))
                }
            }
        }
        return hashes
    }

    /// The hashes of those of pages 1...count that are in the log; `CommitRecorder.unknown` for the others.
    func hashesInLog(count: Int) throws(StoreError) -> [UInt64] {
        var hashes = [UInt64](repeating: CommitRecorder.unknown, count: count)
        for (page, frame) in frameOfPage where page <= count {
            hashes[page - 1] = try hash(page, inFrame: frame)
        }
        return hashes
    }

    private func hash(_ page: Int, inFrame frame: Int) throws(StoreError) -> UInt64 {
        guard let log else { return 0 }
        let offset = WriteAheadLog.pageOffset(ofFrame: frame, pageBytes: pageBytes)
        return PageHash.of(page, try log.read(at: offset, count: pageBytes)[...])
    }
}
