/// A write-ahead log of SQLite, put into the image of its database. Format: sqlite.org/fileformat2.html,
/// section 4.
enum KnowledgeLog {
    private static let headerBytes = 32
    private static let frameHeaderBytes = 24

    /// Puts the newest committed version of each page into `image`, up to the first frame that does not fit,
    /// as SQLite does. The work is that of the log's length, however many commits are in it.
    /// - Returns: false when the last commit says that the database is larger than `bytesMax`.
    static func apply(_ log: [UInt8], to image: inout [UInt8], bytesMax: Int) -> Bool {
        guard log.count >= headerBytes, number(log, 0) & ~1 == 0x377F_0682 else { return true }
        let isBigEndian = number(log, 0) & 1 == 1
        let pageBytes = Int(number(log, 8))
        var checksum = sum(log[0..<24], from: (0, 0), isBigEndian)
        guard (512...65_536).contains(pageBytes), pageBytes & (pageBytes - 1) == 0,
            checksum == (number(log, 24), number(log, 28))
        else { return true }
        var newest: [Int: Range<Int>] = [:]
        var waiting: [(page: Int, content: Range<Int>)] = []
        var pages = 0
        var start = headerBytes
        while start + frameHeaderBytes + pageBytes <= log.count {
            let content = (start + frameHeaderBytes)..<(start + frameHeaderBytes + pageBytes)
            let (page, pagesCount) = (Int(number(log, start)), Int(number(log, start + 4)))
            checksum = sum(log[start..<(start + 8)], from: checksum, isBigEndian)
            checksum = sum(log[content], from: checksum, isBigEndian)
            guard log[(start + 8)..<(start + 16)].elementsEqual(log[16..<24]), page > 0,
                checksum == (number(log, start + 16), number(log, start + 20))
            else { break }
            waiting.append((page, content))
            start = content.upperBound
            guard pagesCount > 0 else { continue }
            pages = pagesCount
            for (page, content) in waiting { newest[page] = content }
            waiting = []
        }
        guard pages > 0 else { return true }
        let size = pages * pageBytes
        guard size <= bytesMax else { return false }
        image = image.prefix(size) + [UInt8](repeating: 0, count: max(0, size - image.count))
        for (page, content) in newest where page <= pages {
            image.replaceSubrange(((page - 1) * pageBytes)..<(page * pageBytes), with: log[content])
        }
        return true
    }

    private static func number(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        bytes[at..<(at + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// SQLite's checksum of whole pairs of 32-bit words.
    private static func sum(
        _ bytes: ArraySlice<UInt8>, from start: (UInt32, UInt32), _ isBigEndian: Bool
    ) -> (UInt32, UInt32) {
        var (first, second) = start
        bytes.withUnsafeBytes { bytes in
            for at in stride(from: 0, to: bytes.count, by: 8) {
                let one = bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)
                let two = bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)
                first &+= (isBigEndian ? UInt32(bigEndian: one) : UInt32(littleEndian: one)) &+ second
                second &+= (isBigEndian ? UInt32(bigEndian: two) : UInt32(littleEndian: two)) &+ first
            }
        }
        return (first, second)
    }
}
