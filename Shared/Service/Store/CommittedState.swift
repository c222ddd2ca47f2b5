/// The content of a store after a commit: its log's identity and head, and a sum over all pages.
package struct CommittedState: Sendable, Equatable {
    /// Epoch of the event log.
    package var epoch = ""
    /// The owner's run that made the commit; empty if the store had no runs yet.
    package var run = ""
    /// Sequence of the last event; 0 if there is none.
    package var head: Int64 = 0

    /// Incremented with each written state; the newest has the largest number.
    var number: Int64 = 0
    var pageBytes = 0
    /// Pages of the database after the commit.
    var pages = 0
    /// The sum, modulo 2^64, of the hashes of all pages.
    var sum: UInt64 = 0
    /// Salts of the write-ahead log that contained the commit, and the number of its committed frames; 0 and
    /// 0 if all pages are in the main file.
    var salts: UInt64 = 0
    var frames = 0

    /// Bytes of all pages.
    package var bytes: Int64 { Int64(pages) * Int64(pageBytes) }

    /// Size of an encoded state: one sector, which a power cut leaves either old or new.
    static let bytesCount = 512
    private static let mark: UInt64 = 0x5354_5354_4154_4531
    private static let textBytesMax = 100
}

extension CommittedState {
    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        let numbers = [
            Self.mark, UInt64(bitPattern: number), UInt64(bitPattern: head), UInt64(pageBytes),
            UInt64(pages), sum, salts, UInt64(frames),
        ]
        numbers.forEach { bytes.append(number: $0) }
        for text in [epoch, run] {
            let utf8 = text.utf8.prefix(Self.textBytesMax)
            bytes.append(UInt8(utf8.count))
            bytes += utf8 + [UInt8](repeating: 0, count: Self.textBytesMax - utf8.count)
        }
        bytes += [UInt8](repeating: 0, count: Self.bytesCount - 8 - bytes.count)
        bytes.append(number: Self.hash(bytes[...]))
        return bytes
    }

    /// Nil unless the bytes are a complete encoded state.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.bytesCount, bytes.word(at: 0) == Self.mark,
            bytes.word(at: Self.bytesCount - 8) == Self.hash(bytes.dropLast(8)),
            let pageBytes = Int(exactly: bytes.word(at: 24)), let pages = Int(exactly: bytes.word(at: 32)),
            let frames = Int(exactly: bytes.word(at: 56))
        else { return nil }
        number = Int64(bitPattern: bytes.word(at: 8))
        head = Int64(bitPattern: bytes.word(at: 16))
        self.pageBytes = pageBytes
        self.pages = pages
        sum = bytes.word(at: 40)
        salts = bytes.word(at: 48)
        self.frames = frames
        epoch = Self.text(bytes, at: 64)
        run = Self.text(bytes, at: 64 + 1 + Self.textBytesMax)
    }

    private static func text(_ bytes: [UInt8], at offset: Int) -> String {
        let count = min(Int(bytes[offset]), textBytesMax)
        return String(decoding: bytes[(offset + 1)..<(offset + 1 + count)], as: UTF8.self)
    }

    private static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.withUnsafeBytes { PageHash.keyed(mark, $0) }
    }
}

extension [UInt8] {
    fileprivate mutating func append(number: UInt64) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) })
    }
}
