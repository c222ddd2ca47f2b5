/// A file: what processes read, and what survives a power cut.
///
/// Writes are remembered until they are synced, each by itself: the disk may have any of several unsynced
/// versions of a sector.
final class DiskFile {
    private enum Change {
        case write(offset: Int, bytes: [UInt8])
        case truncate(count: Int)
    }

    /// The disk writes sectors of this many bytes completely or not at all.
    private static let sectorBytes = 512

    /// What processes read.
    private(set) var bytes: [UInt8] = []
    /// What was synced.
    private(set) var durable: [UInt8] = []
    private var unsynced: [Change] = []
    /// Without a name: gone after a power cut.
    private let isTemporary: Bool

    /// Who holds its flock(2).
    weak var lockHolder: SimulatedOpenFile?
    /// SQLite's POSIX locks.
    var locks = AdvisoryLocks()
    /// Of the connections to its write-ahead log; nil while no process has it.
    var memory: SharedMemory?

    init(isTemporary: Bool = false) {
        self.isTemporary = isTemporary
    }

    /// The same content and unsynced writes, open nowhere.
    func copy() -> DiskFile {
        let copy = DiskFile(isTemporary: isTemporary)
        copy.bytes = bytes
        copy.durable = durable
        copy.unsynced = unsynced
        return copy
    }

    // MARK: a process

    /// Copies bytes into `buffer`.
    /// - Returns: the number of copied bytes; smaller than the buffer at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        let count = max(0, min(buffer.count, bytes.count - offset))
        guard count > 0 else { return 0 }
        bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[offset..<offset + count])) }
        return count
    }

    func write(_ content: UnsafeRawBufferPointer, at offset: Int) {
        Self.put(content, into: &bytes, at: offset)
        if !isTemporary { unsynced.append(.write(offset: offset, bytes: Array(content))) }
    }

    func truncate(to count: Int) {
        Self.cut(&bytes, to: count)
        if !isTemporary { unsynced.append(.truncate(count: count)) }
    }

    func sync() {
        for change in unsynced {
            switch change {
            case .write(let offset, let bytes):
                bytes.withUnsafeBytes { Self.put($0, into: &durable, at: offset) }
            case .truncate(let count): Self.cut(&durable, to: count)
            }
        }
        unsynced = []
    }

    // MARK: failures

    /// A sync fails: a part of the unsynced data reaches the disk, and no later sync writes the rest.
    func failSync(using random: inout some RandomNumberGenerator) {
        guard !unsynced.isEmpty else { return }
        let oldCount = durable.count
        for change in unsynced {
            let share = Share(using: &random)
            switch change {
            case .write(let offset, let bytes): put(bytes, at: offset) { share.isKept(using: &random) }
            case .truncate(let count): if share.isKept(using: &random) { Self.cut(&durable, to: count) }
            }
        }
        unsynced = []
        switch UInt8.random(in: 0..<4, using: &random) {
        // The length is written apart from the data: the old one, or the new one without the data.
        case 0: if durable.count > oldCount { Self.cut(&durable, to: oldCount) }
        case 1: if durable.count < bytes.count { Self.cut(&durable, to: bytes.count) }
        default: break
        }
    }

    /// The power fails: a part of the unsynced data is there afterwards.
    func cutPower(using random: inout some RandomNumberGenerator) {
        failSync(using: &random)
        bytes = durable
    }

    /// Decides which sectors of a write reach the disk: often all, or none, and otherwise a share.
    private struct Share {
        private let limit: UInt8

        init(using random: inout some RandomNumberGenerator) {
            switch UInt8.random(in: 0..<6, using: &random) {
            case 0: limit = 0
            case 1: limit = 100
            default: limit = UInt8.random(in: 1..<100, using: &random)
            }
        }

        func isKept(using random: inout some RandomNumberGenerator) -> Bool {
            UInt8.random(in: 0..<100, using: &random) < limit
        }
    }

    // MARK: images

    /// Writes those sectors of a write that are kept to the durable image.
    private func put(_ content: [UInt8], at offset: Int, where isKept: () -> Bool) {
        content.withUnsafeBytes { content in
            var start = 0
            while start < content.count {
                let room = Self.sectorBytes - (offset + start) % Self.sectorBytes
                let end = min(content.count, start + room)
                if isKept() {
                    Self.put(.init(rebasing: content[start..<end]), into: &durable, at: offset + start)
                }
                start = end
            }
        }
    }

    /// Zeros fill the space between the end and `offset`.
    private static func put(_ content: UnsafeRawBufferPointer, into image: inout [UInt8], at offset: Int) {
        if image.count < offset { cut(&image, to: offset) }
        let inside = min(content.count, image.count - offset)
        if inside > 0 {
            image.withUnsafeMutableBytes {
                UnsafeMutableRawBufferPointer(rebasing: $0[offset..<offset + inside])
                    .copyMemory(from: .init(rebasing: content[..<inside]))
            }
        }
        if inside < content.count { image.append(contentsOf: content[inside...]) }
    }

    /// Shortens an image, or fills it with zeros.
    private static func cut(_ image: inout [UInt8], to count: Int) {
        if image.count > count {
            image.removeLast(image.count - count)
        } else {
            image.append(contentsOf: repeatElement(0, count: count - image.count))
        }
    }
}
