/// The write-ahead log beside a store, read before SQLite opens it.
///
/// SQLite's recovery ends silently at the first frame with a wrong checksum. After a power cut that is right:
/// the frame belongs to a transaction that was not synced. But if the frame after a later commit follows that
/// commit correctly, that commit had been synced (synchronous FULL syncs before the next transaction begins),
/// and continuing would silently lose acknowledged writes. Format: sqlite.org/fileformat2.html, section 4.
struct WriteAheadLog: ~Copyable {
    static let headerBytes = 32
    static let frameHeaderBytes = 24

    private let file: any OpenFile
    private let header: Header
    private let frameBytes: Int
    private let framesCount: Int

    /// - Parameters:
    ///   - bytes: the length of the log's file; up to `headerBytes` it contains no commit.
    ///   - mainPageBytes: the page size of the main file, used if the log's header is broken.
    init(_ file: any OpenFile, bytes: Int64, mainPageBytes: Int) throws(StoreError) {
        let header = Header(try file.read(at: 0, count: Self.headerBytes))
        let pageBytes = header.isValid ? header.pageBytes : mainPageBytes
        frameBytes = Self.frameHeaderBytes + pageBytes
        framesCount = max(0, Int(bytes) - Self.headerBytes) / frameBytes
        self.file = file
        self.header = header
    }

    /// What recovery will find.
    struct Contents {
        /// Pages of the database after the last commit; 0 if there is no commit.
        var pagesCount = 0
        /// The page in each frame up to the last commit, in order.
        var pages: [Int] = []
        var pageBytes = 0
        /// Distinguishes this generation of the log from earlier and later ones.
        var salts: UInt64 = 0

        /// The newest of the first `frames` frames for each page.
        func frameOfPage(frames: Int) -> [Int: Int] {
            Dictionary(pages.prefix(frames).enumerated().map { ($1, $0) }) { max($0, $1) }
        }
    }

    /// What SQLite will read from the log.
    /// - Throws: `.damaged` if synced commits follow a broken frame.
    func contents() throws(StoreError) -> Contents {
        var contents = Contents()
        guard header.isValid else {
            try checkNothingFollows(brokenFrame: -1)
            return contents
        }
        contents.pageBytes = header.pageBytes
        contents.salts = header.salts
        var committed = 0
        var checksum = header.checksum
        for index in 0..<framesCount {
            let frame = try frame(index)
            guard frame.salts == header.salts, frame.page > 0, frame.follows(checksum, header.isBigEndian)
            else {
                try checkNothingFollows(brokenFrame: index)
                break
            }
            checksum = frame.checksum
            contents.pages.append(frame.page)
            if frame.isCommit {
                contents.pagesCount = frame.pagesCount
                committed = contents.pages.count
            }
        }
        contents.pages.removeLast(contents.pages.count - committed)
        return contents
    }

    /// Searches behind a broken frame (-1: the header) for a commit that is followed by another transaction.
    private func checkNothingFollows(brokenFrame: Int) throws(StoreError) {
        var before: Frame?
        for index in max(0, brokenFrame)..<framesCount {
            let frame = try frame(index)
            if let before, before.salts == frame.salts, frame.page > 0,
                before.isCommit || brokenFrame < 0, frame.follows(before.checksum, header.isBigEndian)
            {
                let place = brokenFrame < 0 ? "header" : "frame \(brokenFrame + 1) of \(framesCount)"
                throw StoreError(
                    .damaged,
                    message: "opening \(file.path): its \(place) is broken, but committed writes follow it")
            }
            // After a valid header only frames of this generation count; others are left over from an earlier
            // one.
            before = brokenFrame < 0 || frame.salts == header.salts ? frame : nil
        }
    }

    /// Offset of a frame's page in the log.
    static func pageOffset(ofFrame index: Int, pageBytes: Int) -> Int {
        headerBytes + index * (frameHeaderBytes + pageBytes) + frameHeaderBytes
    }

    private func frame(_ index: Int) throws(StoreError) -> Frame {
        Frame(try file.read(at: Self.headerBytes + index * frameBytes, count: frameBytes))
    }
}

/// SQLite's running checksum over pairs of 32-bit words.
struct LogChecksum: Equatable {
    var first: UInt32
    var second: UInt32

    func adding(_ bytes: some RandomAccessCollection<UInt8>, bigEndian: Bool) -> LogChecksum {
        var sum = self
        let added: Void? = bytes.withContiguousStorageIfAvailable {
            sum.add(UnsafeRawBufferPointer($0), bigEndian)
        }
        precondition(added != nil, "checksums are taken over arrays and their slices only")
        return sum
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer, _ bigEndian: Bool) {
        for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
            let one = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            let two = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            first &+= (bigEndian ? UInt32(bigEndian: one) : UInt32(littleEndian: one)) &+ second
            second &+= (bigEndian ? UInt32(bigEndian: two) : UInt32(littleEndian: two)) &+ first
        }
    }
}

extension WriteAheadLog {
    /// Bytes 0..<32 of the log; its numbers are big-endian, whatever the checksums are.
    struct Header {
        let isValid: Bool
        let isBigEndian: Bool
        let pageBytes: Int
        let salts: UInt64
        let checksum: LogChecksum

        init(_ bytes: [UInt8]) {
            let magic = bytes.number(at: 0)
            isBigEndian = magic == 0x377f_0683
            pageBytes = Int(bytes.number(at: 8))
            salts = UInt64(bytes.number(at: 16)) << 32 | UInt64(bytes.number(at: 20))
            checksum = LogChecksum(first: bytes.number(at: 24), second: bytes.number(at: 28))
            let sum = LogChecksum(first: 0, second: 0).adding(bytes.prefix(24), bigEndian: isBigEndian)
            let isPageSize = (512...65536).contains(pageBytes) && pageBytes & (pageBytes - 1) == 0
            isValid = magic & ~1 == 0x377f_0682 && isPageSize && sum == checksum
        }
    }

    /// One page as it was after a transaction.
    struct Frame {
        private let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var page: Int { Int(bytes.number(at: 0)) }
        /// Pages of the database after the commit that this frame ends; 0 within a transaction.
        var pagesCount: Int { Int(bytes.number(at: 4)) }
        var isCommit: Bool { pagesCount > 0 }
        var salts: UInt64 { UInt64(bytes.number(at: 8)) << 32 | UInt64(bytes.number(at: 12)) }
        var checksum: LogChecksum { LogChecksum(first: bytes.number(at: 16), second: bytes.number(at: 20)) }

        /// Whether this frame is intact and was written after a frame with the checksum `before`.
        func follows(_ before: LogChecksum, _ bigEndian: Bool) -> Bool {
            before.adding(bytes.prefix(8), bigEndian: bigEndian)
                .adding(bytes.dropFirst(WriteAheadLog.frameHeaderBytes), bigEndian: bigEndian) == checksum
        }
    }
}

extension [UInt8] {
    /// A big-endian 32-bit number; bytes beyond the end count as 0.
    func number(at offset: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 8 | UInt32(offset + $1 < count ? self[offset + $1] : 0) }
    }
}
