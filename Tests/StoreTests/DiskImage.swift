import DiskRecorder
import Store
import Testing

/// One thing that a process did to the files of a store.
enum DiskOperation {
    case write(path: String, offset: Int, bytes: [UInt8])
    case truncate(path: String, count: Int)
    case sync(path: String)
    case unlink(path: String)
    case rename(path: String, target: String)

    /// What was recorded since `disk_recorder_start`.
    static func recorded() -> [DiskOperation] {
        (0..<disk_recorder_count()).compactMap { index in
            guard let operation = disk_recorder_operation(index)?.pointee else { return nil }
            let path = text(operation.path)
            switch UInt32(operation.kind) {
            case DISK_WRITE.rawValue:
                let bytes = Array(UnsafeBufferPointer(start: operation.bytes, count: operation.length))
                return .write(path: path, offset: Int(operation.offset), bytes: bytes)
            case DISK_TRUNCATE.rawValue: return .truncate(path: path, count: Int(operation.offset))
            case DISK_SYNC.rawValue: return .sync(path: path)
            case DISK_UNLINK.rawValue: return .unlink(path: path)
            default: return .rename(path: path, target: text(operation.target))
            }
        }
    }

    func isWrite(to file: String) -> Bool {
        if case .write(file, _, _) = self { true } else { false }
    }

    private static func text(_ field: some Any) -> String {
        withUnsafeBytes(of: field) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

/// A disk that keeps what was synced, and a random part of the rest, by sectors of 512 bytes.
struct DiskImage {
    private struct File {
        var durable: [UInt8] = []
        var pending: [DiskOperation] = []
    }

    private static let sectorBytes = 512
    private var files: [String: File] = [:]

    /// - Parameter files: initial content of the disk, by path.
    init(_ files: [String: [UInt8]]) {
        self.files = files.mapValues { File(durable: $0) }
    }

    mutating func apply(_ operation: DiskOperation) {
        switch operation {
        case .write(let path, _, _), .truncate(let path, _):
            files[path, default: File()].pending.append(operation)
        case .sync(let path):
            guard var file = files[path] else { return }
            for operation in file.pending { Self.apply(operation, to: &file.durable) }
            file.pending = []
            files[path] = file
        case .unlink(let path): files[path] = nil
        case .rename(let path, let target):
            files[target] = files[path]
            files[path] = nil
        }
    }

    /// The files after a power cut: any subset of the sectors that were not synced.
    func afterPowerCut(_ random: inout SeededGenerator) -> [String: [UInt8]] {
        let share = Double.random(in: 0...1, using: &random)
        return files.mapValues { file in
            var bytes = file.durable
            for operation in file.pending {
                Self.apply(operation, to: &bytes) { Double.random(in: 0..<1, using: &random) < share }
            }
            return bytes
        }
    }

    /// The files after the process was killed: all it wrote.
    func afterKill() -> [String: [UInt8]] {
        files.mapValues { file in
            var bytes = file.durable
            for operation in file.pending { Self.apply(operation, to: &bytes) }
            return bytes
        }
    }

    private static func apply(
        _ operation: DiskOperation, to bytes: inout [UInt8], where isKept: () -> Bool = { true }
    ) {
        switch operation {
        case .write(_, let offset, let content):
            var start = 0
            while start < content.count {
                // Up to the next border between sectors.
                let room = sectorBytes - (offset + start) % sectorBytes
                let end = min(content.count, start + room)
                if isKept() { put(content[start..<end], into: &bytes, at: offset + start) }
                start = end
            }
        case .truncate(_, let count):
            guard isKept() else { return }
            if bytes.count > count {
                bytes.removeLast(bytes.count - count)
            } else {
                bytes += [UInt8](repeating: 0, count: count - bytes.count)
            }
        case .sync, .unlink, .rename: return
        }
    }

    private static func put(_ content: ArraySlice<UInt8>, into bytes: inout [UInt8], at offset: Int) {
        if bytes.count < offset + content.count {
            bytes += [UInt8](repeating: 0, count: offset + content.count - bytes.count)
        }
        bytes.replaceSubrange(offset..<offset + content.count, with: content)
    }
}
